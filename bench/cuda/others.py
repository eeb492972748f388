# What the same device does in others' hands: python3 bench/cuda/others.py ROWS DIMENSIONS, for the batches and k of bench/cuda/search.cpp.
# PyTorch's matmul with topk in f16 and f32 and its int8 product (torch._int_mm) with topk, FAISS's flat index; and ceilings that PyTorch
# reaches in this very run: bytes a second of a copy within the device, operations a second of large square products. Prints lines of JSON.
# Rows are random; who cannot be imported, or has no room, says so.
import json
import statistics
import sys
import time

rows, dimensions = (int(value) for value in sys.argv[1:3])
shapes = [(1, 10), (8, 10), (64, 10), (256, 10), (1000, 10), (256, 100)]
chunk = 1 << 20


def tell(**line):
    print(json.dumps(line), flush=True)


def seconds_of(work):
    work()
    seconds = []
    for _ in range(7):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def ceilings(torch):
    source = torch.empty(1 << 31, device="cuda", dtype=torch.uint8)
    target = torch.empty_like(source)

    def timed(work):
        def run():
            for _ in range(8):
                work()
            torch.cuda.synchronize()

        return seconds_of(run) / 8

    tell(ceiling="memory", rate=2 * source.numel() / timed(lambda: target.copy_(source)))
    del source, target
    size = 8192
    for name, kind in (("bf16", torch.bfloat16), ("f32", torch.float32)):
        a, b = (torch.rand(size, size, device="cuda", dtype=kind) for _ in range(2))
        tell(ceiling=name, rate=2 * size**3 / timed(lambda: a @ b))
    a, b = (
        torch.randint(-127, 127, (size, size), device="cuda", dtype=torch.int8) for _ in range(2)
    )
    tell(ceiling="int8", rate=2 * size**3 / timed(lambda: torch._int_mm(a, b.T)))


def searches(torch, name, kind, multiply):
    if kind == torch.int8:
        vectors = torch.randint(-127, 127, (rows, dimensions), device="cuda", dtype=kind)
    else:
        vectors = torch.rand(rows, dimensions, device="cuda", dtype=kind) - 0.5
    for queries, k in shapes:
        asked = vectors[:queries] * 1

        def search():
            best, place = [], []
            for first in range(0, rows, chunk):
                scores, found = torch.topk(multiply(asked, vectors[first : first + chunk].T), k)
                best.append(scores)
                place.append(found + first)
            final, at = torch.topk(torch.cat(best, 1), k)
            torch.cat(place, 1).gather(1, at)
            torch.cuda.synchronize()

        try:
            tell(name=name, queries=queries, k=k, seconds=seconds_of(search))
        except Exception as error:
            tell(name=name, queries=queries, k=k, reason=str(error).strip().split("\n")[0])


try:
    import torch

    if not torch.cuda.is_available():
        raise ImportError("PyTorch finds no device")
    ceilings(torch)
    kinds = (
        ("f16 matmul", torch.float16, torch.matmul),
        ("f32 matmul", torch.float32, torch.matmul),
        ("int8 _int_mm", torch.int8, torch._int_mm),
    )
    for name, kind, multiply in kinds:
        searches(torch, f"PyTorch {name} + topk", kind, multiply)
        torch.cuda.empty_cache()
except Exception as error:
    tell(name="PyTorch", reason=str(error).strip().split("\n")[0])
try:
    import faiss
    import numpy

    index = faiss.GpuIndexFlatIP(faiss.StandardGpuResources(), dimensions)
    random = numpy.random.default_rng(1)
    for first in range(0, rows, chunk):
        index.add(random.random((min(chunk, rows - first), dimensions), dtype=numpy.float32) - 0.5)
    for queries, k in shapes:
        asked = random.random((queries, dimensions), dtype=numpy.float32) - 0.5
        tell(
            name="FAISS GpuIndexFlatIP f32",
            queries=queries,
            k=k,
            seconds=seconds_of(lambda: index.search(asked, k)),
        )
except Exception as error:
    tell(name="FAISS GPU", reason=str(error).strip().split("\n")[0])
