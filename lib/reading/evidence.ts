// Evidence: the passages that a system returns, read from the store after ranking, with scores,
// winning sentence and date.
import type { Candidate, Candidates, DroppedPassage } from '../retrieval/candidate.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { invalidArgument } from '../errors.js';
import { stage, type Stage } from '../pipeline.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import type { StoredPassage } from '../records.js';
import { asKnown } from '../store/views/asKnown.js';
import { contentTimesOf, sentenceOf } from '../store/views/rowTimes.js';
import type { Interval } from '../time/interval.js';
import type { ReadValidity } from '../time/validity.js';
import { chunkId, chunkNumber } from '../store/passages/chunkField.js';
import type { Snapshot } from '../store/views/snapshot.js';
import { keepSentences } from './sentences.js';

export type { DroppedPassage };

/** A passage that a system returns, with the scores that put it there. */
export interface Evidence {
  id: string;
  /** From 1. */
  rank: number;
  score: number;
  /** Named columns: similarity, lexical, temporal and whatever the system's stages added. */
  scores: Record<string, number>;
  /**
   * What each feature adds to the logarithm of the score, the largest first, where a system ranks
   * by features.
   */
  shares?: Record<string, number> | undefined;
  title?: string | undefined;
  text: string;
  /** The sentence that won; absent where the whole passage was scored. */
  sentence?: string | undefined;
  /** Where `sentence` is no sentence of the passage but a summary of it that a stage made. */
  condensed?: true | undefined;
  /** The times that the winning row speaks of; the one that gave the temporal score comes first. */
  dates?: Interval[] | undefined;
  publishedAt?: number | undefined;
  validFrom?: number | undefined;
  validTo?: number | undefined;
  /** Key of its series, and what it supersedes (`Passage.supersedes`). */
  series?: string | undefined;
  supersedes?: string | undefined;
  /**
   * The next state of its series, at whose start its validity ends; absent if that was published
   * after the question was asked.
   */
  supersededBy?: NonNullable<StoredPassage['supersededBy']> | undefined;
  /** Time zone of its days, an IANA name: that of the corpus; absent for UTC. */
  timeZone?: string | undefined;
  /**
   * From when to when what it states held, and whether it holds at the time asked for, in systems
   * that read it; `validFrom` and `validTo` are what was given.
   */
  validity?: ReadValidity | undefined;
  metadata?: Record<string, unknown> | undefined;
  /**
   * Of a chunk: where it lies in its document (UTF-16 offsets), the headings above, and where
   * `sentence` lies in the document.
   */
  chunk?:
    | {
        parent: string;
        start: number;
        end: number;
        headings?: string[] | undefined;
        sentence?: { start: number; end: number } | undefined;
      }
    | undefined;
  /**
   * With the option `highlights`: UTF-16 offsets into `text` of the words that the question is
   * searched by, and of the times that its constraint admits; in order, without overlaps.
   */
  highlights?: { start: number; end: number; kind: 'term' | 'time' }[] | undefined;
  /** With the option `neighbours`: the chunks before and after, in the document's order. */
  neighbours?: { id: string; start: number; end: number; text: string }[] | undefined;
}

export interface RankedEvidence {
  query: QueryContext;
  evidence: Evidence[];
  dropped?: DroppedPassage[];
  /** Whether scores of evidence are probabilities that the passage answers. */
  calibrated?: true;
  /** Why no passage answers, in a sentence. */
  unanswered?: string;
  /** How many passages were ranked, dropped ones included. */
  ranked: number;
  /** Whether the selection has left some out, in whose place others could come if retrieved. */
  isShort: boolean;
}

/**
 * Keeps the best that the caller asked for and reads their text; with `perDocument` that many
 * documents, each by the best of its chunks. A passage that is no chunk is a document.
 */
export function limit(): Stage<Candidates, RankedEvidence> {
  return stage('limit', async ({ query, hits, dropped, calibrated, unanswered }, { signal }) => {
    const { snapshot, selection = { count: query.k } } = query;
    const { count, offset = 0, perDocument, only, mostUnits = Infinity } = selection;
    const { minScore = -Infinity } = selection;
    const evidence: Evidence[] = [];
    let [units, skipped] = [0, 0];
    const taken = new Set(selection.without);
    for (const each of hits) {
      if (evidence.length === count) break;
      if (each.score < minScore) continue;
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      const passage = snapshot.passage(each.segment, each.passage);
      const key = selectionKey(passage, perDocument);
      if (taken.has(key) || (only && hasEnded(each))) {
        skipped += 1;
        continue;
      }
      taken.add(key);
      if (evidence.length >= offset) units += passage.text.length;
      if (units > mostUnits)
        throw invalidArgument(
          'mostUnits',
          'the UTF-16 units of the evidence or more',
          mostUnits,
          'Ask for fewer passages.',
        );
      const found = toEvidence(query, passage, each, evidence.length + 1);
      keepSentences(found, snapshot, each);
      evidence.push(found);
    }
    return {
      query,
      evidence,
      ranked: hits.length + (dropped?.length ?? 0),
      isShort:
        evidence.length < count &&
        (perDocument === true || skipped > 0 || (only !== undefined && hits.length >= query.k)) &&
        !((hits.at(-1)?.score ?? Infinity) < minScore),
      ...(dropped ? { dropped } : {}),
      ...(calibrated ? { calibrated } : {}),
      ...(unanswered === undefined ? {} : { unanswered }),
    };
  });
}

