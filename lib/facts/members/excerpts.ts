// Excerpts of candidates' passages: the texts of the short ones, and of long ones the sentences
// nearest to the question, so that the work for a passage is bounded. Where sentences have no rows
// they are split anew, and the nearest are those with the most of the question's terms.
import type { StoredPassage } from '../../records.js';
import type { Candidate } from '../../retrieval/candidate.js';
import { passageRecord } from '../../retrieval/passageTexts.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { searchRows, semanticOnly } from '../../retrieval/search.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { hasSentenceRows } from '../../store/format/manifest.js';
import { sentenceRowsOfEach, sentencesOfEach } from '../../store/views/rowTimes.js';
import type { SnapshotSegment } from '../../store/views/snapshotSegment.js';
import { sentenceWindows } from '../../text/sentences.js';
import { mostSentences, mostUnits } from '../../statements/sources.js';
import type { Span } from '../../statements/words.js';

/** What is read of a passage: its text, or of a long one the sentences nearest to the question. */
export interface Excerpt {
  record: StoredPassage;
  isWhole: boolean;
  rows: readonly number[];
  sentences: Span[];
}

export async function excerptsOf(
  query: QueryContext,
  hits: readonly Candidate[],
  signal?: AbortSignal,
): Promise<Excerpt[]> {
  const { segments, manifest } = query.snapshot;
  if (!hasSentenceRows(manifest)) return splitAnew(query, hits, signal);
  const whole = hits.map(({ segment, passage, row }) => {
    const [from, to] = sentenceRowsOfEach(segments[segment]!, [passage])[0]!;
    if (to - from > mostSentences) return undefined;
    const rows = from < to ? Array.from({ length: to - from }, (_, i) => from + i) : [row];
    const read = withinUnits(segments[segment]!, rows);
    return read.rows.length === rows.length ? read : undefined;
  });
  const nearest = await nearestRows(
    query,
    hits.filter((_, at) => !whole[at]),
    signal,
  );
  const excerpts: Excerpt[] = [];
  for (const [at, each] of hits.entries()) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const record = passageRecord(query.snapshot, each);
    const read =
      whole[at] ?? withinUnits(segments[each.segment]!, nearest.get(placeOf(each)) ?? []);
    excerpts.push(whole[at] ? { record, isWhole: true, ...read } : excerpt(record, read));
  }
  return excerpts;
}

/** Excerpts from the first `mostUnits` of each text, all of one row. */
async function splitAnew(
  query: QueryContext,
  hits: readonly Candidate[],
  signal?: AbortSignal,
): Promise<Excerpt[]> {
  const terms = new Set(query.terms());
  const excerpts: Excerpt[] = [];
  for (const hit of hits) {
    const record = passageRecord(query.snapshot, hit);
    const sentences: Span[] = [];
    for (const some of sentenceWindows(record.text)) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      sentences.push(...some);
      if ((sentences.at(-1)?.end ?? 0) > mostUnits) break;
    }
    if (sentences.length === 0) sentences.push({ start: 0, end: record.text.length });
    while (sentences.length > 1 && sentences.at(-1)!.end > mostUnits) sentences.pop();
    const isRead = sentences.at(-1)!.end >= record.text.trimEnd().length;
    const isWhole = isRead && sentences.length <= mostSentences;
    const nearest = isWhole
      ? sentences
      : await mostTerms(query, { text: record.text, sentences, terms }, signal);
    const read = { rows: nearest.map(() => hit.row), sentences: nearest };
    excerpts.push(isWhole ? { record, isWhole, ...read } : excerpt(record, read));
  }
  return excerpts;
}

/** The sentences with the most distinct terms, the first of equals, in the order of the text. */
async function mostTerms(
  { analyzer }: QueryContext,
  passage: { text: string; sentences: readonly Span[]; terms: ReadonlySet<string> },
  signal?: AbortSignal,
): Promise<Span[]> {
  const { text, sentences, terms } = passage;
  const counts = new Float64Array(sentences.length);
  for (const [at, { start, end }] of sentences.entries()) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    counts[at] = new Set(
      analyzer.analyze(text.slice(start, end)).filter((term) => terms.has(term)),
    ).size;
  }
  const order = [...sentences.keys()].sort((a, b) => counts[b]! - counts[a]! || a - b);
  const best = order.slice(0, mostSentences).sort((a, b) => a - b);
  return best.map((at) => sentences[at]!);
}

/** Rows of sentences and their spans, ascending, without those beyond `mostUnits`. */
function withinUnits(
  stored: SnapshotSegment,
  rows: readonly number[],
): Pick<Excerpt, 'rows' | 'sentences'> {
  const spans = sentencesOfEach(stored, rows);
  let units = 0;
  const read = rows.flatMap((row, at) => {
    const sentence = spans[at]!;
    units += sentence.end - sentence.start;
    return at === 0 || units <= mostUnits ? [{ row, sentence }] : [];
  });
  read.sort((a, b) => a.row - b.row);
  return { rows: read.map(({ row }) => row), sentences: read.map(({ sentence }) => sentence) };
}

/** Sentences of a record as a text of their own, one a line. */
function excerpt(
  record: StoredPassage,
  { rows, sentences }: Pick<Excerpt, 'rows' | 'sentences'>,
): Excerpt {
  let text = '';
  const spans = sentences.map(({ start, end }): Span => {
    const from = text.length;
    text += `${record.text.slice(start, end)}\n`;
    return { start: from, end: text.length - 1 };
  });
  return { record: { ...record, text }, isWhole: false, rows, sentences: spans };
}

const placeOf = ({ segment, passage }: { segment: number; passage: number }): number =>
  segment * 2 ** 32 + passage;

/** By place of the passage: the rows of its sentences, the nearest to the question first. */
async function nearestRows(
  query: QueryContext,
  hits: readonly Candidate[],
  signal?: AbortSignal,
): Promise<Map<number, number[]>> {
  const nearest = new Map(hits.map((each): [number, number[]] => [placeOf(each), []]));
  if (hits.length === 0) return nearest;
  // Columns: of a thousand long passages there are a million sentences.
  const ranking = { relevance: semanticOnly, scope: 'sentences' } as const;
  const { segment, passage, row } = await searchRows(query, ranking, signal, hits);
  for (let at = 0; at < row.length; at += 1) {
    const turn = at % 4096 === 0 ? yieldToEventLoop(signal) : undefined;
    if (turn) await turn;
    const rows = nearest.get(placeOf({ segment: segment[at]!, passage: passage[at]! }))!;
    if (rows.length < mostSentences) rows.push(row[at]!);
  }
  return nearest;
}
