// Triplets: question, positive, negative and margin, in memory and as JSON lines.
import { AsOfError } from 'asof';
import {
  invalidArgument,
  relations,
  mustBe,
  invalidLine,
  readJsonLines,
  stringField,
  type LineLocation,
  passageText,
} from 'asof/kit';
import { formatInstant, parseInstant, type Relation, type Window } from 'asof/time';

/** The splits of triplets, by page. */
export const splits = ['train', 'test'] as const;
export type Split = (typeof splits)[number];

export interface TripletPassage {
  id: string;
  title?: string | undefined;
  text: string;
  /** UTC epoch milliseconds: the reference of relative dates in the text. */
  publishedAt?: number | undefined;
}

/** A question with a passage that answers it and one that does not. */
export interface Triplet {
  /** `temporal`: positive and negative differ by time. `general`: they differ by topic. */
  kind: 'temporal' | 'general';
  split: Split;
  question: string;
  /** `rules`, or the id of the model that wrote the question; of temporal ones. */
  by?: string | undefined;
  /** Temporal constraint of the question; of temporal ones. */
  window?: Window | undefined;
  relation?: Relation | undefined;
  positive: TripletPassage;
  negative: TripletPassage;
  /** Margin of the ranking loss, in cosine. */
  margin: number;
  /** Years between the window and the negative's nearest time. */
  gapYears?: number | undefined;
}

/**
 * A line of a triplets file, with open ends as null: {kind, split, question, by?, relation?,
 * window_start?, window_end?, positive: {id, title?, text, published_at?}, negative: {...}, margin,
 * gap_years?}. Adapters and time encoders are trained on it.
 */
export function toTripletRecord(triplet: Triplet): Record<string, unknown> {
  mustBe('an object', { triplet });
  const { kind, split, question, by, window, relation, positive, negative, margin, gapYears } =
    triplet;
  if (!Number.isFinite(margin)) throw invalidArgument('triplet.margin', 'a finite number', margin);
  const edge = (instant: number): string | null =>
    Number.isFinite(instant) ? formatInstant(instant) : null;
  return {
    kind,
    split,
    question,
    ...(by === undefined ? {} : { by }),
    ...(relation ? { relation } : {}),
    ...(window ? { window_start: edge(window.start), window_end: edge(window.end) } : {}),
    positive: passageRecord(positive),
    negative: passageRecord(negative),
    margin: Number(margin.toFixed(4)),
    ...(gapYears === undefined ? {} : { gap_years: Number(gapYears.toFixed(2)) }),
  };
}

/**
 * A line of a data set of sentence-transformers, for its TripletLoss, or its MarginMSELoss over the
 * column `label`: {anchor, positive, negative, label}. Texts are those that `Encoder` gets.
 */
export const toSentenceTransformersRecord = ({
  question,
  positive,
  negative,
  margin,
}: Triplet): Record<string, unknown> => ({
  anchor: question,
  positive: passageText(positive),
  negative: passageText(negative),
  label: Number(margin.toFixed(4)),
});

const passageRecord = ({ publishedAt, ...passage }: TripletPassage): Record<string, unknown> => ({
  ...passage,
  ...(publishedAt === undefined ? {} : { published_at: formatInstant(publishedAt) }),
});

/** A passage of a triplet with the fields that triplets have of it. */
export const tripletPassage = ({
  id,
  title,
  text,
  publishedAt,
}: TripletPassage): TripletPassage => ({
  id,
  ...(title === undefined ? {} : { title }),
  text,
  ...(publishedAt === undefined ? {} : { publishedAt }),
});

/**
 * Reads triplets from JSON lines, one at a time.
 * @throws AsOfError ERR_INVALID_INPUT naming file and line, ERR_NOT_FOUND, ERR_ABORTED
 */
export function readTriplets(
  file: string,
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Triplet> {
  return readJsonLines(file, fromTripletRecord, options);
}

export function fromTripletRecord(record: Record<string, unknown>, where: LineLocation): Triplet {
  const kind = stringField(record, 'kind', where);
  const split = stringField(record, 'split', where) as Split;
  if (kind !== 'temporal' && kind !== 'general')
    throw invalidLine(where, '"kind" to be temporal or general', JSON.stringify(kind));
  if (!splits.includes(split))
    throw invalidLine(where, `"split" to be ${splits.join(' or ')}`, JSON.stringify(split));
  const margin = record['margin'];
  if (typeof margin !== 'number' || !(margin >= 0))
    throw invalidLine(where, '"margin" to be a number of at least 0', JSON.stringify(margin));
  const relation = stringField(record, 'relation', where, 'allowed') as Relation | undefined;
  if (relation !== undefined && !relations.includes(relation))
    throw invalidLine(
      where,
      `"relation" to be one of ${relations.join(', ')}`,
      JSON.stringify(relation),
    );
  const by = stringField(record, 'by', where, 'allowed');
  const dated = 'window_start' in record || 'window_end' in record;
  const gapYears = record['gap_years'];
  return {
    kind,
    split,
    margin,
    question: stringField(record, 'question', where),
    positive: passageOf(record['positive'], 'positive', where),
    negative: passageOf(record['negative'], 'negative', where),
    ...(by === undefined ? {} : { by }),
    ...(relation ? { relation } : {}),
    ...(dated
      ? {
          window: {
            start: instantOf(record, 'window_start', -Infinity, where),
            end: instantOf(record, 'window_end', Infinity, where),
          },
        }
      : {}),
    ...(typeof gapYears === 'number' ? { gapYears } : {}),
  };
}

/** A passage in a line of triplets. */
export function passageOf(value: unknown, name: string, where: LineLocation): TripletPassage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidLine(
      where,
      `"${name}" to be {id,title?,text,published_at?}`,
      JSON.stringify(value)?.slice(0, 60),
    );
  }
  const record = value as Record<string, unknown>;
  const title = stringField(record, 'title', where, 'allowed');
  const publishedAt = instantOf(record, 'published_at', NaN, where);
  return {
    id: stringField(record, 'id', where),
    text: stringField(record, 'text', where),
    ...(title === undefined ? {} : { title }),
    ...(Number.isNaN(publishedAt) ? {} : { publishedAt }),
  };
}

function instantOf(
  record: Record<string, unknown>,
  name: string,
  absent: number,
  where: LineLocation,
): number {
  const text = stringField(record, name, where, 'allowed');
  if (text === undefined) return absent;
  try {
    return parseInstant(text, 'start', name);
  } catch (cause) {
    if (!AsOfError.is(cause)) throw cause;
    throw invalidLine(where, `"${name}" to be an ISO 8601 time`, JSON.stringify(text));
  }
}
