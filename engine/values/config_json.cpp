#include "engine/values/json.h"
#include "engine/values/json_fields.h"
#include <nlohmann/json.hpp>

namespace halfstep::values {
namespace {
using Json = nlohmann::ordered_json;
} // namespace

Json toJson(const ExperimentConfig& config) {
    return {{"name", config.name},
            {"data", config.data},
            {"policy", precision::traitsOf(config.policy).name},
            {"batch_size", config.batchSize},
            {"device", config.device},
            {"epochs", config.epochs},
            {"steps", orNull(config.steps)},
            {"image_size", config.imageSize},
            {"seed", config.seed},
            {"threads", config.threads},
            {"isa", config.isa},
            {"convolution", config.convolution},
            {"optimizer", nameOf(config.optimizer)},
            {"learning_rate", numberJson(config.learningRate)},
            {"epsilon", numberJson(config.epsilon)},
            {"loss_scaling", nameOf(config.lossScale.scaling)},
            {"loss_scale_rule", nameOf(config.lossScale.rule)},
            {"loss_scale", orNull(config.lossScale.scale)},
            {"loss_scale_growth", orNull(config.lossScale.growthFactor)},
            {"loss_scale_backoff", orNull(config.lossScale.backoffFactor)},
            {"loss_scale_interval", orNull(config.lossScale.growthInterval)},
            {"numerics_every", config.numericsEvery},
            {"early_stopping_patience", orNull(config.earlyStoppingPatience)},
            {"weights", config.weights},
            {"checkpoint", config.checkpoint},
            {"checkpoint_every", orNull(config.checkpointEvery)},
            {"memory_limit_bytes", orNull(config.memoryLimitBytes)}};
}

ExperimentConfig experimentConfigFrom(const Json& json) {
    const Fields fields(json);
    ExperimentConfig config;
    fields.read("name", config.name);
    fields.read("data", config.data);
    fields.read("policy", config.policy, &precision::policyNamed);
    fields.read("batch_size", config.batchSize);
    fields.read("device", config.device);
    fields.read("epochs", config.epochs);
    fields.read("steps", config.steps);
    fields.read("image_size", config.imageSize);
    fields.read("seed", config.seed);
    fields.read("threads", config.threads);
    fields.read("isa", config.isa);
    fields.read("convolution", config.convolution);
    fields.read("optimizer", config.optimizer, &optimizerNamed);
    fields.read("learning_rate", config.learningRate);
    fields.read("epsilon", config.epsilon);
    fields.read("loss_scaling", config.lossScale.scaling, &precision::lossScalingNamed);
    fields.read("loss_scale_rule", config.lossScale.rule, &precision::lossScaleRuleNamed);
    fields.read("loss_scale", config.lossScale.scale);
    fields.read("loss_scale_growth", config.lossScale.growthFactor);
    fields.read("loss_scale_backoff", config.lossScale.backoffFactor);
    fields.read("loss_scale_interval", config.lossScale.growthInterval);
    fields.read("numerics_every", config.numericsEvery);
    fields.read("early_stopping_patience", config.earlyStoppingPatience);
    fields.read("weights", config.weights);
    fields.read("checkpoint", config.checkpoint);
    fields.read("checkpoint_every", config.checkpointEvery);
    fields.read("memory_limit_bytes", config.memoryLimitBytes);
    return config;
}

Json toJson(const std::vector<ConvolutionUse>& uses) {
    Json list = Json::array();
    for (const ConvolutionUse& use : uses) {
        list.push_back({{"layer", use.layer}, {"pass", use.pass}, {"algorithm", use.algorithm}});
    }
    return list;
}

std::vector<ConvolutionUse> convolutionUsesFrom(const Json& list) {
    std::vector<ConvolutionUse> uses;
    if (list.is_array()) {
        for (const Json& entry : list) {
            const Fields fields(entry);
            ConvolutionUse& use = uses.emplace_back();
            fields.read("layer", use.layer);
            fields.read("pass", use.pass);
            fields.read("algorithm", use.algorithm);
        }
    }
    return uses;
}

Json toJson(const Environment& environment) {
    return {{"cpu", environment.cpu},
            {"cores", environment.cores},
            {"threads", environment.threads},
            {"isa", environment.isa},
            {"device", environment.device},
            {"operating_system", environment.operatingSystem},
            {"compiler", environment.compiler},
            {"halfstep_version", environment.halfstepVersion},
            {"onednn_version", environment.oneDnnVersion},
            {"opencv_version", environment.openCvVersion},
            {"data_fingerprint", environment.dataFingerprint},
            {"validation_pictures", environment.validationPictures},
            {"convolutions", toJson(environment.convolutions)}};
}

Environment environmentFrom(const Json& json) {
    const Fields fields(json);
    Environment environment;
    fields.read("cpu", environment.cpu);
    fields.read("cores", environment.cores);
    fields.read("threads", environment.threads);
    fields.read("isa", environment.isa);
    fields.read("device", environment.device);
    fields.read("operating_system", environment.operatingSystem);
    fields.read("compiler", environment.compiler);
    fields.read("halfstep_version", environment.halfstepVersion);
    fields.read("onednn_version", environment.oneDnnVersion);
    fields.read("opencv_version", environment.openCvVersion);
    fields.read("data_fingerprint", environment.dataFingerprint);
    fields.read("validation_pictures", environment.validationPictures);
    environment.convolutions = convolutionUsesFrom(json.value("convolutions", Json::array()));
    return environment;
}

} // namespace halfstep::values
