// Statistics of a corpus from the manifest and the segments' section tables, without reading
// vectors.
import { declaredFields, type Fields } from './fields/types.js';
import type { Snapshot } from './views/snapshot.js';
import {
  hasSentenceRows,
  liveCounts,
  type Manifest,
  type Storage,
  type TimeSpan,
} from './format/manifest.js';

/** Counts, sizes and time spans of a corpus, be it in a folder or in PostgreSQL. */
export interface StoredCorpusInfo {
  /**
   * Live passages, rows and sentences. A passage of one sentence is one row, one of n > 1 sentences
   * n + 1; without rows of sentences each passage is one row, and counts as one sentence.
   */
  passages: number;
  rows: number;
  sentences: number;
  /** Whether sentences have rows of their own (`CorpusOptions.sentences`). */
  sentenceRows: boolean;
  /** Passages deleted or replaced: what compact() drops, or the history keeps. */
  deleted: number;
  encoder: { id: string; dimensions: number };
  pipeline: { sentences: string; times: string; terms: string };
  /** Types of the fields that filters can name (`CorpusOptions.fields`). */
  fields: Fields;
  /** IANA name of the time zone of its days. */
  timeZone: string;
  /** Bytes on disk by content. */
  bytes: { total: number };
  /**
   * [earliest, latest] instants of each clock in UTC epoch ms, null for an open end; the second of
   * `valid` and `content` is exclusive. Absent if no row has the clock.
   */
  spans: {
    published?: TimeSpan | undefined;
    valid?: TimeSpan | undefined;
    content?: TimeSpan | undefined;
  };
}

/** That of a folder, whose `spans` include those of deleted passages. */
export interface CorpusInfo extends StoredCorpusInfo {
  path: string;
  /** Rises with every commit. */
  generation: number;
  segments: number;
  /**
   * Of corpora with history, the time of the last write and from when on versions are kept (absent:
   * all), in UTC epoch milliseconds.
   */
  history?: { last: number; from?: number | undefined } | undefined;
  /**
   * Type of the quantized copy of the vectors (CorpusOptions.storage); 'mixed' if segments differ,
   * until compact().
   */
  storage: Storage | 'mixed';
  /**
   * Bytes on disk by content: `vectors` f32, `panels` the quantized copy, `catalog` texts,
   * metadata, fields, ids and the manifest, `derived` columns that can be recomputed.
   */
  bytes: Record<
    | 'total'
    | 'vectors'
    | 'panels'
    | 'clocks'
    | 'lexical'
    | 'rows'
    | 'catalog'
    | 'derived'
    | 'other',
    number
  >;
}

export function corpusInfo(snapshot: Snapshot, path: string, manifestBytes: number): CorpusInfo {
  const { manifest, segments } = snapshot;
  const derived = manifest.derived.reduce((sum, each) => sum + each.bytes, 0);
  const bytes = {
    total: manifestBytes + derived,
    vectors: 0,
    panels: 0,
    clocks: 0,
    lexical: 0,
    rows: 0,
    catalog: manifestBytes,
    derived,
    other: 0,
  };
  for (const { segment } of segments) {
    let named = 0;
    for (const section of segment.sections()) {
      bytes[partOf(section.name)] += section.bytes;
      named += section.bytes;
    }
    bytes.total += segment.bytes;
    bytes.other += segment.bytes - named;
  }
  return {
    path,
    generation: manifest.generation,
    ...liveCounts(manifest),
    sentenceRows: hasSentenceRows(manifest),
    segments: segments.length,
    deleted: manifest.segments.reduce((sum, segment) => sum + segment.deleted, 0),
    encoder: manifest.encoder,
    pipeline: manifest.pipeline,
    fields: declaredFields(manifest.fields),
    ...(manifest.history ? { history: manifest.history } : {}),
    timeZone: manifest.timeZone ?? 'UTC',
    storage: storageOf(manifest),
    bytes,
    spans: unionSpans(manifest.segments.map((segment) => segment.spans)),
  };
}

function storageOf({ storage, segments }: Manifest): Storage | 'mixed' {
  const types = new Set(segments.map((segment) => segment.storage));
  if (types.size > 1) return 'mixed';
  const [only] = types;
  return only ?? storage;
}

function partOf(section: string): 'vectors' | 'panels' | 'clocks' | 'lexical' | 'catalog' | 'rows' {
  if (section.startsWith('vectors.')) return 'vectors';
  if (section.startsWith('panels.')) return 'panels';
  if (section.startsWith('clock.') || section.startsWith('blocks.')) return 'clocks';
  if (section.startsWith('passages.') || section.startsWith('fields.')) return 'catalog';
  return section.startsWith('lexical.') ? 'lexical' : 'rows';
}

/** The hull of spans, by clock. */
export function unionSpans(spans: readonly CorpusInfo['spans'][]): CorpusInfo['spans'] {
  const result: CorpusInfo['spans'] = {};
  for (const clock of ['published', 'valid', 'content'] as const) {
    const known = spans.flatMap((each) => (each[clock] ? [each[clock]] : []));
    if (known.length === 0) continue;
    const low = Math.min(...known.map(([start]) => start ?? -Infinity));
    const high = Math.max(...known.map(([, end]) => end ?? Infinity));
    result[clock] = [Number.isFinite(low) ? low : null, Number.isFinite(high) ? high : null];
  }
  return result;
}
