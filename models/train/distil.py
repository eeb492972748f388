"""Distillation of the static encoder: token vectors whose weighted mean approximates the teacher's
sentence vector.

usage: distil.py CORPUS.jsonl TARGETS OUT.npz [--dimensions 256] [--epochs 8] ...
Initialised like model2vec (every wordpiece through the teacher, projected to the leading directions
of the teacher's vectors, weighted by a / (a + p)), then trained by gradient descent on two losses:
one minus the cosine to the teacher's vector, and the cross entropy between the teacher's and the
student's similarities within batches of similar texts. NumPy and SciPy only.
"""

import argparse
import glob
import json
import os

import numpy as np
import scipy.sparse as sp
from teacher import Teacher, folder
from tokenizers import Tokenizer


def bags(tokenizer, texts, limit=126):
    """Token counts of texts as a CSR matrix, without [CLS], [SEP] and [UNK]."""
    indptr, indices = [0], []
    for at in range(0, len(texts), 20000):
        for e in tokenizer.encode_batch(texts[at : at + 20000], add_special_tokens=False):
            indices.append(np.array([i for i in e.ids[:limit] if i != 100], np.int32))
            indptr.append(indptr[-1] + len(indices[-1]))
    x = sp.csr_matrix(
        (np.ones(indptr[-1], np.float32), np.concatenate(indices), np.array(indptr)),
        shape=(len(texts), tokenizer.get_vocab_size()),
    )
    x.sum_duplicates()
    return x


def unit(v):
    return v / np.maximum(np.linalg.norm(v, axis=1, keepdims=True), 1e-12)


def token_vectors(path="teacher.onnx"):
    if not os.path.exists("tokens.npy"):
        t = Teacher(path, threads=2)
        n = t.tokenizer.get_vocab_size()
        np.save("tokens.npy", t.encode_ids([[101, i, 102] for i in range(n)], 512))
    return np.load("tokens.npy")


def softmax(a):
    a = a - a.max(1, keepdims=True)
    np.exp(a, out=a)
    a /= a.sum(1, keepdims=True)
    return a


class Adam:
    """Adam restricted to the rows of a batch, each with its own step count, so that the first
    steps of a rare token are not inflated.
    """

    def __init__(self, shape, rate):
        self.m = np.zeros(shape, np.float32)
        self.v = np.zeros(shape, np.float32)
        self.t = np.zeros((shape[0], 1), np.float32)
        self.rate = rate

    def step(self, table, rows, g, rate):
        self.t[rows] += 1
        t = self.t[rows]
        self.m[rows] = m = 0.9 * self.m[rows] + 0.1 * g
        self.v[rows] = v = 0.99 * self.v[rows] + 0.01 * g * g
        table[rows] -= rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.99**t)) + 1e-8)


