"""Tokens of a question and their features, as native/question/{tokens,reader}.cpp compute them."""

import functools
import re
import struct
import unicodedata

import numpy as np

BLANK, SYMBOL, LETTER, DIGIT = range(4)
JOINING = set("-./:@+#&")
APOSTROPHES = set("'’‘")
RELATIONS = ["none", "as of", "from-to", "until", "before", "after", "around", "between", "by"]
RELATIONS += ["in", "on", "since"]
TYPES = ["DATE", "TIME", "DURATION", "SET"]
SHAPES = 14
FEATURES = SHAPES + 23


def sort_of(character):
    c = ord(character)
    if c < 128:
        if character.isdigit():
            return DIGIT
        if character.isalpha() or character == "_":
            return LETTER
        return BLANK if character in " \t\n\r\f\v" else SYMBOL
    if c in (0xA0, 0x202F, 0x3000, 0xFEFF) or 0x2000 <= c <= 0x200A:
        return BLANK
    ranges = [(0x2010, 0x203A), (0x2212, 0x2212), (0xA1, 0xBF), (0x20A0, 0x20CF)]
    ranges += [(0x3001, 0x303F), (0xFF00, 0xFF0F), (0xD800, 0xDFFF), (0x10000, 0x10FFFF)]
    return SYMBOL if any(low <= c <= high for low, high in ranges) else LETTER


def tokens_of(text):
    """(start, end, word) of each token: code points, of which the labels have no astral ones."""

    def in_word(i):
        return i < len(text) and sort_of(text[i]) >= LETTER

    def possessive(i):
        return text[i] in APOSTROPHES and text[i + 1 : i + 2] in ("s", "S") and not in_word(i + 2)

    tokens, i = [], 0
    while i < len(text):
        sort, start = sort_of(text[i]), i
        if sort == BLANK:
            i += 1
            continue
        if sort == SYMBOL:
            after_word = tokens and tokens[-1][1] == i
            i += 2 if after_word and possessive(i) else 1
        else:
            while in_word(i) or (
                i < len(text)
                and in_word(i + 1)
                and (text[i] in JOINING or (text[i] in APOSTROPHES and not possessive(i)))
            ):
                i += 1
        tokens.append((start, i, text[start:i]))
    return tokens


def hash_of(word):
    value = 2166136261
    for character in word:
        value = ((value ^ min(ord(character), 0xD800)) * 16777619) & 0xFFFFFFFF
    return value


@functools.lru_cache(None)
def grams_of(word, buckets):
    lower = "".join(c.lower() if "A" <= c <= "Z" else c for c in word)
    letters = "<" + re.sub("[0-9]", "0", lower)[:40] + ">"
    grams = ["<" + lower + ">"]
    for length in (3, 4, 5):
        grams += [letters[i : i + length] for i in range(len(letters) - length + 1)]
    return [hash_of(gram) % buckets for gram in grams]


def read_encoder(path):
    """The vocabulary of the embedded encoder and its rows, each of length one."""
    with open(path, "rb") as file:
        data = file.read()
    count, width, header, vocabulary = struct.unpack("<IIII", data[24:40])

    def aligned(at):
        return (at + 63) // 64 * 64

    at = aligned(64 + header)
    pieces = data[at : at + vocabulary].decode().split("\n")[:count]
    at = aligned(at + vocabulary)
    scales = np.frombuffer(data, "<f4", count, at)
    rows = np.frombuffer(data, np.int8, count * width, aligned(at + 4 * count))
    rows = rows.reshape(count, width).astype(np.float32) * np.sign(scales)[:, None]
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return {piece: i for i, piece in enumerate(pieces)}, rows / np.maximum(lengths, 1e-6)


def pieces_of(word, vocabulary):
    plain = unicodedata.normalize("NFD", word.lower())
    plain = "".join(c for c in plain if unicodedata.category(c) != "Mn")
    found = []
    for part in re.findall(r"[^\W_]+|[^\w\s]|_", plain):
        start, own = 0, []
        while start < len(part):
            end = len(part)
            while end > start and ("##" if start else "") + part[start:end] not in vocabulary:
                end -= 1
            if end == start:
                own = []
                break
            own.append(vocabulary[("##" if start else "") + part[start:end]])
            start = end
        found += own
    return found


@functools.lru_cache(None)
def shape_of(word):
    """The features of a word alone, and whether it has a capital."""
    digits = all("0" <= c <= "9" for c in word)
    letters = any(sort_of(c) == LETTER for c in word)
    small = any("a" <= c <= "z" for c in word)
    shape = {
        0: "A" <= word[0] <= "Z",
        1: len(word) > 1 and letters and not small,
        2: digits,
        3: digits and len(word) == 4,
        4: digits and len(word) <= 2,
        5: not digits and any("0" <= c <= "9" for c in word),
        8: sort_of(word[0]) == SYMBOL,
        12: len(word) == 1,
        13: digits and len(word) == 4 and word[0] in "12",
    }
    return [place for place, holds in shape.items() if holds], any("A" <= c <= "Z" for c in word)


def shapes_of(tokens):
    out = np.zeros((len(tokens), SHAPES), np.float32)
    capital = False
    for i, (start, end, word) in enumerate(tokens):
        places, own = shape_of(word)
        capital = capital or own
        out[i, places] = 1
        out[i, 6] = i > 0 and tokens[i - 1][1] == start
        out[i, 7] = i + 1 < len(tokens) and tokens[i + 1][0] == end
    out[0, 9] = out[-1, 10] = 1
    out[:, 11] = not capital
    return out


def mention_features(tokens, mentions):
    """The features of the mention that each token is of, and its place; -1 of none."""
    out = np.zeros((len(tokens), FEATURES - SHAPES), np.float32)
    owners = [-1] * len(tokens)
    for place, mention in enumerate(mentions):
        for i, (start, end, _) in enumerate(tokens):
            if owners[i] >= 0 or start >= mention["end"] or end <= mention["start"]:
                continue
            owners[i] = place
            out[i, 0] = 1
            out[i, 1] = start <= mention["start"]
            out[i, 2 + TYPES.index(mention["type"].split("/")[0])] = 1
            out[i, 6 + RELATIONS.index(mention["relation"])] = 1
            if "from" in mention:
                out[i, 18] = 1
                out[i, 19] = mention["to"] < 0
                out[i, 20] = mention["from"] > 0
                out[i, 21] = mention["from"] <= 0 <= mention["to"]
            out[i, 22] = "REF" in mention["value"].split("/")[0]
    return out, owners
