"""Vectors of single words, for matching a word of a passage with a different word of the question
("champion", "final").

usage: words.py CORPUS.jsonl WORDNET_FOLDER OUT.bin [--dimensions 64] [--least 3]
A word is included if WordNet has it in lower case and the teacher's vocabulary or the corpus
contains it, or if it is a form of such a word with at least LEAST occurrences in the corpus. The
most frequent words are excluded as uninformative. A term (a stem of the library's analyzer) has the
mean of the teacher's vectors of its forms, weighted by their frequency, projected to the leading
directions of all terms. Vectors are not centred: their common component is a floor under every
similarity, so that among about equally similar words the rarer one counts more.
"""

import argparse
import collections
import glob
import json
import os
import re
import struct
import subprocess

import numpy as np
from distil import quantise, unit
from pack import crc32c
from teacher import Teacher, folder

frequent = 150


def written(corpus):
    """Frequencies of lower-case words in the corpus."""
    count = collections.Counter()
    for line in open(corpus, encoding="utf-8"):
        count.update(re.findall(r"(?<![\w'-])[a-z]{2,}(?!\w)", json.loads(line)["text"]))
    return count


def lemmas(folder):
    """Single words of WordNet in lower case, irregular forms included; names are capitalised
    there.
    """
    found = set()
    for path in sorted(glob.glob(folder + "/data.*")):
        for line in open(path, encoding="utf-8"):
            if line[0] == " ":
                continue
            fields = line.split(" ")
            words = (re.sub(r"\(.*\)", "", w) for w in fields[4 : 4 + 2 * int(fields[3], 16) : 2])
            found.update(w for w in words if re.fullmatch("[a-z]{2,}", w))
    for path in sorted(glob.glob(folder + "/*.exc")):
        for line in open(path, encoding="utf-8"):
            form, *of = line.split()
            if re.fullmatch("[a-z]{2,}", form) and found.intersection(of):
                found.add(form)
    return found


def terms(words):
    """The library's index terms of words."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "terms.ts")
    root = os.path.dirname(os.path.dirname(os.path.dirname(script)))
    given = "".join(w + "\n" for w in words)
    lines = subprocess.run(
        ["node", "--import", "tsx", script],
        input=given,
        capture_output=True,
        text=True,
        check=True,
        cwd=root,
    ).stdout
    return dict(zip(words, lines.split("\n"), strict=False))


def vocabulary(count, known, least):
    """Term -> its forms, the most frequent first."""
    dull = {w for w, _ in count.most_common(frequent)}
    pieces = set(open(os.path.join(folder(), "vocab.txt"), encoding="utf-8").read().split("\n"))
    seen = [
        w
        for w in {*count, *known} - dull
        if (w in known and (w in pieces or count[w])) or count[w] >= least
    ]
    term = terms(sorted({*seen, *known}))
    real = {term[w] for w in known} - {""}
    forms = collections.defaultdict(list)
    for word in sorted(seen, key=lambda w: (-count[w], w)):
        if term[word] in real:
            forms[term[word]].append(word)
    return dict(sorted(forms.items()))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("corpus")
    p.add_argument("wordnet")
    p.add_argument("out")
    p.add_argument("--dimensions", type=int, default=64)
    p.add_argument("--least", type=int, default=3)
    p.add_argument("--teacher", default="teacher.onnx")
    a = p.parse_args()
    count = written(a.corpus)
    groups = vocabulary(count, lemmas(a.wordnet), a.least)
    forms = [w for group in groups.values() for w in group]
    row = np.repeat(np.arange(len(groups)), [len(group) for group in groups.values()])
    print(len(groups), "terms of", len(forms), "words", flush=True)
    vectors = unit(Teacher(a.teacher).encode(forms))
    table = np.zeros((len(groups), vectors.shape[1]), np.float32)
    np.add.at(table, row, vectors * np.array([count[w] + 1 for w in forms], np.float32)[:, None])
    table = unit(table)
    pack(table, list(groups), a.dimensions, a.out)


def pack(table, names, dimensions, out):
    """Writes the file that lib/vectors/wordVectors.ts reads."""
    _, _, leading = np.linalg.svd(table.T @ table)
    rows, scales = quantise(unit(table @ leading[:dimensions].T).astype(np.float32))
    about = {
        "id": f"asof-words-{dimensions}-v1",
        "teacher": "sentence-transformers/all-MiniLM-L6-v2",
        "licence": "Apache-2.0",
        "language": "en",
        "analyser": "english-porter-1",
        "dimensions": dimensions,
        "terms": len(names),
    }
    header = json.dumps(about, indent=1).encode()
    body = b""
    for part in (
        header,
        "".join(n + "\n" for n in names).encode(),
        scales.tobytes(),
        rows.tobytes(),
    ):
        body += bytes(-len(body) % 64) + part
    names_length = sum(len(n.encode()) + 1 for n in names)
    rest = (
        struct.pack("<QIIII24x", 64 + len(body), len(names), dimensions, len(header), names_length)
        + body
    )
    open(out, "wb").write(struct.pack("<8sII", b"ASOFWRD\0", 1, crc32c(rest)) + rest)
    print(out, 64 + len(body), "bytes")


if __name__ == "__main__":
    main()
