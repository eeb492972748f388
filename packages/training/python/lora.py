"""LoRA fine-tuning of a BERT sentence encoder by Re3's objective (section 3.3, equations 10 to 13),
alone or jointly with its time network (equations 4 to 9). `asof train lora` runs it and checks what
it writes.

    python lora.py DATA.json MODEL OUT --seed 1

Needs torch, transformers, numpy and onnx. MODEL: a folder with config.json, tokenizer.json and
model.safetensors. OUT: the same layout with the updates merged and onnx/model.onnx, and for the
command a sample of vectors and the time network's parameters. DATA.json: texts, questions (which
of them are queries), times ([year, month, day, day of year], null where unknown), examples
([question, positive, negative or null]), settings, and time: {mean, deviation, waves, width} or
null. Standard output has a JSON object for each step. Nothing is downloaded.
"""

import argparse
import json
import math
import random
import shutil
import sys
from pathlib import Path

import bert_to_onnx
import numpy as np
import torch
from torch.nn.utils import parametrize
from transformers import AutoModel, AutoTokenizer

WARM_UP = 0.1  # of the steps
DECAY = 0.01
CHUNK = 32  # texts of similar length, run at once
SAMPLE = 16  # texts whose vectors the command computes again
TURN = 2 * math.pi


def rate_at(step, steps):
    """Share of the highest rate: linear warm-up, linear decay."""
    warm = max(1, int(steps * WARM_UP))
    return (step + 1) / warm if step < warm else (steps - step) / max(1, steps - warm)


class LowRank(torch.nn.Module):
    """W + 2 B A, B zero at first."""

    def __init__(self, weight, rank):
        super().__init__()
        rows, columns = weight.shape
        bound = 1 / math.sqrt(columns)
        self.a = torch.nn.Parameter(torch.empty(rank, columns).uniform_(-bound, bound))
        self.b = torch.nn.Parameter(torch.zeros(rows, rank))

    def forward(self, weight):
        return weight + 2 * self.b @ self.a


class Encoder:
    """Pooled last layer, brought to length one. Rank 0 trains every weight; otherwise low-rank
    updates of the query and value projections."""

    def __init__(self, folder, settings):
        def fields(name):
            return json.loads((folder / name).read_text()) if (folder / name).exists() else {}

        self.tokenizer = AutoTokenizer.from_pretrained(folder)
        limit = fields("sentence_bert_config.json").get("max_seq_length") or 512
        self.tokens = min(limit, settings.get("tokens") or limit)
        self.first_token = fields("1_Pooling/config.json").get("pooling_mode_cls_token", False)
        prompts = fields("config_sentence_transformers.json").get("prompts") or {}
        passage = prompts.get("passage", prompts.get("document")) or ""
        self.prefixes = (passage, prompts.get("query") or "")
        self.device = settings["device"]
        self.model = AutoModel.from_pretrained(folder, dtype=torch.float32).to(self.device)
        self.model.eval()  # no dropout: few steps, and the same vectors as in use
        self.adapted = []
        if settings["rank"] > 0:
            for weight in self.model.parameters():
                weight.requires_grad_(False)
            self.adapted = [
                part
                for name, part in self.model.named_modules()
                if name.endswith(("attention.self.query", "attention.self.value"))
            ]
            for part in self.adapted:
                update = LowRank(part.weight, settings["rank"]).to(self.device)
                parametrize.register_parametrization(part, "weight", update)

    def weights(self):
        return [each for each in self.model.parameters() if each.requires_grad]

    def __call__(self, texts, queries):
        texts = [self.prefixes[query] + text for text, query in zip(texts, queries, strict=True)]
        ids = self.tokenizer(texts, truncation=True, max_length=self.tokens)["input_ids"]
        vectors = [None] * len(texts)
        order = sorted(range(len(texts)), key=lambda row: len(ids[row]))
        for at in range(0, len(order), CHUNK):
            rows = order[at : at + CHUNK]
            batch = self.tokenizer.pad(
                {"input_ids": [ids[row] for row in rows]}, return_tensors="pt"
            ).to(self.device)
            hidden = self.model(**batch).last_hidden_state
            seen = batch["attention_mask"][:, :, None]
            pooled = hidden[:, 0] if self.first_token else (hidden * seen).sum(1) / seen.sum(1)
            for row, vector in zip(rows, torch.nn.functional.normalize(pooled), strict=True):
                vectors[row] = vector
        return torch.stack(vectors)

    def merged(self):
        for part in self.adapted:
            parametrize.remove_parametrizations(part, "weight", leave_parametrized=True)
        return {name: value.cpu().numpy() for name, value in self.model.state_dict().items()}


