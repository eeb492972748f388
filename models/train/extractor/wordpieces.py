"""Wordpieces of the learned temporal extractor: its vocabulary, with digits in pairs, and the split
of texts into tokens.
"""

import collections
import unicodedata

TIMES = set(
    (
        "january february march april may june july august september october november "
        "december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday "
        "thursday friday saturday sunday mon tue wed thu fri sat sun today yesterday tomorrow "
        "tonight morning night day days week weeks month months year years ago last next this "
        "past coming before after early late mid end beginning start middle first half "
        "quarter spring summer autumn century bc bce ad one two three four five six seven "
        "eight nine ten query passage none in on at of the by until since from to between as "
        "issued published posted released updated bulletin report forecast q t z s st nd rd "
        "th"
    ).split()
)
SPECIAL = ["[PAD]", "[UNK]"]


def is_punctuation(c):
    return (
        33 <= ord(c) <= 47
        or 58 <= ord(c) <= 64
        or 91 <= ord(c) <= 96
        or 123 <= ord(c) <= 126
        or unicodedata.category(c).startswith("P")
    )


def words(text):
    """Lower case, without accents, split at blanks and around punctuation, as by BERT's
    normaliser and pre-tokenizer.
    """
    text = "".join(
        c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn"
    )
    return "".join(f" {c} " if is_punctuation(c) else c for c in text).split()


def vocabulary(texts, least):
    """Frequent words of the training texts, and digits in pairs, so that unseen four-digit years
    are a known century and a known year in it.
    """
    counts = collections.Counter(
        word for text in texts for word in words(text) if not any(c.isdigit() for c in word)
    )
    often = [word for word, count in counts.most_common() if count >= least]
    pairs = [f"{n:02d}" for n in range(100)] + [str(n) for n in range(10)]
    ends = ["st", "nd", "rd", "th", "s", "t", "z"]
    return SPECIAL + pairs + [f"##{each}" for each in pairs + ends] + sorted(set(often) | TIMES)


def pieces(word, ids):
    """Greedy longest matches; a word with an unknown part is unknown as a whole."""
    found, at = [], 0
    while at < len(word):
        for end in range(len(word), at, -1):
            piece = ("##" if at else "") + word[at:end]
            if piece in ids:
                break
        else:
            return [ids["[UNK]"]]
        found.append(ids[piece])
        at = end
    return found