/** The id of a passage, or that of its document. */
export const selectionKey = (
  { id, chunk }: Pick<Evidence, 'id' | 'chunk'>,
  perDocument: boolean | undefined,
): string => (perDocument && chunk ? chunk.parent : id);

/** By what the texts say. */
const hasEnded = ({ validity }: Candidate): boolean => validity?.()?.state === 'ended';

function toEvidence(
  query: QueryContext,
  passage: StoredPassage,
  hit: Candidate,
  rank: number,
): Evidence {
  const { snapshot } = query;
  const { id, title, text, chunk, ...clocks } = asKnown(snapshot, passage, query.parsed.askedAt);
  const stored = snapshot.segments[hit.segment]!;
  const span =
    hit.sentence === undefined ? sentenceOf(stored, hit.row) : spanOf(text, hit.sentence);
  const { summary } = hit;
  const validity = hit.validity?.();
  const dates = summary ? [...summary.dates] : contentTimesOf(stored, hit.row);
  const winner = hit.interval === undefined ? undefined : dates[hit.interval];
  const isWhole = span.start === 0 && span.end === text.length;
  const hasSentence = !summary && !isWhole;
  const ordered = winner ? [winner, ...dates.filter((each) => each !== winner)] : dates;
  return {
    id,
    rank,
    score: hit.score,
    scores: hit.scores,
    ...(hit.shares ? { shares: hit.shares() } : {}),
    ...(title === undefined ? {} : { title }),
    text,
    ...(summary
      ? { sentence: summary.text, condensed: true as const }
      : hasSentence
        ? { sentence: text.slice(span.start, span.end) }
        : {}),
    ...(ordered.length > 0 ? { dates: ordered } : {}),
    ...(validity === undefined ? {} : { validity }),
    ...(snapshot.timeZone === undefined ? {} : { timeZone: snapshot.timeZone }),
    ...clocks,
    ...(chunk
      ? { chunk: hasSentence ? { ...chunk, sentence: inDocument(chunk, span) } : chunk }
      : {}),
  };
}

const spanOf = (text: string, part: string): { start: number; end: number } => {
  const start = Math.max(0, text.indexOf(part));
  return { start, end: start + part.length };
};

const inDocument = (chunk: { start: number }, { start, end }: { start: number; end: number }) => ({
  start: chunk.start + start,
  end: chunk.start + end,
});

/**
 * The evidence with the text of the `count` chunks on either side. They are of the same version of
 * the document, by its time of publication, and of the snapshot, so that what a mask or a pool
 * hides stays hidden.
 */
export async function withNeighbours(
  snapshot: Snapshot,
  evidence: readonly Evidence[],
  count: number,
  signal?: AbortSignal,
): Promise<Evidence[]> {
  if (count === 0) return [...evidence];
  const idsOf = evidence.map((each) => neighbourIds(each, count));
  await snapshot.remote?.fetchIds(idsOf.flat(), signal);
  return evidence.map((each, at) => {
    if (!each.chunk) return each;
    const { parent } = each.chunk;
    const neighbours: Evidence['neighbours'] = [];
    for (const place of snapshot.findEach(idsOf[at]!)) {
      if (!place) continue;
      const { id, text, chunk, publishedAt } = snapshot.passage(place.segment, place.passage);
      if (chunk?.parent !== parent || publishedAt !== each.publishedAt) continue;
      neighbours.push({ id, start: chunk.start, end: chunk.end, text });
    }
    return { ...each, neighbours };
  });
}

function neighbourIds({ id, chunk }: Evidence, count: number): string[] {
  if (!chunk) return [];
  const number = chunkNumber(id, chunk.parent)!;
  const ids: string[] = [];
  for (let n = Math.max(0, number - count); n <= number + count; n += 1)
    if (n !== number) ids.push(chunkId(chunk.parent, n));
  return ids;
}
