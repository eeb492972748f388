"""Trains the question reader on labelled questions.

    pip install torch numpy
    node --import tsx models/train/questions/mentions.ts > questions.jsonl
    python models/train/questions/train.py questions.jsonl models/question-reader.bin

Hands b, d, e, k, zb, zw, zzd, zzk, zzs and zzw are held out; what is printed are shares of them that are read
right, dates aside, which bench/quality/time/readings.ts measures. --all trains on every hand, for
the file that is packaged only once it has been measured without. --teachers learns from the mean of
models that were trained before with other seeds, besides the labels; each leaves its weights next
to its model, as .pt.
"""

import argparse
import json
import random
import re
from pathlib import Path

import numpy as np
import torch
from features import (
    FEATURES,
    grams_of,
    mention_features,
    pieces_of,
    read_encoder,
    shapes_of,
    tokens_of,
)
from pack import pack
from torch import nn
from torch.nn import functional

HELD_OUT = {"b", "d", "e", "k", "zb", "zw", "zzd", "zzk", "zzs", "zzw"}
ORDERS = ["none", "first", "latest", "now", "next", "previous", "nth"]
RELATIONS = ["none", "at", "before", "after", "since", "until", "between", "around"]
ASKED = ["when", "how-long", "thing"]
CLOCKS = ["content", "published"]
ORDINALS = [*range(-6, 0), *range(1, 21)]
UNITS = ["day", "week", "month", "year", "decade", "century", "hour", "minute", "season", "quarter"]
KINDS = [None, "event", "name", "value"]
TOPIC, REMOVED, ANCHOR = range(3)
IGNORED = -100
DILATIONS = [1, 1, 2, 4]
CLASSES = {
    "order": len(ORDERS),
    "relation": len(RELATIONS),
    "asks": len(ASKED),
    "clock": len(CLOCKS),
    "ordinal": len(ORDINALS),
    "anchored": 2,
    "shift": 3,
    "unit": len(UNITS) + 1,
    "kind": len(KINDS),
}


class Layer(nn.Module):
    def __init__(self, width, dilation, dropped):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.convolution = nn.Conv1d(width, width, 3, padding=dilation, dilation=dilation)
        self.project = nn.Linear(width, width)
        self.dropout = nn.Dropout(dropped)

    def forward(self, x, mask):
        y = (self.norm(x) * mask).transpose(1, 2)
        y = functional.relu(self.convolution(y).transpose(1, 2))
        return x + self.dropout(self.project(y)) * mask


class Reader(nn.Module):
    def __init__(self, rows, a):
        super().__init__()
        self.pieces = nn.EmbeddingBag.from_pretrained(torch.tensor(rows), mode="mean")
        self.grams = nn.EmbeddingBag(a.buckets, 64, mode="mean")
        self.from_pieces = nn.Linear(rows.shape[1], a.width, bias=False)
        self.from_grams = nn.Linear(64, a.width, bias=False)
        self.from_features = nn.Linear(FEATURES, a.width)
        self.layers = nn.ModuleList(Layer(a.width, each, a.dropout) for each in DILATIONS)
        self.norm = nn.LayerNorm(a.width)
        # Topic, removed, anchor; first and last token of an anchor.
        self.tags = nn.Linear(a.width, 5)
        self.mention = nn.Linear(a.width, 1)
        self.attention = nn.Linear(a.width, a.queries)
        self.outputs = nn.ModuleDict(
            {name: nn.Linear(a.queries * a.width, count) for name, count in CLASSES.items()}
        )
        self.dropout = nn.Dropout(a.dropout)

    def forward(self, pieces, grams, features, mask):
        shape = (*mask.shape, -1)
        x = self.from_features(features)
        x = x + self.dropout(self.from_pieces(self.pieces(*pieces).view(shape)))
        x = x + self.dropout(self.from_grams(self.grams(*grams).view(shape)))
        present = mask[:, :, None].float()
        x = x * present
        for layer in self.layers:
            x = layer(x, present)
        x = self.dropout(self.norm(x))
        weights = self.attention(x).masked_fill(~mask[:, :, None], -1e9).softmax(1)
        pooled = torch.einsum("blk,bld->bkd", weights, x).flatten(1)
        outputs = {name: each(pooled) for name, each in self.outputs.items()}
        return outputs, self.tags(x), self.mention(x)[:, :, 0]


def tag_tokens(label, tokens):
    """The tag of each token: removed words by the pieces, the anchor where least is removed."""
    text, tags, at = label["text"], [TOPIC] * len(tokens), 0

    def within(start, end):
        return [i for i, (s, e, _) in enumerate(tokens) if s < end and e > start]

    for piece in label["removed"]:
        found = text.find(piece, at)
        found = found if found >= 0 else text.find(piece)
        at = found + len(piece)
        for i in within(found, at):
            tags[i] = REMOVED
    if label["anchor"]:
        words = label["anchor"]["text"]
        places = [match.start() for match in re.finditer(re.escape(words), text)]
        spans = [within(place, place + len(words)) for place in places]
        for i in min(spans, key=lambda span: sum(tags[i] for i in span)):
            tags[i] = ANCHOR
    return tags


