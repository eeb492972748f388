"""nDCG@10 of the teacher, of a static model and of BM25 on Cranfield, Nobel and TimeQA easy, cached
per set.

usage: evaluate.py EVAL_FOLDER CRANFIELD_FOLDER CACHE_FOLDER teacher
make_eval_sets.py creates the sets, which are never used for training.
"""

import json
import os
import sys

import numpy as np


def lines(path):
    return [json.loads(l) for l in open(path, encoding="utf-8")]


def joined(p):
    return (p["title"] + ". " if p.get("title") else "") + p["text"]


def load(evals, cranfield):
    sets = {}
    for name, folder, p, q in (
        ("cranfield", cranfield, "corpus.jsonl", "queries.jsonl"),
        ("nobel", evals + "/nobel", "passages.jsonl", "queries.jsonl"),
        ("timeqa-easy", evals + "/timeqa", "passages.jsonl", "queries-easy.jsonl"),
    ):
        passages, queries = lines(f"{folder}/{p}"), lines(f"{folder}/{q}")
        at = {x["id"]: i for i, x in enumerate(passages)}
        row = {x["id"]: i for i, x in enumerate(queries)}
        rel = [set() for _ in queries]
        for l in open(f"{folder}/qrels.tsv"):
            a, _, b, r = l.split()
            if a in row and b in at and (1 <= int(r) <= 4 if name == "cranfield" else int(r) > 0):
                rel[row[a]].add(at[b])
        keep = [i for i in range(len(queries)) if rel[i]]
        sets[name] = dict(
            passages=[joined(x) for x in passages],
            queries=[queries[i]["text"] for i in keep],
            rel=[rel[i] for i in keep],
            ids=[x["id"] for x in passages],
        )
    return sets


def ndcg(scores, rel, k=10):
    """Binary gains; ties by passage order."""
    gain = 1 / np.log2(np.arange(2, k + 2))
    out = []
    for s, r in zip(scores, rel, strict=False):
        some = np.flatnonzero(s >= np.partition(s, -k)[-k])
        top = some[np.argsort(-s[some], kind="stable")[:k]]
        out.append(sum(gain[i] for i, d in enumerate(top) if d in r) / gain[: min(len(r), k)].sum())
    return float(np.mean(out))


def bm25(s):
    import bm25s
    import Stemmer

    st = Stemmer.Stemmer("porter")

    def tok(t):
        return bm25s.tokenize(t, stopwords=None, stemmer=st, show_progress=False)

    r = bm25s.BM25(k1=0.9, b=0.4, method="lucene")
    r.index(tok(s["passages"]), show_progress=False)
    q = bm25s.tokenize(
        s["queries"], stopwords=None, stemmer=st, show_progress=False, return_ids=False
    )
    return np.stack([r.get_scores(x) for x in q])


def added(a, b):
    """Sum of both scores, each normalised to [0, 1] per query over all passages."""

    def n(x):
        return (x - x.min(1, keepdims=True)) / (np.ptp(x, 1)[:, None] + 1e-9)

    return n(a) + n(b)


def fused(a, b):
    """The normalised sum, and reciprocal rank fusion (60) over both top 100."""

    def rr(x):
        out = np.zeros_like(x)
        top = np.argsort(-x, 1, kind="stable")[:, :100]
        np.put_along_axis(out, top, np.broadcast_to(1 / (60 + 1 + np.arange(100.0)), top.shape), 1)
        return out

    return added(a, b), rr(a) + rr(b)


def cached(path, make):
    if not os.path.exists(path):
        np.save(path, make())
    return np.load(path)


def main():
    evals, cranfield, cache, what = sys.argv[1:5]
    os.makedirs(cache, exist_ok=True)
    sets = load(evals, cranfield)
    for name, s in sets.items():
        b = cached(f"{cache}/{name}-bm25.npy", lambda: bm25(s).astype(np.float32))
        from teacher import Teacher

        t = Teacher(os.environ.get("TEACHER", "teacher.onnx"))
        p = cached(f"{cache}/{name}-passages.npy", lambda: t.encode(s["passages"]))
        q = cached(f"{cache}/{name}-queries.npy", lambda: t.encode(s["queries"]))
        d = q @ p.T
        f, r = fused(d, b)
        print(
            f"{name:12} teacher {ndcg(d, s['rel']):.4f}  bm25 {ndcg(b, s['rel']):.4f}  "
            f"sum {ndcg(f, s['rel']):.4f}  rrf {ndcg(r, s['rel']):.4f}  ({len(q)} queries)",
            flush=True,
        )


if __name__ == "__main__":
    main()
