// Documents of LangChain as passages, and passages and evidence as documents.
import { Document, type DocumentInterface } from '@langchain/core/documents';
import { checkClocks, intervalIso, invalidArgument, timesOf, type Clocks } from 'asof/kit';
import type { Passage, StoredPassage, Evidence } from 'asof';
import { formatInstant } from 'asof/time';

/** What a document's metadata holds under `asof`; times in ISO 8601. */
export interface EvidenceMetadata {
  /** From 1. */
  rank: number;
  score: number;
  /** Named columns, as in `Evidence`. */
  scores: Record<string, number>;
  /** The sentence that won. */
  sentence?: string | undefined;
  /**
   * The times that the sentence or passage speaks of, the deciding one first; ends inclusive, null
   * where open; days of the corpus's time zone.
   */
  dates?: { start: string | null; end: string | null; granularity: string }[] | undefined;
  publishedAt?: string | undefined;
  validFrom?: string | undefined;
  /** Exclusive. */
  validTo?: string | undefined;
  /** The next state of its series, and when it starts. */
  supersededBy?: { id: string; from: string } | undefined;
  /** Where a chunk lies in its document. */
  chunk?: NonNullable<Evidence['chunk']> | undefined;
}

/** Longest title of a passage, in UTF-16 units. */
const longestTitle = 1000;
const clocksOfAsof = checkClocks();
const clockNames = Object.keys(clocksOfAsof) as (keyof Clocks)[];

/**
 * A document as a passage. Metadata is kept as JSON, so that Dates become ISO 8601 texts; its
 * clocks and its title (up to 1,000 UTF-16 units) count in searches as well. A document that a
 * retriever of asof returned has its clocks in `metadata.asof` too.
 */
export function passageOf(
  document: DocumentInterface,
  id: string,
  clocks: Required<Clocks>,
): Passage {
  if (typeof document?.pageContent !== 'string')
    throw invalidArgument('documents', 'Documents { pageContent, metadata }', document);
  const given: Record<string, unknown> = document.metadata ?? {};
  const { title, asof } = given;
  const passage: Passage = { id, text: document.pageContent };
  if (typeof title === 'string' && title.length <= longestTitle) passage.title = title;
  // Of a document that a retriever of asof returned.
  const isEvidence = typeof asof === 'object' && asof !== null;
  const evidence = timesOf(isEvidence ? { ...asof } : {}, clocksOfAsof);
  const times = timesOf(given, clocks);
  for (const name of clockNames) passage[name] = times[name] ?? evidence[name];
  const metadata = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
  if (Object.keys(metadata).length > 0) passage.metadata = metadata;
  return passage;
}

/**
 * A passage as a document: what `passageOf` read, unchanged. Title and clocks that did not come
 * from metadata are added to it.
 */
export function documentOf(
  { id, text, title, metadata, ...times }: StoredPassage,
  clocks: Required<Clocks>,
): Document {
  const added = clockNames.flatMap((name) => {
    const time = times[name];
    return time === undefined ? [] : [[clocks[name], formatInstant(time)] as const];
  });
  if (title !== undefined) added.push(['title', title]);
  return new Document({
    id,
    pageContent: text,
    metadata: { ...Object.fromEntries(added), ...metadata },
  });
}

/** A passage that a system returned, with what it was ranked by under `asof`. */
export function evidenceDocument({ id, text, title, metadata, ...evidence }: Evidence): Document {
  return new Document({
    id,
    pageContent: text,
    metadata: {
      ...metadata,
      ...(title === undefined ? {} : { title }),
      asof: evidenceMetadata(evidence),
    },
  });
}

export function evidenceMetadata(evidence: Omit<Evidence, 'id' | 'text'>): EvidenceMetadata {
  const { rank, score, scores, sentence, dates, publishedAt, validFrom, validTo, chunk } = evidence;
  const { timeZone, supersededBy } = evidence;
  return {
    rank,
    score,
    scores,
    ...(sentence === undefined ? {} : { sentence }),
    ...(dates === undefined
      ? {}
      : {
          dates: dates.map((each) => ({
            start: intervalIso(each, timeZone).start_iso,
            end: intervalIso(each, timeZone).end_iso,
            granularity: each.granularity,
          })),
        }),
    ...(publishedAt === undefined ? {} : { publishedAt: formatInstant(publishedAt) }),
    ...(validFrom === undefined ? {} : { validFrom: formatInstant(validFrom) }),
    ...(validTo === undefined ? {} : { validTo: formatInstant(validTo) }),
    ...(supersededBy === undefined
      ? {}
      : { supersededBy: { id: supersededBy.id, from: formatInstant(supersededBy.from) } }),
    ...(chunk === undefined ? {} : { chunk }),
  };
}
