"""Reference values for tests of ONNX encoders and rerankers: transformers' own model, f32, one text
or pair at a time without padding.

  python reference.py MODEL_DIR TEXTS.json OUT.json [--max-tokens 256] [--pooling mean|cls]
      TEXTS.json: an array of strings; OUT.json: { texts, dimensions, vectors }, base64 of
      little-endian f32 row by row, masked mean or CLS, length 1
  python reference.py MODEL_DIR PAIRS.json OUT.json --cross [--max-tokens 512]
      PAIRS.json: an array of [question, text]; OUT.json: { pairs, logits: [[...]] } of the sequence
      classifier, longest part truncated first

bench/quality/vectors/onnx.ts compares. Needs torch and transformers.
"""

import argparse
import base64
import json

import numpy as np
import torch
from transformers import AutoModel, AutoModelForSequenceClassification, AutoTokenizer


def vectors(a, texts):
    tokenizer, model = (
        AutoTokenizer.from_pretrained(a.model),
        AutoModel.from_pretrained(a.model).eval(),
    )
    rows = []
    for text in texts:
        encoded = tokenizer(
            text, truncation=True, max_length=a.max_tokens or 256, return_tensors="pt"
        )
        hidden = model(**encoded).last_hidden_state[0]
        rows.append(
            torch.nn.functional.normalize(
                hidden.mean(0) if a.pooling == "mean" else hidden[0], dim=0
            ).numpy()
        )
    found = np.array(rows, "<f4")
    return {
        "texts": texts,
        "dimensions": found.shape[1],
        "vectors": base64.b64encode(found.tobytes()).decode(),
    }


def logits(a, pairs):
    tokenizer, model = (
        AutoTokenizer.from_pretrained(a.model),
        AutoModelForSequenceClassification.from_pretrained(a.model).eval(),
    )

    def score(query, text):
        return model(
            **tokenizer(
                [query],
                [text],
                truncation="longest_first",
                max_length=a.max_tokens or 512,
                return_tensors="pt",
            )
        ).logits[0]

    return {"pairs": pairs, "logits": [score(*pair).tolist() for pair in pairs]}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("model")
    a.add_argument("texts")
    a.add_argument("out")
    a.add_argument("--max-tokens", type=int)
    a.add_argument("--pooling", choices=["mean", "cls"], default="mean")
    a.add_argument("--cross", action="store_true")
    a = a.parse_args()
    with open(a.texts) as f:
        given = json.load(f)
    with torch.no_grad():
        result = (logits if a.cross else vectors)(a, given)
    with open(a.out, "w") as f:
        json.dump(result, f)


main()
