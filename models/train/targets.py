"""The teacher's vectors of the corpus, in resumable shards. Any prefix of the corpus is a fair
sample.

usage: targets.py CORPUS.jsonl FOLDER [teacher-int8.onnx] [limit]
"""

import json
import os
import sys
import time

import numpy as np
from teacher import Teacher

corpus, folder = sys.argv[1:3]
path = sys.argv[3] if len(sys.argv) > 3 else "teacher-int8.onnx"
limit = int(sys.argv[4]) if len(sys.argv) > 4 else 10**9
texts = [json.loads(l)["text"] for l in open(corpus, encoding="utf-8")][:limit]
os.makedirs(folder, exist_ok=True)
teacher = Teacher(path, length=128)
started = time.time()
size = 8192
for at in range(0, len(texts), size):
    out = f"{folder}/{at:07d}.npy"
    if os.path.exists(out):
        continue
    ids = [e.ids for e in teacher.tokenizer.encode_batch(texts[at : at + size])]
    np.save(out, teacher.encode_ids(ids, 48).astype(np.float16))
    print(
        f"{at + len(ids)} of {len(texts)} texts, {sum(map(len, ids))} tokens, "
        f"{time.time() - started:.0f} s",
        flush=True,
    )
