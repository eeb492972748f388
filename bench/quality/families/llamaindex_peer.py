# LlamaIndex's recency as a system of bench/quality/families/measure.ts, whose process this is: a line of JSON each way. The first line has the
# passages with their vectors, each later one a question; an answer has ids, best first. usage: llamaindex_peer.py
import base64
import json
import sys

import numpy as np
from llama_index.core import VectorStoreIndex
from llama_index.core.embeddings import MockEmbedding
from llama_index.core.postprocessor import FixedRecencyPostprocessor
from llama_index.core.schema import QueryBundle, TextNode

# Dates of passages without one, where others have one: the oldest.
UNDATED = "1970-01-01T00:00:00.000Z"


def vectors(text, dimensions):
    return np.frombuffer(base64.b64decode(text), dtype="<f4").reshape(-1, dimensions).tolist()


def say(value):
    print(json.dumps(value), flush=True)


data = json.loads(sys.stdin.readline())
nodes = [
    TextNode(id_=id, text=id, embedding=vector)
    for id, vector in zip(data["ids"], vectors(data["vectors"], data["dimensions"]), strict=True)
]
index = VectorStoreIndex(nodes, embed_model=MockEmbedding(embed_dim=data["dimensions"]))
dates = dict(zip(data["ids"], data["dates"], strict=True))
is_dated = any(dates.values())
recency = FixedRecencyPostprocessor(top_k=data["k"])
retriever = index.as_retriever(similarity_top_k=data["retrieved"])
say(len(nodes))
for line in sys.stdin:
    question = json.loads(line)
    bundle = QueryBundle(
        question["text"], embedding=vectors(question["vector"], data["dimensions"])[0]
    )
    found = retriever.retrieve(bundle)
    for each in found:
        each.node.metadata["date"] = min(dates[each.node.node_id] or UNDATED, question["asked_at"])
    ranked = recency.postprocess_nodes(found, bundle) if is_dated else found[: data["k"]]
    say([each.node.node_id for each in ranked])