def bounding(label, tags, owners):
    """Which mentions make up the time of the label; where they cannot, those removed with it."""
    mentions, time = label["mentions"], label["time"]
    if not time:
        return [0] * len(mentions)
    ends = [
        (abs(j - i), min(i, j), max(i, j))
        for i, one in enumerate(mentions)
        for j, other in enumerate(mentions)
        if one.get("first") == time[0] and other.get("last") == time[1]
    ]
    if ends:
        _, low, high = min(ends)
        return [int(low <= place <= high) for place in range(len(mentions))]
    removed = {owners[i] for i, tag in enumerate(tags) if tag == REMOVED}
    return [int(place in removed) for place in range(len(mentions))]


def example_of(label):
    tokens = tokens_of(label["text"])
    tags = tag_tokens(label, tokens)
    features, owners = mention_features(tokens, label["mentions"])
    bounds = bounding(label, tags, owners)
    shift = re.match(r"([+-])[\d.]+ (\w+?)s?$", label["shift"] or "")
    unit = shift and {"centurie": "century"}.get(shift[2], shift[2])
    kind = label["anchor"]["kind"] if label["anchor"] else None
    classes = {
        "order": ORDERS.index(label["order"]),
        "relation": RELATIONS.index(label["relation"]),
        "asks": ASKED.index(label["asks"]),
        "clock": CLOCKS.index(label["clock"]),
        "ordinal": ORDINALS.index(label["n"]) if label["n"] in ORDINALS else IGNORED,
        "anchored": int(kind is not None),
        "shift": 0 if label["shift"] is None else "+-".index(label["shift"][0]) + 1,
        "unit": UNITS.index(unit) if unit in UNITS else IGNORED,
        "kind": KINDS.index(kind),
    }
    own = [bounds[place] if place >= 0 else -1 for place in owners]
    return {"tokens": tokens, "tags": tags, "features": features, "owners": owners} | {
        "bounds": own,
        "classes": classes,
        "anchor": label["anchor"],
    }


def misspelt(word):
    i, kind = random.randrange(len(word) - 1), random.random()
    if kind < 0.3:
        return word[:i] + word[i + 1] + word[i] + word[i + 2 :]
    if kind < 0.6:
        return word[:i] + word[i + 1 :]
    if kind < 0.8:
        return word[: i + 1] + word[i:]
    return word[: i + 1] + random.choice("aeioustrnl") + word[i + 2 :]


def with_other_anchor(example, anchors):
    """The example with the anchor of another question of the same kind."""
    places = [i for i, tag in enumerate(example["tags"]) if tag == ANCHOR]
    if not places or places[-1] - places[0] + 1 != len(places):
        return example
    kind, text = random.choice(anchors)
    dated = any(example["owners"][i] >= 0 for i in places)
    if dated or kind != example["anchor"]["kind"]:
        return example
    if not any("A" <= c <= "Z" for _, _, word in example["tokens"] for c in word):
        text = text.lower()
    low, high, tokens = places[0], places[-1] + 1, example["tokens"]
    begin, new = tokens[low][0], tokens_of(text)
    by = begin + new[-1][1] - tokens[high - 1][1]

    def spliced(values, other):
        return [*values[:low], *other, *values[high:]]

    blank = np.zeros((len(new), example["features"].shape[1]), np.float32)
    features = example["features"]
    return example | {
        "tokens": [
            *tokens[:low],
            *((begin + s, begin + e, word) for s, e, word in new),
            *((s + by, e + by, word) for s, e, word in tokens[high:]),
        ],
        "tags": spliced(example["tags"], [ANCHOR] * len(new)),
        "owners": spliced(example["owners"], [-1] * len(new)),
        "bounds": spliced(example["bounds"], [-1] * len(new)),
        "features": np.concatenate([features[:low], blank, features[high:]]),
    }


def varied(example, anchors):
    """The example with another anchor, without capitals or with slips of spelling, at random."""
    if random.random() < 0.4:
        example = with_other_anchor(example, anchors)
    words = [word for _, _, word in example["tokens"]]
    if random.random() < 0.15:
        words = [word.lower() for word in words]
    if random.random() < 0.25:
        owners = example["owners"]
        able = [i for i, w in enumerate(words) if len(w) > 3 and w.isalpha() and owners[i] < 0]
        for i in random.sample(able, min(len(able), random.choice([1, 1, 2]))):
            words[i] = misspelt(words[i])
    tokens = [(s, e, word) for (s, e, _), word in zip(example["tokens"], words, strict=True)]
    return example | {"tokens": tokens}


