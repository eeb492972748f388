# Exact searches of others on the same device: PyTorch's matmul with topk, in f16 and f32, and FAISS's flat index. Prints a line of JSON for each that
# can be imported, with the median seconds of a search: python3 bench/cuda/others.py ROWS DIMENSIONS QUERIES K. Rows are random.
import json
import statistics
import sys
import time

rows, dimensions, queries, k = (int(value) for value in sys.argv[1:5])


def tell(name, search):
    search()
    seconds = []
    for _ in range(9):
        began = time.perf_counter()
        search()
        seconds.append(time.perf_counter() - began)
    print(json.dumps({"name": name, "seconds": statistics.median(seconds)}), flush=True)


try:
    import torch
    if not torch.cuda.is_available():
        raise ImportError("PyTorch finds no device")
    for kind in (torch.float16, torch.float32):
        vectors = torch.rand(rows, dimensions, device="cuda", dtype=kind) - 0.5
        asked = torch.rand(queries, dimensions, device="cuda", dtype=kind) - 0.5

        def search():
            best, place = None, None
            for first in range(0, rows, 1 << 20):
                scores, found = torch.topk(asked @ vectors[first:first + (1 << 20)].T, k)
                best = scores if best is None else torch.cat((best, scores), 1)
                place = found + first if place is None else torch.cat((place, found + first), 1)
            torch.topk(best, k)
            torch.cuda.synchronize()

        tell(f"PyTorch {torch.__version__} matmul + topk, {kind}", search)
        del vectors, asked
except Exception as error:
    print(json.dumps({"name": "PyTorch", "reason": str(error)}))
try:
    import faiss
    import numpy
    index = faiss.GpuIndexFlatIP(faiss.StandardGpuResources(), dimensions)
    random = numpy.random.default_rng(1)
    for first in range(0, rows, 1 << 20):
        index.add(random.random((min(1 << 20, rows - first), dimensions), dtype=numpy.float32) - 0.5)
    asked = random.random((queries, dimensions), dtype=numpy.float32) - 0.5
    tell(f"FAISS {faiss.__version__} GpuIndexFlatIP, f32", lambda: index.search(asked, k))
except Exception as error:
    print(json.dumps({"name": "FAISS GPU", "reason": str(error)}))