def train(table, x, y, groups, epochs, rate, weight, temperature, batch, seed=1, hook=None):
    rng = np.random.default_rng(seed)
    scale = float(np.linalg.norm(table, axis=1).mean())
    adam = Adam(table.shape, rate)
    order = np.argsort(groups, kind="stable")
    steps = epochs * (len(y) // batch)
    n = 0
    for epoch in range(epochs):
        # Batches consist of runs of 64 texts of one group, so that they contain similar texts.
        jitter = order[np.lexsort((rng.random(len(order)), groups[order]))]
        runs = [jitter[i : i + 64] for i in range(0, len(jitter), 64)]
        rng.shuffle(runs)
        flat = np.concatenate(runs)
        loss = np.zeros(2)
        for b in range(0, len(flat) - batch + 1, batch):
            rows = flat[b : b + batch]
            xb = x[rows]
            used, inverse = np.unique(xb.indices, return_inverse=True)
            xb = sp.csr_matrix(
                (xb.data, inverse.astype(np.int32), xb.indptr), shape=(batch, len(used))
            )
            u = xb @ table[used]
            norm = np.maximum(np.linalg.norm(u, axis=1, keepdims=True), 1e-6)
            s = u / norm
            t = y[rows].astype(np.float32)
            ds = -t / batch
            loss[0] += 1 - (s * t).sum(1).mean()
            if weight:
                a, c = s @ s.T / temperature, t @ t.T / temperature
                np.fill_diagonal(a, -1e4)
                np.fill_diagonal(c, -1e4)
                pa, pc = softmax(a), softmax(c)
                loss[1] += (pc * np.log((pc + 1e-9) / (pa + 1e-9))).sum(1).mean()
                da = (pa - pc) * (weight / batch / temperature)
                ds = ds + da @ s + da.T @ s
            du = (ds - s * (ds * s).sum(1, keepdims=True)) / norm
            g = xb.T @ du
            adam.step(table, used, g, rate * scale * (1 - n / steps))
            n += 1
        if hook:
            hook(epoch, loss / (len(flat) // batch))
    return table


def forward(table, x, rows):
    """Unit vectors of some texts, with the intermediate values of their gradient."""
    xb = x[rows]
    used, inverse = np.unique(xb.indices, return_inverse=True)
    xb = sp.csr_matrix((xb.data, inverse.astype(np.int32), xb.indptr), shape=(len(rows), len(used)))
    u = xb @ table[used]
    norm = np.maximum(np.linalg.norm(u, axis=1, keepdims=True), 1e-6)
    return u / norm, (xb, used, norm)


def backward(s, ds, kept):
    xb, used, norm = kept
    return used, xb.T @ ((ds - s * (ds * s).sum(1, keepdims=True)) / norm)


def contrast(table, pairs, x, y, steps, rate, keep, temperature, batch, hook=None, seed=5):
    """Contrastive loss that brings each query nearest to its own passage in the batch, while
    `keep` holds texts at the teacher's vectors.
    """
    rng = np.random.default_rng(seed)
    scale = float(np.linalg.norm(table, axis=1).mean())
    adam = Adam(table.shape, rate)
    total, hits = 0, 0
    for n in range(steps):
        rows = rng.integers(0, pairs[0].shape[0], batch)
        q, kq = forward(table, pairs[0], rows)
        p, kp = forward(table, pairs[1], rows)
        a = q @ p.T / temperature
        hits += (a.argmax(1) == np.arange(batch)).mean()
        da = (softmax(a) + softmax(a.T.copy()).T - 2 * np.eye(batch, dtype=np.float32)) / (
            2 * batch * temperature
        )
        some = rng.integers(0, x.shape[0], batch)
        s, ks = forward(table, x, some)
        t = y[some].astype(np.float32)
        total += (s * t).sum(1).mean()
        g = np.zeros_like(table)
        for vectors, gradient, kept in (
            (q, da @ p, kq),
            (p, da.T @ q, kp),
            (s, -keep * t / batch, ks),
        ):
            used, part = backward(vectors, gradient.astype(np.float32), kept)
            g[used] += part
        touched = np.flatnonzero(np.any(g, axis=1))
        adam.step(table, touched, g[touched], rate * scale * (1 - n / steps))
        if hook and n % 200 == 199:
            hook(n + 1, (total / 200, hits / 200))
            total = hits = 0
    return table


def clusters(y, k, rounds=6):
    rng = np.random.default_rng(3)
    c = y[rng.choice(len(y), k, False)].astype(np.float32)
    for _ in range(rounds):
        a = np.concatenate(
            [(y[i : i + 8192].astype(np.float32) @ c.T).argmax(1) for i in range(0, len(y), 8192)]
        )
        c = unit(
            np.asarray(
                sp.csr_matrix(
                    (np.ones(len(y), np.float32), (a, np.arange(len(y)))), shape=(k, len(y))
                )
                @ y.astype(np.float32)
            )
            + 1e-6
        )
    return a


def quantise(table):
    """int8 rows and a scale per row."""
    scale = np.abs(table).max(1) / 127
    scale[scale == 0] = 1e-12
    return np.clip(np.rint(table / scale[:, None]), -127, 127).astype(np.int8), scale.astype(
        np.float32
    )


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("corpus")
    p.add_argument("targets")
    p.add_argument("out")
    for name, kind, default in (
        ("dimensions", int, 256),
        ("epochs", int, 8),
        ("rate", float, 0.02),
        ("weight", float, 0.2),
        ("temperature", float, 0.05),
        ("batch", int, 1024),
        ("sif", float, 1e-3),
        ("clusters", int, 400),
        ("saturation", float, 1.0),
        ("limit", int, 10**9),
        ("steps", int, 0),
        ("keep", float, 10.0),
        ("contrast_rate", float, 0.01),
        ("contrast_batch", int, 512),
        ("blend", float, 0.0),
    ):
        p.add_argument("--" + name, type=kind, default=default)
    p.add_argument("--pairs", default=None)
    p.add_argument("--start", default=None)
    return p.parse_args()


def main():
    a = arguments()
    y = np.concatenate([np.load(f) for f in sorted(glob.glob(a.targets + "/*.npy"))])[: a.limit]
    texts = [
        json.loads(l)["text"]
        for l, _ in zip(open(a.corpus, encoding="utf-8"), range(len(y)), strict=False)
    ]
    tokenizer = Tokenizer.from_file(os.path.join(folder(), "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    cache = f"{a.targets}/../bags-{len(y)}.npz"
    if not os.path.exists(cache):
        sp.save_npz(cache, bags(tokenizer, texts))
    x = sp.load_npz(cache)
    p = np.asarray(x.sum(0)).ravel()
    p = (p + 1) / (p.sum() + len(p))
    x.data **= a.saturation
    keep = np.asarray(x.sum(1)).ravel() > 0
    x, y = x[keep], y[keep]
    held = min(8000, len(y) // 10)
    sample = y[:60000].astype(np.float32)
    _, _, vt = np.linalg.svd(sample.T @ sample)
    basis = vt[: a.dimensions].T.astype(np.float32)
    y = unit(
        np.concatenate(
            [y[i : i + 32768].astype(np.float32) @ basis for i in range(0, len(y), 32768)]
        )
    ).astype(np.float16)
    table = (token_vectors() @ basis) * (a.sif / (a.sif + p))[:, None]
    table = (table / np.linalg.norm(table, axis=1).mean()).astype(np.float32)
    yh = y[:held].astype(np.float32)

    def report(epoch, loss):
        s = unit(x[:held] @ table)
        print(
            f"epoch {epoch} loss {loss[0]:.4f} {loss[1]:.4f} "
            f"held-out cosine {(s * yh).sum(1).mean():.4f}",
            flush=True,
        )

    initial = table.copy()
    if a.start:
        table = np.load(a.start)["table"]
    report(-1, [0, 0])
    if a.epochs:
        train(
            table,
            x[held:],
            y[held:],
            clusters(y[held:], a.clusters),
            a.epochs,
            a.rate,
            a.weight,
            a.temperature,
            a.batch,
            hook=report,
        )
    if a.pairs and a.steps:
        both = [json.loads(l) for l in open(a.pairs, encoding="utf-8")]
        cache = a.pairs + ".bags"
        if not os.path.exists(cache + ".q.npz"):
            for k in ("query", "passage"):
                sp.save_npz(f"{cache}.{k[0]}.npz", bags(tokenizer, [b[k] for b in both]))
        q, pp = (sp.load_npz(f"{cache}.{k}.npz") for k in "qp")
        q.data **= a.saturation
        pp.data **= a.saturation
        full = (np.diff(q.indptr) > 0) & (np.diff(pp.indptr) > 0)
        contrast(
            table,
            (q[full], pp[full]),
            x[held:],
            y[held:],
            a.steps,
            a.contrast_rate,
            a.keep,
            a.temperature,
            a.contrast_batch,
            hook=report,
        )
    # Blend in part of the initial table: training erodes single words, above all names, which
    # retrieval needs.
    table = table + np.float32(a.blend) * initial
    report(0, [0, 0])
    np.savez(a.out, table=table, basis=basis, p=p)


if __name__ == "__main__":
    main()
