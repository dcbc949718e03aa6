"""Reads and writes safetensors files: arrays by name, and text about them."""
import json

import numpy as np

DTYPE_NAMES = {"float32": "F32", "float64": "F64", "int64": "I64"}


def write(path, arrays, about=None):
    header, position = {}, 0
    if about:
        header["__metadata__"] = {name: str(value) for name, value in about.items()}
    for name, array in arrays.items():
        header[name] = {
            "dtype": DTYPE_NAMES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [position, position + array.nbytes],
        }
        position += array.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for array in arrays.values():
            file.write(np.ascontiguousarray(array).tobytes())


def read(path):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(size))
        data = file.read()
    numpy_names = {value: key for key, value in DTYPE_NAMES.items()}
    arrays = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            array = np.frombuffer(data[begin:end], dtype=numpy_names[entry["dtype"]])
            arrays[name] = array.reshape(entry["shape"])
    return arrays
