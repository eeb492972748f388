"""Reference vectors for the ONNX encoder's proof: transformers' own model, f32, one text at a time (no padding at all), masked mean, length 1.

  python reference.py MODEL_DIR TEXTS.json OUT.json [--max-tokens 256] [--pooling mean|cls]

TEXTS.json is an array of strings; OUT.json is { texts, dimensions, vectors: base64 of little-endian f32, row by row }. It compares nothing itself:
bench/quality/onnx.ts does. Needs torch and transformers.
"""
import argparse
import base64
import json

import numpy as np
import torch
from transformers import AutoModel, AutoTokenizer


def main():
    a = argparse.ArgumentParser()
    a.add_argument('model')
    a.add_argument('texts')
    a.add_argument('out')
    a.add_argument('--max-tokens', type=int, default=256)
    a.add_argument('--pooling', choices=['mean', 'cls'], default='mean')
    a = a.parse_args()
    with open(a.texts) as f:
        texts = json.load(f)
    tokenizer, model = AutoTokenizer.from_pretrained(a.model), AutoModel.from_pretrained(a.model).eval()
    rows = []
    with torch.no_grad():
        for text in texts:
            encoded = tokenizer(text, truncation=True, max_length=a.max_tokens, return_tensors='pt')
            hidden = model(**encoded).last_hidden_state[0]
            rows.append(torch.nn.functional.normalize(hidden.mean(0) if a.pooling == 'mean' else hidden[0], dim=0).numpy())
    vectors = np.array(rows, '<f4')
    with open(a.out, 'w') as f:
        json.dump({'texts': texts, 'dimensions': vectors.shape[1], 'vectors': base64.b64encode(vectors.tobytes()).decode()}, f)


main()
