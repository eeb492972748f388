"""Writer of the model file that native/encoder/static_model.hpp describes.

usage: pack.py MODEL.npz OUT.bin [SATURATION [RARITY [DIGITS]]]
Applies the final weights: rows are multiplied by p^-RARITY, those of digits by DIGITS, and a token
that occurs n times in a text counts n^SATURATION times.
"""

import json
import os
import struct
import sys

import numpy as np
from distil import quantise
from teacher import folder


def crc32c(data):
    table = []
    for i in range(256):
        for _ in range(8):
            i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
        table.append(i)
    c = 0xFFFFFFFF
    for b in data:
        c = c >> 8 ^ table[(c ^ b) & 255]
    return c ^ 0xFFFFFFFF


def main():
    model, out = sys.argv[1:3]
    saturation, rarity, digits = (
        float(v) for v in (sys.argv[3:] + ["0.75", "0.1", "1.5"][len(sys.argv) - 3 :])
    )
    z = np.load(model)
    tokens = open(os.path.join(folder(), "vocab.txt"), encoding="utf-8").read().split("\n")
    tokens = tokens[:-1] if tokens[-1] == "" else tokens
    keep = [
        i
        for i, t in enumerate(tokens)
        if t == "[UNK]" or not (t.startswith("[") and t.endswith("]") and len(t) > 2)
    ]
    number = np.array([t.removeprefix("##").isdigit() for t in tokens])
    table = z["table"] * (z["p"] ** -rarity * np.where(number, digits, 1.0))[:, None]
    rows, scales = quantise(table[keep].astype(np.float32))
    d = rows.shape[1]
    unknown = [tokens[i] for i in keep].index("[UNK]")
    rows[unknown] = 0
    scales[unknown] = 0
    vocabulary = "".join(tokens[i] + "\n" for i in keep).encode()
    header = json.dumps(
        {
            "id": f"asof-static-{d}-v1",
            "teacher": "sentence-transformers/all-MiniLM-L6-v2",
            "licence": "Apache-2.0",
            "language": "en",
            "tokenizer": "wordpiece",
            "lowercase": True,
            "stripAccents": True,
            "maxCharactersPerWord": 100,
            "pooling": "weighted sum, length one",
            "saturation": saturation,
            "rarity": rarity,
            "digits": digits,
            "dimensions": d,
            "tokens": len(keep),
        },
        indent=1,
    ).encode()
    body = b""
    for part in (header, vocabulary, scales.tobytes(), rows.tobytes()):
        body += bytes(-len(body) % 64) + part
    rest = (
        struct.pack(
            "<QIIIIf20x", 64 + len(body), len(keep), d, len(header), len(vocabulary), saturation
        )
        + body
    )
    open(out, "wb").write(struct.pack("<8sII", b"ASOFENC", 1, crc32c(rest)) + rest)
    print(out, 64 + len(body), "bytes")


if __name__ == "__main__":
    main()
