"""nDCG@10 of trained tables, alone and combined with BM25, on Cranfield, Nobel and TimeQA easy, for
candidate weights.

usage: score.py EVAL_FOLDER CRANFIELD_FOLDER CACHE_FOLDER MODEL.npz[:SATURATION:RARITY:DIGITS] ...
Uses the cache of evaluate.py. "undated" is TimeQA easy without the numbers of its questions, as
queried by systems that handle the time by a mask or a spline.
"""

import os
import sys

import numpy as np
import scipy.sparse as sp
from distil import bags, unit
from evaluate import added, load, ndcg
from teacher import folder
from tokenizers import Tokenizer


def main():
    sets = load(*sys.argv[1:3])
    tokenizer = Tokenizer.from_file(os.path.join(folder(), "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    counts = {
        n: (bags(tokenizer, s["queries"], 10**6), bags(tokenizer, s["passages"], 10**6))
        for n, s in sets.items()
    }
    lexical = {n: np.load(f"{sys.argv[3]}/{n}-bm25.npy") for n in sets}
    tokens = sorted(tokenizer.get_vocab(), key=tokenizer.get_vocab().get)
    number = np.array([t.removeprefix("##").isdigit() for t in tokens])
    for argument in sys.argv[4:]:
        path, *weights = argument.split(":")
        saturation, rarity, digits = (float(v) for v in weights or ("0.75", "0.1", "1.5"))
        z = np.load(path)
        table = z["table"] * (z["p"] ** -rarity * np.where(number, digits, 1))[:, None]

        def vectors(x):
            return unit(
                sp.csr_matrix((x.data**saturation, x.indices, x.indptr), shape=x.shape) @ table
            )

        cells, alone, sums = [], [], []
        for name, s in sets.items():
            scores = vectors(counts[name][0]) @ vectors(counts[name][1]).T
            alone.append(ndcg(scores, s["rel"]))
            sums.append(ndcg(added(scores, lexical[name]), s["rel"]))
            cells.append(f"{name} {alone[-1]:.3f} sum {sums[-1]:.3f}")
        undated = counts["timeqa-easy"][0].copy()
        undated.data *= ~number[undated.indices]
        scores = vectors(undated) @ vectors(counts["timeqa-easy"][1]).T
        cells.append(f"undated {ndcg(scores, sets['timeqa-easy']['rel']):.3f}")
        print(
            f"{argument:32}",
            "  ".join(cells),
            f" mean {np.mean(alone):.3f} sum {np.mean(sums):.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
