"""ONNX export of a BERT encoder (such as MiniLM) or cross-encoder from config.json and
model.safetensors, with numpy and onnx only.

  python bert_to_onnx.py MODEL_DIR OUT.onnx
      inputs input_ids, attention_mask, token_type_ids; output last_hidden_state, or logits with a
      classifier
  python bert_to_onnx.py --double OUT_DIR [--seed 7]
      OUT_DIR/encoder and OUT_DIR/cross: published folders of tiny BERTs with random weights

Standard operators of opset 17 only, with the names of published exports. No pooling, no downloads;
other architectures are rejected. The doubles test that files are read and run correctly, not
quality.
"""

import argparse
import json
import os
import string
import struct

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper


def weights(path):
    with open(path, "rb") as f:
        head = json.loads(f.read(struct.unpack("<Q", f.read(8))[0]))
        body = f.read()
    kinds = {"F32": np.float32, "I64": np.int64, "F16": np.float16}
    return {
        n.removeprefix("bert."): np.frombuffer(
            body[slice(*t["data_offsets"])], kinds[t["dtype"]]
        ).reshape(t["shape"])
        for n, t in head.items()
        if n != "__metadata__"
    }


def build(w, config, out):
    if (
        config.get("model_type") != "bert"
        or config["hidden_act"] != "gelu"
        or config.get("position_embedding_type", "absolute") != "absolute"
    ):
        raise SystemExit(
            f"Expected a BERT with gelu and absolute positions, received {config}. "
            "Use the export tool that its publisher names."
        )
    heads, d, layers, eps = (
        config[k]
        for k in ("num_attention_heads", "hidden_size", "num_hidden_layers", "layer_norm_eps")
    )
    nodes, inits, seen = [], [], set()

    def const(name, a):
        if name not in seen:
            seen.add(name)
            a = np.array(a, order="C")
            inits.append(
                numpy_helper.from_array(a.astype(np.float32) if a.dtype == np.float16 else a, name)
            )
        return name

    def op(kind, ins, name, **k):
        nodes.append(h.make_node(kind, ins, [name], name=name, **k))
        return name

    def dense(x, p, name):
        return op(
            "Add",
            [
                op("MatMul", [x, const(p + ".weight.T", w[p + ".weight"].T)], name + ".mm"),
                const(p + ".bias", w[p + ".bias"]),
            ],
            name,
        )

    def norm(x, p, name):
        return op(
            "LayerNormalization",
            [x, const(p + ".weight", w[p + ".weight"]), const(p + ".bias", w[p + ".bias"])],
            name,
            axis=-1,
            epsilon=eps,
        )

    def split(x, name, perm):  # [b, t, d] -> heads
        return op(
            "Transpose",
            [
                op(
                    "Reshape",
                    [x, const("to_heads", np.array([0, 0, heads, d // heads]))],
                    name + ".r",
                )
            ],
            name,
            perm=perm,
        )

    e = "embeddings."
    length = op("Gather", [op("Shape", ["input_ids"], "shape"), const("i1", np.array(1))], "length")
    positions = op(
        "Range", [const("i0", np.array(0)), length, const("i1", np.array(1))], "positions"
    )

    def table(n):
        return const(e + n, w[f"{e}{n}_embeddings.weight"])

    x = op(
        "Add",
        [
            op("Gather", [table("word"), "input_ids"], "we"),
            op("Gather", [table("token_type"), "token_type_ids"], "te"),
        ],
        "wt",
    )
    x = norm(
        op("Add", [x, op("Gather", [table("position"), positions], "pe")], "sum"),
        e + "LayerNorm",
        "x0",
    )
    maskf = op("Cast", ["attention_mask"], "maskf", to=T.FLOAT)
    hidden = op(
        "Unsqueeze",
        [op("Sub", [const("f1", np.float32(1)), maskf], "inv"), const("ax12", np.array([1, 2]))],
        "inv4",
    )
    bias = op("Mul", [hidden, const("low", np.float32(np.finfo(np.float32).min))], "bias")
    for i in range(layers):
        p, a = f"encoder.layer.{i}.", f"encoder.layer.{i}.attention."
        q, k, v = (
            split(dense(x, f"{a}self.{n}", f"{n}{i}"), f"{n}h{i}", perm)
            for n, perm in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3]))
        )
        s = op(
            "Div",
            [op("MatMul", [q, k], f"qk{i}"), const("root", np.float32(np.sqrt(d // heads)))],
            f"s{i}",
        )
        c = op(
            "MatMul",
            [op("Softmax", [op("Add", [s, bias], f"sb{i}")], f"sm{i}", axis=-1), v],
            f"cv{i}",
        )
        c = op(
            "Reshape",
            [
                op("Transpose", [c], f"ct{i}", perm=[0, 2, 1, 3]),
                const("from_heads", np.array([0, 0, d])),
            ],
            f"c{i}",
        )
        x = norm(
            op("Add", [dense(c, a + "output.dense", f"o{i}"), x], f"or{i}"),
            a + "output.LayerNorm",
            f"a{i}",
        )
        u = dense(x, p + "intermediate.dense", f"u{i}")
        g = op(
            "Add",
            [
                op(
                    "Erf",
                    [op("Div", [u, const("root2", np.float32(np.sqrt(2)))], f"u2{i}")],
                    f"erf{i}",
                ),
                "f1",
            ],
            f"e1{i}",
        )
        g = op("Mul", [op("Mul", [u, g], f"ug{i}"), const("half", np.float32(0.5))], f"g{i}")
        out_name = "last_hidden_state" if i == layers - 1 else f"x{i + 1}"
        x = norm(
            op("Add", [dense(g, p + "output.dense", f"d{i}"), x], f"dr{i}"),
            p + "output.LayerNorm",
            out_name,
        )
    result = h.make_tensor_value_info("last_hidden_state", T.FLOAT, ["batch", "sequence", d])
    if "classifier.weight" in w:  # a cross-encoder: the pooled [CLS] through tanh, then one logit
        pooled = op(
            "Tanh",
            [
                dense(
                    op("Gather", [x, const("i0", np.array(0))], "cls", axis=1),
                    "pooler.dense",
                    "pool",
                )
            ],
            "pooled",
        )
        dense(pooled, "classifier", "logits")
        result = h.make_tensor_value_info(
            "logits", T.FLOAT, ["batch", w["classifier.weight"].shape[0]]
        )
    graph = h.make_graph(
        nodes,
        "bert",
        [
            h.make_tensor_value_info(n, T.INT64, ["batch", "sequence"])
            for n in ("input_ids", "attention_mask", "token_type_ids")
        ],
        [result],
        inits,
    )
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, out)


def save_weights(w, path):
    """The safetensors format: a JSON header with offsets, then the bytes."""
    head, at = {}, 0
    for name, array in w.items():
        head[name] = {
            "dtype": "F32",
            "shape": list(array.shape),
            "data_offsets": [at, at + array.nbytes],
        }
        at += array.nbytes
    text = json.dumps({"__metadata__": {"format": "pt"}, **head}).encode()
    with open(path, "wb") as f:
        f.write(
            struct.pack("<Q", len(text)) + text + b"".join(array.tobytes() for array in w.values())
        )


def double_tokenizer(vocab):
    def special(token, kind=0):
        return {"SpecialToken": {"id": token, "type_id": kind}}

    def part(name, kind):
        return {"Sequence": {"id": name, "type_id": kind}}

    flags = {
        "single_word": False,
        "lstrip": False,
        "rstrip": False,
        "normalized": False,
        "special": True,
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [{"id": i, "content": token, **flags} for i, token in enumerate(vocab[:5])],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [special("[CLS]"), part("A", 0), special("[SEP]")],
            "pair": [
                special("[CLS]"),
                part("A", 0),
                special("[SEP]"),
                part("B", 1),
                special("[SEP]", 1),
            ],
            "special_tokens": {
                t: {"id": t, "ids": [vocab.index(t)], "tokens": [t]} for t in ("[CLS]", "[SEP]")
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {t: i for i, t in enumerate(vocab)},
        },
    }


def double(folder, seed, cross):
    """A BERT of 2 layers, width 32 and 128 positions over letters and digits, with configuration
    and tokenizer in the layout of published folders.
    """
    random = np.random.default_rng(seed)
    d, wide, layers, positions = 32, 64, 2, 128
    letters = string.ascii_lowercase + string.digits
    vocab = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *letters,
        *("##" + c for c in letters),
        *string.punctuation,
    ]

    def normal(*shape):
        return (random.standard_normal(shape) * 0.2).astype(np.float32)

    w = {
        f"embeddings.{name}_embeddings.weight": normal(rows, d)
        for name, rows in (("word", len(vocab)), ("position", positions), ("token_type", 2))
    }

    def dense(name, outputs, inputs, scale=1):
        w[name + ".weight"], w[name + ".bias"] = (
            normal(outputs, inputs) * np.float32(scale),
            normal(outputs),
        )

    def norm(name):
        w[name + ".weight"], w[name + ".bias"] = 1 + normal(d), normal(d)

    norm("embeddings.LayerNorm")
    for layer in (f"encoder.layer.{i}." for i in range(layers)):
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            dense(layer + "attention." + part, d, d)
        dense(layer + "intermediate.dense", wide, d)
        dense(layer + "output.dense", d, wide)
        norm(layer + "attention.output.LayerNorm")
        norm(layer + "output.LayerNorm")
    dense("pooler.dense", d, d)
    if cross:
        w = {"bert." + name: array for name, array in w.items()}
        dense("classifier", 1, d, 4)  # so that scores are spread
    config = dict(
        model_type="bert",
        architectures=["BertForSequenceClassification" if cross else "BertModel"],
        hidden_size=d,
        intermediate_size=wide,
        num_hidden_layers=layers,
        num_attention_heads=4,
        max_position_embeddings=positions,
        type_vocab_size=2,
        vocab_size=len(vocab),
        hidden_act="gelu",
        layer_norm_eps=1e-12,
        pad_token_id=0,
        **({"id2label": {"0": "LABEL_0"}} if cross else {}),
    )
    tokens = dict(
        tokenizer_class="BertTokenizer",
        model_max_length=positions,
        do_lower_case=True,
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token="[MASK]",
    )
    os.makedirs(f"{folder}/onnx", exist_ok=True)
    for name, content in (
        ("config", config),
        ("tokenizer", double_tokenizer(vocab)),
        ("tokenizer_config", tokens),
    ):
        with open(f"{folder}/{name}.json", "w") as f:
            json.dump(content, f, indent=1)
    save_weights(w, f"{folder}/model.safetensors")
    build(weights(f"{folder}/model.safetensors"), config, f"{folder}/onnx/model.onnx")


if __name__ == "__main__":
    a = argparse.ArgumentParser()
    a.add_argument("model", nargs="?", help="folder with config.json and model.safetensors")
    a.add_argument(
        "out", nargs="?", help="the ONNX file to write, for example MODEL/onnx/model.onnx"
    )
    a.add_argument("--double", metavar="OUT_DIR", help="write doubles there instead")
    a.add_argument("--seed", type=int, default=7)
    a = a.parse_args()
    if a.double:
        double(f"{a.double}/encoder", a.seed, False)
        double(f"{a.double}/cross", a.seed, True)
    elif a.model and a.out:
        with open(f"{a.model}/config.json") as f:
            build(weights(f"{a.model}/model.safetensors"), json.load(f), a.out)
    else:
        raise SystemExit("Expected MODEL_DIR and OUT.onnx, or --double OUT_DIR.")
