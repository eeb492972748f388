"""The file of a question reader, as native/question/model.hpp describes it."""

import struct

import numpy as np

OUTPUTS = ["order", "relation", "asks", "clock", "ordinal", "anchored", "shift", "unit", "kind"]


def crc32c(data):
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    value = 0xFFFFFFFF
    for byte in data:
        value = table[(value ^ byte) & 255] ^ (value >> 8)
    return value ^ 0xFFFFFFFF


def packed(rows):
    """int8 rows with a scale each."""
    scales = np.maximum(np.abs(rows).max(1) / 127, 1e-12)
    return (
        scales.astype("<f4").tobytes() + np.rint(rows / scales[:, None]).astype(np.int8).tobytes()
    )


def pack(state, dilations, path):
    weights = {name: tensor.float().numpy() for name, tensor in state.items()}

    def vector(name):
        return weights[name].astype("<f4").tobytes()

    def linear(name, biased=True):
        return packed(weights[name + ".weight"].T) + (vector(name + ".bias") if biased else b"")

    sizes = [*weights["grams.weight"].shape, weights["from_pieces.weight"].shape[1]]
    sizes += [*reversed(weights["from_features.weight"].shape), len(dilations)]
    sizes += [len(weights["attention.bias"]), len(OUTPUTS)]
    body = struct.pack("<8I", *sizes)
    body += struct.pack(
        f"<{len(OUTPUTS)}I", *(len(weights[f"outputs.{name}.bias"]) for name in OUTPUTS)
    )
    body += struct.pack(f"<{len(dilations)}I", *dilations)
    body += packed(weights["grams.weight"])
    body += linear("from_grams", False) + linear("from_pieces", False) + linear("from_features")
    for layer in range(len(dilations)):
        own = f"layers.{layer}."
        body += vector(own + "norm.weight") + vector(own + "norm.bias")
        for tap in range(3):
            body += packed(weights[own + "convolution.weight"][:, :, tap].T)
            body += vector(own + "convolution.bias") if tap == 1 else b""
        body += linear(own + "project")
    body += vector("norm.weight") + vector("norm.bias")
    body += linear("tags") + linear("mention") + linear("attention")
    for name in OUTPUTS:
        body += linear(f"outputs.{name}")
    rest = struct.pack("<Q", 24 + len(body)) + body
    with open(path, "wb") as file:
        file.write(b"ASOFQRD\0" + struct.pack("<II", 1, crc32c(rest)) + rest)
