# The adapter's training by PyTorch on the CPU, the same steps over the same numbers: what bench/kernels/training.bench.ts compares
# with. It refuses nothing; without PyTorch it does the same in NumPy, and says which it used.
# usage: training_peer.py FOLDER THREADS     reads plan.json and the arrays next to it, writes parameters.f32, prints JSON
import json
import sys
import time
from pathlib import Path

import numpy as np

folder, threads = Path(sys.argv[1]), int(sys.argv[2])
plan = json.loads((folder / "plan.json").read_text())
d, r = plan["dimensions"], plan["rank"]


def read(name, kind):
    return np.fromfile(folder / name, dtype=kind)


rows = read("rows.f32", "<f4").reshape(-1, d)
triplets = read("triplets.u32", "<u4").reshape(3, -1).astype(np.int64)
margin = read("margin.f32", "<f4")
order = read("order.u32", "<u4").reshape(plan["steps"], plan["batch"]).astype(np.int64)
start = read("initial.f32", "<f4").reshape(2, r, d)


def rate(step):
    if step < plan["warmup"]:
        return plan["rate"] * (step + 1) / plan["warmup"]
    return plan["rate"] * (plan["steps"] - step) / (plan["steps"] - plan["warmup"])


def by_torch(torch):
    torch.set_num_threads(threads)
    a, b = (torch.tensor(part, requires_grad=True) for part in start)
    x = torch.from_numpy(rows)
    q, p, n = (torch.from_numpy(each) for each in triplets)
    m, batches = torch.from_numpy(margin), torch.from_numpy(order)
    optimiser = torch.optim.AdamW([a, b], lr=plan["rate"], weight_decay=plan["decay"])

    def unit(v):
        return torch.nn.functional.normalize(v + (v @ a.T) @ b, dim=1)

    begun = time.perf_counter()
    for step in range(plan["steps"]):
        batch = batches[step]
        for group in optimiser.param_groups:
            group["lr"] = rate(step)
        u, v, w = unit(x[q[batch]]), unit(x[p[batch]]), unit(x[n[batch]])
        loss = torch.clamp(m[batch] - ((u * v).sum(1) - (u * w).sum(1)), min=0).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    seconds = time.perf_counter() - begun
    return (
        seconds,
        np.stack([a.detach().numpy(), b.detach().numpy()]),
        f"PyTorch {torch.__version__}",
    )


def by_numpy():
    weights, first, second = start.copy(), np.zeros_like(start), np.zeros_like(start)
    begun = time.perf_counter()
    for step in range(plan["steps"]):
        a, b = weights
        batch = order[step]
        x = np.concatenate([rows[each[batch]] for each in triplets])
        h = x @ a.T
        y = x + h @ b
        norm = np.linalg.norm(y, axis=1, keepdims=True)
        unit = y / norm
        u, v, w = np.split(unit, 3)
        active = (margin[batch] - ((u * v).sum(1) - (u * w).sum(1)) > 0)[:, None] / np.float32(
            len(batch)
        )
        du = np.concatenate([active * (w - v), -active * u, active * u])
        dy = (du - (du * unit).sum(1, keepdims=True) * unit) / norm
        gradient = np.stack([(dy @ b.T).T @ x, h.T @ dy]).astype(np.float32)
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        t = step + 1
        moved = first / (1 - 0.9**t) / (np.sqrt(second / (1 - 0.999**t)) + 1e-8)
        weights = (weights - rate(step) * (moved + plan["decay"] * weights)).astype(np.float32)
    return time.perf_counter() - begun, weights, f"NumPy {np.__version__}"


try:
    import torch

    seconds, weights, used = by_torch(torch)
except ImportError:
    seconds, weights, used = by_numpy()
weights.astype("<f4").tofile(folder / "parameters.f32")
print(json.dumps({"seconds": seconds, "used": used}))
