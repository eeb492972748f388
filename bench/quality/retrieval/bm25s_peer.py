#!/usr/bin/env python3
"""The peer of bm25.ts and lexical.bench.ts: bm25s (method lucene) over token lists that are given, so that only scoring differs.

usage: bm25s_peer.py IN.json OUT.json     IN {"rows": [[token]], "queries": [[token]], "k1", "b", "k", "all": bool, "rounds"}
OUT {"version", "index_s", "query_s": [seconds of a round over all queries, one thread], "top": [[[row, score]]], "scores": [[score]] if all}
"""

import json
import sys
import time

import bm25s
import numpy as np

given = json.load(open(sys.argv[1], encoding="utf-8"))
started = time.perf_counter()
model = bm25s.BM25(
    k1=given["k1"],
    b=given["b"],
    method="lucene",
    **({"backend": given["backend"]} if given.get("backend") else {}),
)
model.index(given["rows"], show_progress=False)
out = {"version": bm25s.__version__, "index_s": time.perf_counter() - started, "query_s": []}
known = set(model.vocab_dict)
queries = [[token for token in query if token in known] for query in given["queries"]]
k = min(given["k"], len(given["rows"]))
for round_number in range(given.get("rounds", 1) + 1):
    started = time.perf_counter()
    rows, scores = model.retrieve(queries, k=k, show_progress=False, n_threads=0)
    if round_number > 0:  # the first is warm-up
        out["query_s"].append(time.perf_counter() - started)
out["top"] = [
    [[int(r), float(s)] for r, s in zip(rs, ss, strict=False)]
    for rs, ss in zip(rows, scores, strict=False)
]
if given.get("all"):
    out["scores"] = [
        np.asarray(model.get_scores(query), dtype=float).tolist()
        if query
        else [0.0] * len(given["rows"])
        for query in queries
    ]
json.dump(out, open(sys.argv[2], "w", encoding="utf-8"))
