"""TensorFlow with Keras' layers and policies, oneDNN on; a tf.function step, plain or compiled by XLA (jit_compile)."""
import os

os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ["CUDA_VISIBLE_DEVICES"] = ""

import keras
import tensorflow as tf

import worker


def make_network(weights, image_shape):
    layers = [keras.Input(image_shape)]
    for (_, size), filters in zip(worker.CONVOLUTIONS, (32, 64, 128)):
        layers += [keras.layers.Conv2D(filters, size, strides=2, padding="same", activation="relu"),
                   keras.layers.BatchNormalization(momentum=worker.MOMENTUM, epsilon=worker.EPSILON)]
    network = keras.Sequential(layers + [keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(10)])
    values = []
    for suffix, _ in worker.CONVOLUTIONS:
        values += [weights[f"conv2d{suffix}/{name}"] for name in ("kernel", "bias")]
        values += [weights[f"batch_normalization{suffix}/{name}"]
                   for name in ("gamma", "beta", "moving_mean", "moving_variance")]
    network.set_weights(values + [weights["dense/kernel"], weights["dense/bias"]])
    return network


def make_step(arguments, weights, images, labels):
    tf.config.threading.set_intra_op_parallelism_threads(arguments.threads)
    tf.config.threading.set_inter_op_parallelism_threads(arguments.threads)
    keras.mixed_precision.set_global_policy(arguments.policy)
    network = make_network(weights, images.shape[1:])
    optimizer = keras.optimizers.Adam(worker.LEARNING_RATE, epsilon=worker.ADAM_EPSILON)
    if arguments.policy == "mixed_float16":
        optimizer = keras.mixed_precision.LossScaleOptimizer(optimizer)
    optimizer.build(network.trainable_variables)
    pictures, targets = tf.constant(images), tf.constant(labels)

    @tf.function(jit_compile=arguments.mode == "jit_compile")
    def train(pictures, targets):
        with tf.GradientTape() as tape:
            logits = network(tf.cast(pictures, tf.float32) / 255.0, training=True)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(targets, tf.cast(logits, tf.float32))
            loss = tf.reduce_mean(losses)
            scaled = optimizer.scale_loss(loss)
        gradients = tape.gradient(scaled, network.trainable_variables)
        optimizer.apply_gradients(zip(gradients, network.trainable_variables))
        return loss

    return (f"TensorFlow {tf.__version__} {arguments.mode}, Keras {keras.__version__}, oneDNN on",
            lambda: float(train(pictures, targets).numpy()))


worker.serve(make_step)
