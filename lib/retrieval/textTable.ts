// What the texts of candidates have of a question's terms, in tables that native code fills from
// the terms that segments keep; texts of a segment that was written before there were any are
// analyzed here. It weighs nothing.
import { binding, withCancellation } from '../binding.js';
import type { Segment, TextQuestion, TextTable as NativeTable } from '../../binding.js';
import { sentenceRowsOfEach, sentencesOfEach } from '../store/rowTimes.js';
import { TermRows } from '../text/termRows.js';
import type { WordVectors } from '../vectors/wordVectors.js';
import type { Candidate } from './candidate.js';
import type { QueryContext } from './queryContext.js';
import { passageRecord } from './passageTexts.js';

/** Of text t: its row in each table begins at t times the table's width. */
export interface TextTable extends NativeTable {
  /** Distinct terms of the question: the width of `held` and `nearest`. */
  places: number;
  /** The width of `counts`. */
  counted: number;
}

/** Which texts of the table are a passage's: its title, and its sentences from `first` on. */
export interface TextOffsets {
  title: number;
  first: number;
}

/** A passage and those of its sentences that are read: their rows, ascending. */
export interface PassageRows {
  segment: number;
  passage: number;
  rows: readonly number[];
}

/** What is looked for in texts. */
export interface TextTerms {
  /** Each once. Places are indices of this list. */
  terms: readonly string[];
  /** Places of terms that follow one another. Default: none. */
  pairs?: readonly (readonly [number, number])[];
  /** Places of terms that other words may stand for; all have word vectors. Default: none. */
  common?: readonly number[];
  /** Terms whose occurrences are counted, each once. Default: none. */
  counted?: readonly string[];
}

/**
 * The table of the passages' texts, and where those of each stand. `vectors` may be left out where
 * nothing is common.
 */
export async function readTexts(
  query: Pick<QueryContext, 'snapshot' | 'analyzer'>,
  passages: readonly PassageRows[],
  { terms, pairs = [], common = [], counted = [] }: TextTerms,
  vectors?: Pick<WordVectors, 'table'>,
  signal?: AbortSignal,
): Promise<{ table: TextTable; places: TextOffsets[] }> {
  const question: TextQuestion = {
    terms,
    pairs: Uint32Array.from(pairs.flat()),
    common: Uint32Array.from(common),
    counted,
  };
  const words = common.length > 0 ? vectors!.table() : null;
  const places = new Array<TextOffsets>(passages.length);
  let text = 0;
  const sources = Array.from(new Set(passages.map(({ segment }) => segment)), (segment) => {
    const own = passages.filter((passage, at) => {
      if (passage.segment !== segment) return false;
      places[at] = { title: text, first: text + 1 };
      text += 1 + passage.rows.length;
      return true;
    });
    const file = query.snapshot.segments[segment]!.segment;
    return hasForwardIndex(file) ? forwardIndexTexts(file, own) : analyzeTexts(query, file, own);
  });
  const tables = await withCancellation(signal, (cancellation) =>
    Promise.all(sources.map((source) => binding.readTexts(source, question, words, cancellation))),
  );
  return {
    table: { ...concatenate(tables), places: terms.length, counted: counted.length },
    places,
  };
}

/**
 * For each of the candidates, which of the terms its passage has: in its title or in any sentence.
 */
export async function containedTerms(
  query: Pick<QueryContext, 'snapshot' | 'analyzer'>,
  candidates: readonly Pick<Candidate, 'segment' | 'passage' | 'row'>[],
  terms: readonly string[],
  signal?: AbortSignal,
): Promise<string[][]> {
  const whole = new Array<PassageRows>(candidates.length);
  for (const segment of new Set(candidates.map((each) => each.segment))) {
    const own = [...candidates.keys()].filter((at) => candidates[at]!.segment === segment);
    const sentences = sentenceRowsOfEach(
      query.snapshot.segments[segment]!,
      own.map((at) => candidates[at]!.passage),
    );
    own.forEach((at, i) => {
      const [from, to] = sentences[i]!;
      const { passage, row } = candidates[at]!;
      whole[at] = {
        segment,
        passage,
        rows: from < to ? Array.from({ length: to - from }, (_, nth) => from + nth) : [row],
      };
    });
  }
  const {
    table: { held },
    places,
  } = await readTexts(query, whole, { terms }, undefined, signal);
  return whole.map(({ rows }, at) => {
    const { title } = places[at]!;
    return terms.filter((_, term) => {
      for (let text = title; text <= title + rows.length; text += 1)
        if (held[text * terms.length + term] === 1) return true;
      return false;
    });
  });
}

const keeping = new WeakMap<Segment, boolean>();

/** Whether a segment has the terms of its texts. */
function hasForwardIndex(segment: Segment): boolean {
  let keeps = keeping.get(segment);
  if (keeps === undefined)
    keeping.set(
      segment,
      (keeps = segment.sections().some(({ name }) => name === 'lexical.forward_offset')),
    );
  return keeps;
}

function forwardIndexTexts(segment: Segment, passages: readonly PassageRows[]) {
  return {
    segment,
    passages: Uint32Array.from(passages, ({ passage }) => passage),
    counts: Uint32Array.from(passages, ({ rows }) => rows.length),
    rows: Uint32Array.from(passages.flatMap(({ rows }) => rows)),
  };
}

function analyzeTexts(
  { snapshot, analyzer }: Pick<QueryContext, 'snapshot' | 'analyzer'>,
  segment: Segment,
  passages: readonly PassageRows[],
) {
  const texts = new TermRows();
  const spans = sentencesOfEach(
    { segment },
    passages.flatMap(({ rows }) => rows),
  );
  let at = 0;
  for (const passage of passages) {
    const { title, text } = passageRecord(snapshot, passage);
    texts.add(title ? analyzer.analyze(title) : []);
    for (const { start, end } of spans.slice(at, (at += passage.rows.length)))
      texts.add(analyzer.analyze(text.slice(start, end)));
  }
  return texts.pack();
}

/** Tables one after another as one. */
function concatenate(tables: readonly NativeTable[]): NativeTable {
  if (tables.length === 1) return tables[0]!;
  type Numbers = Float64Array | Uint32Array | Uint8Array;
  const together = <Column extends Numbers>(
    column: (table: NativeTable) => Column,
    made: (length: number) => Column,
  ): Column => {
    const all = made(tables.reduce((sum, table) => sum + column(table).length, 0));
    let at = 0;
    for (const table of tables) {
      all.set(column(table), at);
      at += column(table).length;
    }
    return all;
  };
  const numbers = (length: number): Float64Array => new Float64Array(length);
  return {
    held: together(
      ({ held }) => held,
      (length) => new Uint8Array(length),
    ),
    nearest: together(({ nearest }) => nearest, numbers),
    pairs: together(({ pairs }) => pairs, numbers),
    counts: together(({ counts }) => counts, numbers),
    lengths: together(
      ({ lengths }) => lengths,
      (length) => new Uint32Array(length),
    ),
  };
}