class Batches:
    def __init__(self, vocabulary, buckets):
        self.vocabulary, self.buckets, self.known = vocabulary, buckets, {}

    def pieces(self, word):
        if word not in self.known:
            self.known[word] = pieces_of(word, self.vocabulary)
        return self.known[word]

    def of(self, examples):
        count, length = len(examples), max(len(each["tokens"]) for each in examples)
        pieces, grams, piece_starts, gram_starts = [], [], [], []
        features = np.zeros((count, length, FEATURES), np.float32)
        mask = np.zeros((count, length), bool)
        tags = np.full((count, length), IGNORED)
        bounds = np.full((count, length), -1.0, np.float32)
        for row, example in enumerate(examples):
            tokens = example["tokens"]
            size = len(tokens)
            features[row, :size] = np.concatenate([shapes_of(tokens), example["features"]], 1)
            mask[row, :size] = True
            tags[row, :size] = example["tags"]
            bounds[row, :size] = example["bounds"]
            for i in range(length):
                piece_starts.append(len(pieces))
                gram_starts.append(len(grams))
                if i < size:
                    pieces += self.pieces(tokens[i][2])
                    grams += grams_of(tokens[i][2], self.buckets)
        inputs = (
            (torch.tensor(pieces, dtype=torch.long), torch.tensor(piece_starts)),
            (torch.tensor(grams), torch.tensor(gram_starts)),
            torch.tensor(features),
            torch.tensor(mask),
        )
        classes = {
            name: torch.tensor([each["classes"][name] for each in examples]) for name in CLASSES
        }
        return inputs, classes, torch.tensor(tags), torch.tensor(bounds)


def edges_of(tags):
    """The first and the last token of each anchor; ignored where there is none."""
    anchors = (tags == ANCHOR).long()
    length = tags.shape[1]
    first, last = anchors.argmax(1), length - 1 - anchors.flip(1).argmax(1)
    none = anchors.sum(1) == 0
    return first.masked_fill(none, IGNORED), last.masked_fill(none, IGNORED)


def anchor_of(scores):
    """The likeliest run of tokens: by its ends, and by the odds that each token is of an anchor."""
    odds = scores[:, 2] - torch.logsumexp(scores[:, :2], -1)
    ends = scores[:, 3:].log_softmax(0)
    sums = torch.cat([torch.zeros(1), odds.cumsum(0)])
    runs = ends[:, :1] + ends[:, 1] + sums[1:] - sums[:-1, None]
    best = int(runs.triu().masked_fill(torch.ones_like(runs).triu() == 0, -1e9).argmax())
    return divmod(best, len(scores))


def loss_of(results, inputs, classes, tags, bounds):
    outputs, tag_scores, mention_scores = results
    own = tag_scores[:, :, :3].transpose(1, 2)
    loss = 2 * functional.cross_entropy(own, tags, ignore_index=IGNORED)
    for place, edge in enumerate(edges_of(tags)):
        edge_scores = tag_scores[:, :, 3 + place].masked_fill(~inputs[3], -1e9)
        loss = loss + 0.5 * functional.cross_entropy(edge_scores, edge, ignore_index=IGNORED)
    for name, scores in outputs.items():
        if (classes[name] != IGNORED).any():
            own = functional.cross_entropy(
                scores, classes[name], ignore_index=IGNORED, label_smoothing=0.05
            )
            loss = loss + weight_of(name) * own
    dated = bounds >= 0
    if dated.any():
        loss = loss + functional.binary_cross_entropy_with_logits(
            mention_scores[dated], bounds[dated]
        )
    return loss


def weight_of(name):
    return 1 if name in ("order", "relation", "anchored") else 0.5


def likelihoods(results, mask):
    """Probabilities of classes by name, of the tags of each token, of edges, of mentions."""
    outputs, tag_scores, mention_scores = results
    edges = tag_scores[:, :, 3:].masked_fill(~mask[:, :, None], -1e9)
    return (
        {name: scores.softmax(-1) for name, scores in outputs.items()},
        tag_scores[:, :, :3].softmax(-1),
        edges.softmax(1),
        mention_scores.sigmoid(),
    )


