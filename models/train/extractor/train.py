"""Training of the learned temporal extractor (Re3 section 3.2) on the output of texts.ts, into a
model folder: a transformer of two layers over its own vocabulary, with parallel heads for mask,
year digits, month, day of month and anchor.

    pip install torch onnx numpy
    python models/train/extractor/train.py DATA models/time-extractor [--minutes 25] [--resume]

--resume continues from DATA/checkpoint.pt. Prints accuracy by head on the held-out texts; evaluates
on no other data.
"""

import argparse
import json
import math
import random
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from wordpieces import SPECIAL, TIMES, pieces, vocabulary, words

POSITIONS, WIDTH, LAYERS, ATTENTION, INNER = 128, 96, 2, 4, 256
PREFIX = 7  # kind, reference, colon


class Extractor(nn.Module):
    """Each head pools the last layer by its own attention, so that the tens head attends to the
    tens.
    """

    def __init__(self, tokens, heads):
        super().__init__()
        self.tokens = nn.Embedding(tokens, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])
        self.norm = nn.LayerNorm(WIDTH)
        self.looks = nn.Linear(WIDTH, len(heads))
        self.values = nn.Linear(WIDTH, WIDTH)
        self.classes = nn.ModuleList([nn.Linear(WIDTH, size) for size in heads])
        nn.init.normal_(self.tokens.weight, std=0.1)
        nn.init.normal_(self.positions.weight, std=0.1)

    def forward(self, input_ids, attention_mask, told_where=False):
        hidden = (1 - attention_mask)[:, None, None, :].to(torch.float32) * -1e9
        places = torch.cumsum(torch.ones_like(input_ids), 1) - 1
        x = self.tokens(input_ids) + self.positions(places)
        for layer in self.layers:
            x = layer(x, hidden)
        x = self.norm(x)
        looks = torch.softmax(self.looks(x).transpose(1, 2) + hidden[:, 0], -1)
        pooled = looks @ self.values(x)
        logits = torch.cat([head(pooled[:, at]) for at, head in enumerate(self.classes)], 1)
        return (logits, looks) if told_where else logits


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.mixed, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.wide, self.narrow = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)

    def forward(self, x, hidden):
        rows, length = x.shape[0], x.shape[1]
        q, k, v = (
            each.reshape(rows, length, ATTENTION, -1).transpose(1, 2)
            for each in self.mixed(self.before(x)).chunk(3, -1)
        )
        weights = torch.softmax(q @ k.transpose(2, 3) * (WIDTH // ATTENTION) ** -0.5 + hidden, -1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(rows, length, WIDTH))
        return x + self.narrow(F.relu(self.wide(self.between(x))))


def read(path, ids, cache):
    rows, labels = [], []
    for line in open(path, encoding="utf-8"):
        each = json.loads(line)
        row = []
        for word in words(each["text"]):
            if word not in cache:
                cache[word] = pieces(word, ids)
            row += cache[word]
        rows.append(np.array(row[:POSITIONS], dtype=np.int32))
        labels.append(each["heads"])
    return rows, np.array(labels, dtype=np.int64)


def batch(rows, at, ids=None, droppable=None):
    length = max(len(rows[i]) for i in at)
    given = np.zeros((len(at), length), dtype=np.int64)
    mask = np.zeros_like(given)
    for row, i in enumerate(at):
        tokens = rows[i].astype(np.int64)
        rate = 0.0 if droppable is None else random.choice((0, 0, 0, 0.15, 0.4))
        if rate:  # words that no template has will be met: the sentence must not be needed
            tokens = np.where(
                droppable[tokens] & (np.random.rand(len(tokens)) < rate), ids["[UNK]"], tokens
            )
        given[row, : len(tokens)] = tokens
        mask[row, : len(tokens)] = 1
    return torch.from_numpy(given), torch.from_numpy(mask)


def loss_of(logits, labels, sizes):
    total = 0.0
    for at, part in enumerate(logits.split(sizes, 1)):
        if (labels[:, at] >= 0).any():
            total = total + F.cross_entropy(part, labels[:, at], ignore_index=-1)
    return total


class Places:
    """Attention target of a head: tokens after the reference with the number or name of its
    class, any of several.
    """

    def __init__(self, vocab):
        months = (
            "january february march april may june july august september october november december"
        ).split()
        short = "jan feb mar apr may jun jul aug sept oct nov dec".split()
        bare = [word.removeprefix("##") for word in vocab]
        self.value = torch.tensor([int(word) if word.isdigit() else -1 for word in bare])
        self.goes_on = torch.tensor([word.startswith("##") for word in vocab])
        self.month = torch.tensor(
            [
                months.index(word) if word in months else short.index(word) if word in short else -1
                for word in vocab
            ]
        )

    def loss(self, ids, labels, looks):
        """Heads in the order of heads.json: mask, thousands, hundreds, tens, ones, month, day,
        anchor.
        """
        value, goes_on = self.value[ids], self.goes_on[ids]
        text = torch.arange(ids.shape[1])[None, :] >= PREFIX

        def pair(at):
            return torch.where(
                (labels[:, at] >= 0) & (labels[:, at + 1] >= 0),
                labels[:, at] * 10 + labels[:, at + 1],
                -2,
            )[:, None]

        month, day = (torch.where(labels[:, at] >= 0, labels[:, at], -9)[:, None] for at in (5, 6))
        century, rest = (value == pair(1)) & ~goes_on & text, (value == pair(3)) & goes_on & text
        of_month, of_day = (
            ((self.month[ids] == month) | (value == month + 1)) & text,
            (value == day + 1) & text,
        )
        total, count = 0.0, 0
        for head, where in (
            (1, century),
            (2, century),
            (3, rest),
            (4, rest),
            (5, of_month),
            (6, of_day),
        ):
            there = where.any(1)
            if there.any():
                total = total - torch.log((looks[:, head] * where).sum(1)[there] + 1e-6).mean()
                count += 1
        return total / max(1, count)


def number_alike(model, vocab):
    """Initialises all tokens of a number near each other: 3, 03 and ##03."""
    with torch.no_grad():
        values, digits = torch.randn(100, WIDTH) * 0.1, torch.randn(2, 10, WIDTH) * 0.1
        for at, word in enumerate(vocab):
            number = word.removeprefix("##")
            if number.isdigit():
                n = int(number)
                model.tokens.weight[at] = (
                    0.5 * model.tokens.weight[at]
                    + values[n]
                    + digits[0, n // 10]
                    + digits[1, n % 10]
                )


def accuracy(model, rows, labels, names, sizes):
    right, of, exact = np.zeros(len(names)), np.zeros(len(names)), 0
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    with torch.no_grad():
        for start in range(0, len(order), 256):
            at = order[start : start + 256]
            found = np.stack(
                [part.argmax(1).numpy() for part in model(*batch(rows, at)).split(sizes, 1)], 1
            )
            known = labels[at] >= 0
            right += ((found == labels[at]) & known).sum(0)
            of += known.sum(0)
            exact += ((found == labels[at]) | ~known).all(1).sum()
    shares = " ".join(
        f"{name} {r / max(1, n):.4f}" for name, r, n in zip(names, right, of, strict=False)
    )
    return f"exact {exact / len(rows):.4f}, {shares}", exact / len(rows)


def train(data, minutes, resume, batch_size, rate):
    heads = json.loads((data / "heads.json").read_text())["heads"]
    names, sizes = list(heads), [each["to"] - each["from"] for each in heads.values()]
    torch.manual_seed(1), random.seed(1), np.random.seed(1)
    kept = torch.load(data / "checkpoint.pt") if resume else None
    vocab = (
        kept["vocab"]
        if kept
        else vocabulary(
            (json.loads(line)["text"] for line in open(data / "train.jsonl", encoding="utf-8")), 150
        )
    )
    ids = {word: at for at, word in enumerate(vocab)}
    cache = {}
    rows, labels = read(data / "train.jsonl", ids, cache)
    dev, dev_labels = (part[:1500] for part in read(data / "dev.jsonl", ids, cache))
    droppable = np.array([word.isalpha() and word not in TIMES for word in vocab])
    model = Extractor(len(vocab), sizes)
    number_alike(model, vocab)
    places = Places(vocab)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    step, spent, best = 0, 0.0, -1.0
    if kept:
        model.load_state_dict(kept["model"]), optimiser.load_state_dict(kept["optimiser"])
        step, spent, best = kept["step"], kept["spent"], kept["best"]
    print(
        f"{len(vocab)} tokens, {sum(p.numel() for p in model.parameters())} weights, "
        f"{len(rows)} texts of {np.mean([len(r) for r in rows]):.0f} tokens",
        flush=True,
    )
    budget, started, before = minutes * 60, time.time(), spent
    while spent < budget:
        shuffled = np.random.permutation(len(rows))
        chunks = [
            sorted(shuffled[s : s + 64 * batch_size], key=lambda i: len(rows[i]))
            for s in range(0, len(rows), 64 * batch_size)
        ]
        batches = [
            chunk[s : s + batch_size] for chunk in chunks for s in range(0, len(chunk), batch_size)
        ]
        random.shuffle(batches)
        for at in batches:
            spent = before + time.time() - started
            share = min(1.0, spent / budget)
            for group in optimiser.param_groups:
                group["lr"] = (
                    rate
                    * min(1.0, (step + 1) / 300)
                    * (0.5 + 0.5 * math.cos(math.pi * share) + 0.01)
                )
            given, mask = batch(rows, at, ids, droppable)
            wanted = torch.from_numpy(labels[at])
            logits, looks = model(given, mask, told_where=True)
            loss = loss_of(logits, wanted, sizes) + 0.5 * places.loss(given, wanted, looks)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            step += 1
            if step % 300 == 0 or share >= 1:
                model.eval()
                told, exact = accuracy(model, dev, dev_labels, names, sizes)
                model.train()
                print(f"{spent:.0f} s, step {step}, loss {loss.item():.3f}: {told}", flush=True)
                best = max(best, float(exact))
                torch.save(
                    {
                        "vocab": vocab,
                        "model": model.state_dict(),
                        "optimiser": optimiser.state_dict(),
                        "step": step,
                        "spent": spent,
                        "best": best,
                        "heads": heads,
                    },
                    data / "checkpoint.pt",
                )
            if share >= 1:
                break


def export(data, folder):
    """The model, its tokenizer and its configuration in the format of published models. Weights
    are stored in half precision and run in single precision.
    """
    import onnx
    from onnx import numpy_helper

    kept = torch.load(data / "checkpoint.pt")
    vocab, heads = kept["vocab"], kept["heads"]
    model = Extractor(len(vocab), [each["to"] - each["from"] for each in heads.values()])
    model.load_state_dict(kept["model"])
    model.eval()
    folder.mkdir(parents=True, exist_ok=True)
    example = (torch.zeros(2, 9, dtype=torch.int64), torch.ones(2, 9, dtype=torch.int64))
    axes = {0: "batch", 1: "sequence"}
    torch.onnx.export(
        model,
        example,
        str(folder / "model.onnx"),
        input_names=["input_ids", "attention_mask"],
        output_names=["logits"],
        opset_version=17,
        dynamo=False,
        dynamic_axes={"input_ids": axes, "attention_mask": axes, "logits": {0: "batch"}},
    )
    graph = onnx.load(str(folder / "model.onnx"))
    halved = []
    for each in list(graph.graph.initializer):
        value = numpy_helper.to_array(each)
        if value.dtype == np.float32 and value.size > 64:
            graph.graph.initializer.remove(each)
            graph.graph.initializer.append(
                numpy_helper.from_array(value.astype(np.float16), f"{each.name}_half")
            )
            halved.append(
                onnx.helper.make_node(
                    "Cast", [f"{each.name}_half"], [each.name], to=onnx.TensorProto.FLOAT
                )
            )
    for each in reversed(halved):
        graph.graph.node.insert(0, each)
    onnx.checker.check_model(graph)
    onnx.save(graph, str(folder / "model.onnx"))
    config = {
        "model_type": "time-extractor",
        "hidden_size": WIDTH,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": ATTENTION,
        "max_position_embeddings": POSITIONS,
        "vocab_size": len(vocab),
        "pad_token_id": 0,
        "heads": heads,
    }
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": at,
                "content": word,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for at, word in enumerate(SPECIAL)
        ],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {
            "type": "WordPiece",
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": {word: at for at, word in enumerate(vocab)},
        },
    }
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False) + "\n")
    print(
        f"{folder}: {sum(f.stat().st_size for f in folder.iterdir()) / 1e6:.2f} MB, "
        f"step {kept['step']}, {kept['spent']:.0f} s"
    )


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("data", type=Path)
    options.add_argument("folder", type=Path)
    options.add_argument("--minutes", type=float, default=25)
    options.add_argument("--resume", action="store_true")
    options.add_argument("--batch", type=int, default=128)
    options.add_argument("--rate", type=float, default=2e-3)
    options.add_argument("--export-only", action="store_true")
    given = options.parse_args()
    torch.set_num_threads(1)
    if not given.export_only:
        train(given.data, given.minutes, given.resume, given.batch, given.rate)
    export(given.data, given.folder)
