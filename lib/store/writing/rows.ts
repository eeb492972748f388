// Row layout of a segment (native/index/segment/segment.hpp): passages of several sentences,
// passages of one sentence, sentences of the former. Texts and clock columns; no encoding.
import type { StoredPassage } from '../../records.js';
import { sentenceWindows, type Span } from '../../text/sentences.js';
import type { TimeLists } from '../../statements/indexing.js';
import type { Interval } from '../../time/interval.js';
import { inTurns, yieldToEventLoop, type Steps } from '../../runtime/eventLoop.js';

export interface Rows {
  /** P; local passage numbers follow the order of the input, which is that of ids. */
  passages: number;
  /** M */
  multiSentence: number;
  /** R */
  rows: number;
  /** R texts, to encode, tag and analyze. */
  texts: string[];
  /** R passage numbers. */
  rowPassage: Uint32Array;
  /** 2 R: UTF-16 [start, end) of the row in its passage's text. */
  rowSentence: Uint32Array;
  /** Of each of the P passages the sentences, at least one. */
  sentences: readonly (readonly Span[])[];
}

/**
 * Rows of passages in ascending order of id. A text without a sentence is one sentence. Without
 * `sentenceRows` a passage of several sentences has one row too: that of the whole. `known` are
 * sentences of passages that are not split again.
 */
export async function layOutRows(
  passages: readonly StoredPassage[],
  sentenceRows: boolean,
  signal?: AbortSignal,
  known: readonly (readonly Span[] | undefined)[] = [],
): Promise<Rows> {
  const spans: (readonly Span[])[] = [];
  for (const [at, { text }] of passages.entries()) {
    if (known[at]) {
      spans.push(known[at]);
      continue;
    }
    const sentences: Span[] = [];
    for (const window of sentenceWindows(text)) {
      sentences.push(...window);
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
    }
    spans.push(sentences.length > 0 ? sentences : [{ start: 0, end: text.length }]);
  }
  const isMultiSentence = (p: number): boolean => sentenceRows && spans[p]!.length > 1;
  const numbers = [...passages.keys()];
  const multiSentencePassages = numbers.filter(isMultiSentence);
  const singlePassages = numbers.filter((p) => !isMultiSentence(p));
  const rows =
    passages.length + multiSentencePassages.reduce((sum, p) => sum + spans[p]!.length, 0);
  const result: Rows = {
    passages: passages.length,
    multiSentence: multiSentencePassages.length,
    rows,
    texts: [],
    rowPassage: new Uint32Array(rows),
    rowSentence: new Uint32Array(2 * rows),
    sentences: spans,
  };
  const add = (passage: number, start: number, end: number, text: string): void => {
    const row = result.texts.push(text) - 1;
    result.rowPassage[row] = passage;
    result.rowSentence[2 * row] = start;
    result.rowSentence[2 * row + 1] = end;
  };
  const addWhole = (p: number): void =>
    add(p, 0, passages[p]!.text.length, passageText(passages[p]!));
  function* addSentences(p: number): Steps<void> {
    const { title, text } = passages[p]!;
    for (const { start, end } of spans[p]!) {
      add(p, start, end, sentenceText(title, text.slice(start, end)));
      yield;
    }
  }
  multiSentencePassages.forEach(addWhole);
  for (const p of singlePassages)
    if (spans[p]!.length > 1) addWhole(p);
    else await inTurns(addSentences(p), signal);
  for (const p of multiSentencePassages) await inTurns(addSentences(p), signal);
  return result;
}

/** Encoded text of a whole passage: the title as a sentence of its own, then the text. */
export function passageText({ title, text }: Pick<StoredPassage, 'title' | 'text'>): string {
  if (!title) return text;
  return /[.!?:]$/.test(title) ? `${title} ${text}` : `${title}. ${text}`;
}

/** Encoded text of a sentence: the title, then the sentence (MRAG appendix C). */
export function sentenceText(title: string | undefined, sentence: string): string {
  return title ? `${title} ${sentence}` : sentence;
}

/** Input columns of packClocks. */
export interface ClockColumns {
  published: Float64Array;
  validStart: Float64Array;
  validEnd: Float64Array;
  contentOffset: Uint32Array;
  contentStart: Float64Array;
  contentEnd: Float64Array;
  contentGranularity: Uint8Array;
}

/** Clock columns of rows; `contents` are of each passage, then of the rows of its sentences. */
export function* clockColumns(
  rows: Rows,
  passages: readonly StoredPassage[],
  contents: TimeLists,
): Steps<ClockColumns> {
  const lists = new Uint32Array(rows.passages);
  for (const passage of rows.rowPassage) if (passage + 1 < lists.length) lists[passage + 1]! += 1;
  for (let p = 1; p < lists.length; p += 1) lists[p]! += lists[p - 1]!;
  const { listEnds } = contents;
  const listOf = rows.rowPassage.map((passage) => lists[passage]!++);
  const from = (list: number): number => (list === 0 ? 0 : listEnds[list - 1]!);
  const contentOffset = new Uint32Array(rows.rows + 1);
  for (const [row, list] of listOf.entries())
    contentOffset[row + 1] = contentOffset[row]! + listEnds[list]! - from(list);
  const count = contentOffset[rows.rows]!;
  const columns: ClockColumns = {
    published: new Float64Array(rows.rows),
    validStart: new Float64Array(rows.rows),
    validEnd: new Float64Array(rows.rows),
    contentOffset,
    contentStart: new Float64Array(count),
    contentEnd: new Float64Array(count),
    contentGranularity: new Uint8Array(count),
  };
  let at = 0;
  for (const [row, list] of listOf.entries()) {
    const { publishedAt, validFrom, validTo } = passages[rows.rowPassage[row]!]!;
    const isBounded = validFrom !== undefined || validTo !== undefined;
    columns.published[row] = publishedAt ?? NaN;
    columns.validStart[row] = isBounded ? (validFrom ?? -Infinity) : NaN;
    columns.validEnd[row] = isBounded ? (validTo ?? Infinity) : NaN;
    for (let time = from(list); time < listEnds[list]!; time += 1) {
      columns.contentStart[at] = contents.starts[time]!;
      columns.contentEnd[at] = contents.ends[time]!;
      columns.contentGranularity[at] = contents.granularities[time]!;
      at += 1;
    }
    yield;
  }
  return columns;
}

/** Union of lists of intervals, in order of first appearance. */
export function unionIntervals(lists: readonly (readonly Interval[])[]): Interval[] {
  const union = new Map<string, Interval>();
  for (const interval of lists.flat()) {
    const key = `${interval.start} ${interval.end}`;
    if (!union.has(key)) union.set(key, interval);
  }
  return [...union.values()];
}