def taught_loss(results, inputs, bounds, teachers):
    """Cross-entropy with the mean of what the teachers hold likely; weighed as `loss_of`."""
    mask = inputs[3]
    with torch.no_grad():
        taught = [likelihoods(each(*inputs), mask) for each in teachers]

    def mean(values):
        return torch.stack(list(values)).mean(0)

    outputs, tag_scores, mention_scores = results
    loss = 0
    for name, scores in outputs.items():
        likely = mean(each[0][name] for each in taught)
        own = -(likely * scores.log_softmax(-1)).sum(-1).mean()
        loss = loss + weight_of(name) * own
    tags = -(mean(each[1] for each in taught) * tag_scores[:, :, :3].log_softmax(-1)).sum(-1)
    edges = tag_scores[:, :, 3:].masked_fill(~mask[:, :, None], -1e9).log_softmax(1)
    likely = mean(each[2] for each in taught)
    anchored = mean(each[0]["anchored"] for each in taught)[:, 1]
    loss = loss + 2 * tags[mask].mean()
    loss = loss - 0.5 * ((likely * edges).sum((1, 2)) * anchored).mean()
    dated = bounds >= 0
    if dated.any():
        likely = mean(each[3] for each in taught)
        loss = loss + functional.binary_cross_entropy_with_logits(
            mention_scores[dated], likely[dated]
        )
    return loss


def shares(model, batches, examples):
    """Shares of examples whose classes, and tags, are right."""
    model.eval()
    right = {name: 0 for name in [*CLASSES, "anchor"]}
    with torch.no_grad():
        for at in range(0, len(examples), 256):
            inputs, classes, tags, _ = batches.of(examples[at : at + 256])
            outputs, scores, _ = model(*inputs)
            for name, each in outputs.items():
                own = (each.argmax(-1) == classes[name]) | (classes[name] == IGNORED)
                right[name] += int(own.sum())
            edges = [each.tolist() for each in edges_of(tags)]
            for own, mask, *ends in zip(scores, inputs[3], *edges, strict=True):
                right["anchor"] += IGNORED in ends or anchor_of(own[mask]) == tuple(ends)
    return {name: round(count / len(examples), 3) for name, count in right.items()}


def train(a):
    torch.manual_seed(a.seed)
    random.seed(a.seed)
    torch.set_num_threads(a.threads)
    with open(a.questions, encoding="utf-8") as file:
        labels = [json.loads(line) for line in file]
    known = [example_of(each) for each in labels if a.all or each["hand"] not in HELD_OUT]
    held = [example_of(each) for each in labels if each["hand"] in HELD_OUT and "made" not in each]
    anchors = [(each["anchor"]["kind"], each["anchor"]["text"]) for each in known if each["anchor"]]
    encoder = Path(__file__).parents[2] / "default-encoder.bin"
    vocabulary, rows = read_encoder(encoder)
    batches, model = Batches(vocabulary, a.buckets), Reader(rows, a)
    weights = [each for each in model.parameters() if each.requires_grad]
    teachers = [Reader(rows, a) for _ in a.teachers]
    for teacher, path in zip(teachers, a.teachers, strict=True):
        teacher.load_state_dict(torch.load(path, weights_only=True))
        teacher.eval()
    print(f"{len(known)} questions, {sum(each.numel() for each in weights)} weights", flush=True)
    optimiser = torch.optim.AdamW(weights, lr=a.rate, weight_decay=0.02)
    steps = a.epochs * -(-len(known) // a.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, a.rate, steps, pct_start=0.1)
    for epoch in range(a.epochs):
        model.train()
        # Of like lengths together.
        order = sorted(known, key=lambda each: len(each["tokens"]) + random.random() * 6)
        groups = [order[at : at + a.batch] for at in range(0, len(order), a.batch)]
        random.shuffle(groups)
        total = 0.0
        for group in groups:
            inputs, classes, tags, bounds = batches.of([varied(each, anchors) for each in group])
            results = model(*inputs)
            loss = loss_of(results, inputs, classes, tags, bounds)
            if teachers:
                loss = 0.3 * loss + 0.7 * taught_loss(results, inputs, bounds, teachers)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimiser.step()
            schedule.step()
            total += loss.item()
        print(epoch + 1, round(total / len(groups), 3), flush=True)
    print("in-sample" if a.all else "held out", shares(model, batches, held))
    torch.save(model.state_dict(), Path(a.model).with_suffix(".pt"))
    pack(model.state_dict(), DILATIONS, a.model)


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("questions")
    arguments.add_argument("model")
    arguments.add_argument("--all", action="store_true")
    arguments.add_argument("--epochs", type=int, default=24)
    arguments.add_argument("--batch", type=int, default=64)
    arguments.add_argument("--rate", type=float, default=2e-3)
    arguments.add_argument("--width", type=int, default=128)
    arguments.add_argument("--queries", type=int, default=8)
    arguments.add_argument("--buckets", type=int, default=8192)
    arguments.add_argument("--dropout", type=float, default=0.3)
    arguments.add_argument("--threads", type=int, default=2)
    arguments.add_argument("--teachers", nargs="*", default=[])
    arguments.add_argument("--seed", type=int, default=1)
    train(arguments.parse_args())
