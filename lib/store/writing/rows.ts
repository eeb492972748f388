// Row layout of a segment (native/index/segment/segment.hpp): passages of several sentences,
// passages of one sentence, sentences of the former. Texts and clock columns; no encoding.
import type { StoredPassage } from '../../records.js';
import { sentenceWindows, type Span } from '../../text/sentences.js';
import { granularities, type Interval } from '../../time/interval.js';
import { atOnce, inTurns, yieldToEventLoop, type Steps } from '../../runtime/eventLoop.js';

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
 * `sentenceRows` a passage of several sentences has one row too: that of the whole.
 */
export async function layOutRows(
  passages: readonly StoredPassage[],
  sentenceRows: boolean,
  signal?: AbortSignal,
): Promise<Rows> {
  const spans: Span[][] = [];
  for (const { text } of passages) {
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

/**
 * Clock columns of rows. `contents` are the content times of the rows [multiSentence, rows), which
 * are single sentences; a passage of several sentences has the union of theirs.
 */
export function* clockColumns(
  rows: Rows,
  passages: readonly StoredPassage[],
  contents: readonly (readonly Interval[])[],
): Steps<ClockColumns> {
  const parts: (readonly Interval[])[][] = Array.from({ length: rows.multiSentence }, () => []);
  const firstRow = new Map<number, number>(); // passage number -> its row in the first group
  for (let row = 0; row < rows.multiSentence; row += 1) firstRow.set(rows.rowPassage[row]!, row);
  for (let row = rows.passages; row < rows.rows; row += 1)
    parts[firstRow.get(rows.rowPassage[row]!)!]!.push(contents[row - rows.multiSentence]!);
  yield;
  const all: (readonly Interval[])[] = [];
  for (const lists of parts) all.push(yield* unionSteps(lists));
  for (const each of contents) all.push(each);
  const contentOffset = new Uint32Array(rows.rows + 1);
  all.forEach((each, row) => void (contentOffset[row + 1] = contentOffset[row]! + each.length));
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
  for (const [row, intervals] of all.entries()) {
    const { publishedAt, validFrom, validTo } = passages[rows.rowPassage[row]!]!;
    const isBounded = validFrom !== undefined || validTo !== undefined;
    columns.published[row] = publishedAt ?? NaN;
    columns.validStart[row] = isBounded ? (validFrom ?? -Infinity) : NaN;
    columns.validEnd[row] = isBounded ? (validTo ?? Infinity) : NaN;
    for (const { start, end, granularity } of intervals) {
      columns.contentStart[at] = start;
      columns.contentEnd[at] = end;
      columns.contentGranularity[at] = granularities.indexOf(granularity);
      at += 1;
    }
    yield;
  }
  return columns;
}

/** Union of lists of intervals, in order of first appearance. */
export const unionIntervals = (lists: readonly (readonly Interval[])[]): Interval[] =>
  atOnce(unionSteps(lists));

/** `unionIntervals` in steps, a list each. */
export function* unionSteps(lists: readonly (readonly Interval[])[]): Steps<Interval[]> {
  const union = new Map<string, Interval>();
  for (const list of lists) {
    for (const interval of list) {
      const key = `${interval.start} ${interval.end}`;
      if (!union.has(key)) union.set(key, interval);
    }
    yield;
  }
  return [...union.values()];
}
