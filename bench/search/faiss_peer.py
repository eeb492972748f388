# FAISS's IndexFlatIP as a contender of bench/search/peers.ts: answers requests, a line of JSON each. What it runs on (which OpenBLAS
# kernel, which sgemm) is the environment's, set by bench/search/peer.ts; it sets only the given threshold itself.
# usage: faiss_peer.py THRESHOLD      0 leaves the library's threshold for BLAS as it is
import ctypes
import json
import os
import sys
import time

import faiss
import numpy as np

faiss.cvar.distance_compute_blas_threshold = (
    int(sys.argv[1]) or faiss.cvar.distance_compute_blas_threshold
)
index, queries = None, None


def blas():
    mapped = {line.split("/")[-1].strip() for line in open("/proc/self/maps") if "/" in line}
    if any(name.startswith("libmkl_rt") for name in mapped):
        return "MKL"
    for line in open("/proc/self/maps"):
        if "openblas" in line and "faiss" in line:
            library = ctypes.CDLL(line.split(maxsplit=5)[5].strip())
            library.openblas_get_corename.restype = ctypes.c_char_p
            return "OpenBLAS " + library.openblas_get_corename().decode()
    return "unknown BLAS"


def opened(data):
    global index, queries
    rows = np.memmap(data["rowFile"], dtype="<f4", mode="r").reshape(-1, data["dimensions"])
    queries = np.fromfile(data["queryFile"], dtype="<f4").reshape(-1, data["dimensions"])
    index = faiss.IndexFlatIP(data["dimensions"])
    for first in range(0, len(rows), 65536):
        index.add(np.ascontiguousarray(rows[first : first + 65536]))
    used = f"{blas()}, SIMD {faiss.get_compile_options().split('DD')[-1].strip() or 'as compiled'}"
    used += ", threads that do not spin" if os.environ.get("OMP_WAIT_POLICY") == "passive" else ""
    return {
        "version": f"{faiss.__version__}, {used}, BLAS from a batch of {faiss.cvar.distance_compute_blas_threshold} numbers",
        "batches": True,
    }


def set_threads(threads):
    faiss.omp_set_num_threads(threads)
    if blas() == "MKL":  # it counts its own, by another OpenMP than the wheel's
        ctypes.CDLL("libmkl_rt.so.3").MKL_Set_Num_Threads(threads)


def searched(first, batch, calls, k, threads, results):
    set_threads(threads)
    wall, used = time.perf_counter(), time.process_time()
    for call in range(calls):
        at = (first + call * batch) % (len(queries) - batch + 1)
        scores, rows = index.search(queries[at : at + batch], k)
    answer = {
        "wall": (time.perf_counter() - wall) * 1000 / calls,
        "cpu": (time.process_time() - used) * 1000 / calls,
    }
    if results:
        answer["found"] = [
            {"rows": r, "scores": s} for r, s in zip(rows.tolist(), scores.tolist(), strict=False)
        ]
    return answer


for line in sys.stdin:
    request = json.loads(line)
    answer = opened(request["open"]) if "open" in request else searched(**request["search"])
    print(json.dumps(answer), flush=True)
