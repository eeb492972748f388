#!/usr/bin/env python3
"""The peers of metricsSpeed.ts: pytrec_eval and ranx, where they are installed, over the same generated run and judgements.

usage: metrics_peer.py QUERIES RESULTS
Prints a JSON line each: name, seconds and processor (the best of three by processor time, ordering and measuring only) and means by our
names of the measures. Each lets go of what it held before the next begins."""

import json
import sys
import time

queries, results = int(sys.argv[1]), int(sys.argv[2])


def document(query, rank):
    return f"d{(query * 7919 + rank * 104729) % 1000003}"


def judged(query, at):
    return (query * 31 + at * 97) % (results + 200) + 1


ranks = [at * 7919 % results + 1 for at in range(results)]
run = {f"q{q}": {document(q, r): float(results - r + 1) for r in ranks} for q in range(queries)}
qrels = {
    f"q{q}": {document(q, judged(q, a)): (1 + a % 3 if a % 2 == 0 else 0) for a in range(20)}
    for q in range(queries)
}


def best(work):
    times = []
    for _ in range(3):
        started, used = time.perf_counter(), time.process_time()
        value = work()
        times.append((time.process_time() - used, time.perf_counter() - started))
    processor, seconds = min(times)
    return {"seconds": seconds, "processor": processor}, value


names = {
    "map": "map",
    "recip_rank": "mrr",
    "ndcg": "ndcg",
    "ndcg_cut_10": "ndcg@10",
    "ndcg_cut_100": "ndcg@100",
    "P_10": "precision@10",
    "recall_10": "recall@10",
    "recall_100": "recall@100",
    "recall_1000": "recall@1000",
    "success_1": "hit@1",
    "success_10": "hit@10",
    "Rprec": "rprec",
    "bpref": "bpref",
}
try:
    import pytrec_eval

    wanted = {
        "map",
        "recip_rank",
        "ndcg",
        "ndcg_cut.10,100",
        "P.10",
        "recall.10,100,1000",
        "success.1,10",
        "Rprec",
        "bpref",
    }
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, wanted)
    timing, scores = best(lambda: evaluator.evaluate(run))
    means = {
        ours: sum(each[theirs] for each in scores.values()) / len(scores)
        for theirs, ours in names.items()
    }
    print(json.dumps({"name": "pytrec_eval, one thread", **timing, "means": means}), flush=True)
    del scores, evaluator
except ImportError:
    print(json.dumps({"name": "pytrec_eval"}))
try:
    from ranx import Qrels, Run, evaluate

    # Its nDCG has the grade as gain, as ours; it has no bpref that agrees with trec_eval's, so it is excluded.
    theirs = {
        "map": "map",
        "mrr": "mrr",
        "ndcg": "ndcg",
        "ndcg@10": "ndcg@10",
        "ndcg@100": "ndcg@100",
        "precision@10": "precision@10",
        "recall@10": "recall@10",
        "recall@100": "recall@100",
        "recall@1000": "recall@1000",
        "hit_rate@1": "hit@1",
        "hit_rate@10": "hit@10",
        "r-precision": "rprec",
    }
    # What it holds orders itself as it is made, so its making counts; also measured without, which no run read from a file is.
    held = Qrels(qrels), Run(run)
    evaluate(*held, list(theirs), make_comparable=False)  # compiles what the next calls run
    timing, scores = best(
        lambda: evaluate(Qrels(qrels), Run(run), list(theirs), make_comparable=False)
    )
    means = {ours: float(scores[each]) for each, ours in theirs.items()}
    print(
        json.dumps(
            {"name": "ranx, 12 measures, all cores, from dictionaries", **timing, "means": means}
        ),
        flush=True,
    )
    timing, scores = best(lambda: evaluate(*held, list(theirs), make_comparable=False))
    print(
        json.dumps(
            {
                "name": "ranx, 12 measures, all cores, measuring what it holds ordered",
                **timing,
                "means": means,
            }
        )
    )
except ImportError:
    print(json.dumps({"name": "ranx"}))
