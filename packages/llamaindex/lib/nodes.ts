// Nodes of LlamaIndex as passages, and passages as nodes.
import { type BaseNode, MetadataMode, TextNode } from '@llamaindex/core/schema';
import { metadataDictToNode, nodeToMetadata } from '@llamaindex/core/vector-store';
import type { Evidence, Passage, StoredPassage } from 'asof';
import { type Clocks, invalidArgument, timesOf, toJson } from 'asof/kit';

/** Longest title of a passage, in UTF-16 units. */
const longestTitle = 1000;

/**
 * A node as a passage: clocks and a title (up to 1,000 UTF-16 units) of its metadata count in
 * searches; its relations are kept next to them, as LlamaIndex's stores have them.
 */
export function passageOf(node: BaseNode, clocks: Required<Clocks>): Passage {
  if (typeof node?.id_ !== 'string' || typeof node.getContent !== 'function')
    throw invalidArgument('nodes', 'nodes { id_, text, metadata }', node);
  const { title } = node.metadata;
  const kept: unknown = JSON.parse(JSON.stringify(nodeToMetadata(node, true, 'text')));
  return {
    id: node.id_,
    text: node.getContent(MetadataMode.NONE),
    ...(typeof title === 'string' && title.length <= longestTitle ? { title } : {}),
    ...timesOf(node.metadata, clocks),
    metadata: kept as Record<string, unknown>,
  };
}

/** A passage as the node that it was of, or as one with its metadata. */
export function nodeOf({ id, text, title, metadata = {} }: StoredPassage): TextNode {
  const node =
    '_node_content' in metadata
      ? (metadataDictToNode({ ...metadata }) as TextNode)
      : new TextNode({ metadata: { ...metadata, ...(title === undefined ? {} : { title }) } });
  node.id_ = id;
  node.setContent(text);
  return node;
}

/** Evidence as a node, with what it was ranked by in `metadata.asof`, which no prompt shows. */
export function evidenceNode(evidence: Evidence): TextNode {
  const node = nodeOf(evidence);
  const { id: _, text: __, title: ___, metadata: ____, ...shown } = toJson.evidence(evidence);
  node.metadata = { ...node.metadata, asof: shown };
  node.excludedEmbedMetadataKeys = [...node.excludedEmbedMetadataKeys, 'asof'];
  node.excludedLlmMetadataKeys = [...node.excludedLlmMetadataKeys, 'asof'];
  return node;
}