class TimeNetwork(torch.nn.Module):
    """Equations 4 to 9; parameters in the order, and initialised as, of native/encoder."""

    def __init__(self, dimensions, mean, deviation, waves, width):
        super().__init__()
        self.mean, self.deviation = mean, deviation
        parts = [dimensions // 4 + (k < dimensions % 4) for k in range(4)]

        def drawn(*shape, variance):
            reach = math.sqrt(3 * variance)
            return torch.nn.Parameter(torch.empty(*shape).uniform_(-reach, reach))

        def zeros(*shape):
            return torch.nn.Parameter(torch.zeros(*shape))

        periods = 2.5 * 100 ** (torch.arange(waves) / max(1, waves - 1))
        self.frequency = torch.nn.Parameter(TURN * deviation / periods)
        self.phase = torch.nn.Parameter(torch.rand(waves) * TURN)
        self.year = drawn(waves, parts[0], variance=2 / max(1, waves))
        self.year_bias = zeros(parts[0])
        self.month = drawn(2, parts[1], variance=1)
        self.day = drawn(31, parts[2], variance=1)
        self.day_of_year = drawn(2, parts[3], variance=1)
        self.first = drawn(dimensions, width, variance=1 / dimensions)
        self.first_bias = zeros(width)
        self.gamma, self.gamma_bias = zeros(width, dimensions), zeros(dimensions)
        self.beta, self.beta_bias = zeros(width, dimensions), zeros(dimensions)
        self.alpha = torch.nn.Parameter(torch.ones(1))

    def forward(self, vectors, times):
        columns = list(zip(*times, strict=True))
        known = [[value is not None for value in column] for column in columns]
        year, month, day, of_year = (
            torch.tensor([value or 0 for value in column], device=vectors.device)
            for column in columns
        )

        def cycle(value, length):
            angle = TURN * value / length
            return torch.stack([angle.sin(), angle.cos()], 1)

        scaled = ((year - self.mean) / self.deviation)[:, None]
        parts = [
            (self.frequency * scaled + self.phase).sin() @ self.year + self.year_bias,
            cycle(month, 12) @ self.month,
            self.day[(day - 1).clamp(min=0)],
            cycle(of_year, 366) @ self.day_of_year,
        ]
        masks = [torch.tensor(mask, device=vectors.device)[:, None] for mask in known]
        embedded = torch.cat([part * mask for part, mask in zip(parts, masks, strict=True)], dim=1)
        hidden = torch.relu(embedded @ self.first + self.first_bias)
        gamma = hidden @ self.gamma + self.gamma_bias
        beta = hidden @ self.beta + self.beta_bias
        fused = torch.nn.functional.normalize((1 + self.alpha * gamma) * vectors + beta)
        return torch.where(masks[0], fused, vectors)


class Model:
    def __init__(self, data, folder):
        self.data = data
        self.queries = set(data["questions"])
        self.encoder = Encoder(folder, data["settings"])
        size = self.encoder.model.config.hidden_size
        time = data["time"]
        self.network = TimeNetwork(size, **time).to(self.encoder.device) if time else None

    def __call__(self, rows):
        texts = [self.data["texts"][row] for row in rows]
        vectors = self.encoder(texts, [row in self.queries for row in rows])
        if self.network is None:
            return vectors
        return self.network(vectors, [self.data["times"][row] for row in rows])


def loss_of(model, examples, settings):
    questions, positives, negatives = zip(*examples, strict=True)
    rows = list(dict.fromkeys([*questions, *positives, *(n for n in negatives if n is not None)]))
    vectors = model(rows)
    place = {row: at for at, row in enumerate(rows)}

    def of(some):
        return vectors[[place[row] for row in some]]

    asked, right = of(questions), of(positives)
    scores = asked @ right.T
    own = scores.diagonal()
    # Neither of two examples of one question or passage is the other's negative.
    apart = torch.tensor(
        [
            [
                q != other_q and p != other_p
                for other_q, other_p in zip(questions, positives, strict=True)
            ]
            for q, p in zip(questions, positives, strict=True)
        ],
        device=vectors.device,
    )
    loss = torch.zeros((), device=vectors.device)
    if settings["contrast"] > 0:
        itself = torch.eye(len(examples), dtype=torch.bool, device=vectors.device)
        logits = (scores / settings["temperature"]).masked_fill(~(apart | itself), -1e9)
        target = torch.arange(len(examples), device=vectors.device)
        cross_entropy = torch.nn.functional.cross_entropy
        both = cross_entropy(logits, target) + cross_entropy(logits.T, target)
        loss = loss + settings["contrast"] * both / 2
    margin = settings["margin"]
    if settings["lambdaHard"] > 0:
        hardest = scores.masked_fill(~apart, -math.inf).max(1).values
        loss = loss + settings["lambdaHard"] * torch.relu(margin + hardest - own).mean()
    having = [at for at, row in enumerate(negatives) if row is not None]
    if settings["lambdaTime"] > 0 and having:
        wrong = (asked[having] * of([negatives[at] for at in having])).sum(1)
        lost = torch.relu(margin + wrong - own[having]).sum() / len(examples)
        loss = loss + settings["lambdaTime"] * lost
    return loss


def train(model, seed):
    settings, examples = model.data["settings"], list(model.data["examples"])
    draw = random.Random(seed)
    groups = [{"params": model.encoder.weights(), "highest": settings["rate"]}]
    if model.network is not None:
        groups.append({"params": list(model.network.parameters()), "highest": settings["timeRate"]})
    optimiser = torch.optim.AdamW(groups, weight_decay=DECAY)
    batch = settings["batch"]
    steps, step = -(-len(examples) // batch) * settings["epochs"], 0
    for _ in range(settings["epochs"]):
        draw.shuffle(examples)
        for at in range(0, len(examples), batch):
            for group in optimiser.param_groups:
                group["lr"] = group["highest"] * rate_at(step, steps)
            loss = loss_of(model, examples[at : at + batch], settings)
            if not torch.isfinite(loss):
                raise SystemExit(f"The loss diverged at step {step + 1}: lower the rate.")
            optimiser.zero_grad()
            loss.backward()
            for group in optimiser.param_groups:
                torch.nn.utils.clip_grad_norm_(group["params"], 1.0)
            optimiser.step()
            step += 1
            print(json.dumps({"done": step, "total": steps, "loss": loss.item()}), flush=True)


def write(model, source, out):
    """The layout of published folders: that of the source, with weights merged."""
    stale = shutil.ignore_patterns("onnx", "*.safetensors", "*.bin", "README.md")
    shutil.copytree(source, out, ignore=stale, dirs_exist_ok=True)
    rows = list(range(min(SAMPLE, len(model.data["texts"]))))
    with torch.no_grad():
        sample = model(rows).cpu().numpy()
    np.ascontiguousarray(sample, "<f4").tofile(out / "sample.f32")
    if model.network is not None:
        values = [each.detach().cpu().numpy().ravel() for each in model.network.parameters()]
        np.concatenate(values).astype("<f4").tofile(out / "times.f32")
    weights = model.encoder.merged()
    bert_to_onnx.save_weights(weights, out / "model.safetensors")
    (out / "sentence_bert_config.json").write_text(
        json.dumps({"max_seq_length": model.encoder.tokens, "do_lower_case": False}) + "\n"
    )
    (out / "onnx").mkdir(exist_ok=True)
    config = json.loads((out / "config.json").read_text())
    saved = bert_to_onnx.weights(out / "model.safetensors")
    bert_to_onnx.build(saved, config, out / "onnx" / "model.onnx")


def main():
    a = argparse.ArgumentParser()
    a.add_argument("data", type=Path)
    a.add_argument("model", type=Path)
    a.add_argument("out", type=Path)
    a.add_argument("--seed", type=int, default=1)
    a = a.parse_args()
    data = json.loads(a.data.read_text())
    settings = data["settings"]
    if settings["device"] == "cuda" and not torch.cuda.is_available():
        raise SystemExit("Expected a CUDA device of torch, found none: train with device cpu.")
    torch.set_num_threads(settings["threads"])
    torch.manual_seed(a.seed)
    model = Model(data, a.model)
    train(model, a.seed)
    write(model, a.model, a.out)


if __name__ == "__main__":
    sys.exit(main())
