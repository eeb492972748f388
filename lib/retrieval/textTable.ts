// Term tables of candidates' titles and sentences, filled natively from the forward index, or from
// analysed texts for segments that were written without one.
import { binding, withCancellation } from '../binding.js';
import type { Segment, TextQuestion, TextTable as NativeTable } from '../../binding.js';
import type { CacheSpec } from '../runtime/cacheRegistry.js';
import { sentenceRowsOfEach, sentencesOfEach } from '../store/rowTimes.js';
import { TermRows } from '../text/termRows.js';
import type { WordVectors } from '../vectors/wordVectors.js';
import type { Candidate } from './candidate.js';
import type { QueryContext } from './queryContext.js';
import { passageRecord } from './passageTexts.js';

/** Row t of each table, at t times its width, is text t. */
export interface TextTable extends NativeTable {
  /** Distinct terms of the question: the width of `present` and `nearest`. */
  width: number;
  /** The width of `counts`. */
  counted: number;
}

/** The rows of a passage: its title, and its sentences from `first` on. */
export interface TextOffsets {
  title: number;
  first: number;
}

/** A passage and the rows of its sentences to read, ascending. */
export interface PassageRows {
  segment: number;
  passage: number;
  rows: readonly number[];
}

/** The terms that tables have columns for. */
export interface TextTerms {
  /** Distinct. The lists below are of indices into it. */
  terms: readonly string[];
  /** Pairs of adjacent terms. Default: none. */
  pairs?: readonly (readonly [number, number])[];
  /** Terms matched by similar words too; all have word vectors. Default: none. */
  common?: readonly number[];
  /** Distinct terms whose occurrences are counted. Default: none. */
  counted?: readonly string[];
}

/** The tables of the passages' texts, and the rows of each. `vectors` are needed for `common`. */
export async function readTexts(
  query: Pick<QueryContext, 'snapshot' | 'analyzer'>,
  passages: readonly PassageRows[],
  { terms, pairs = [], common = [], counted = [] }: TextTerms,
  vectors?: Pick<WordVectors, 'table'>,
  signal?: AbortSignal,
): Promise<{ table: TextTable; textOffsets: TextOffsets[] }> {
  const question: TextQuestion = {
    terms,
    pairs: Uint32Array.from(pairs.flat()),
    common: Uint32Array.from(common),
    counted,
  };
  const words = common.length > 0 ? vectors!.table() : null;
  const textOffsets = new Array<TextOffsets>(passages.length);
  let text = 0;
  const sources = Array.from(new Set(passages.map(({ segment }) => segment)), (segment) => {
    const group = passages.filter((passage, at) => {
      if (passage.segment !== segment) return false;
      textOffsets[at] = { title: text, first: text + 1 };
      text += 1 + passage.rows.length;
      return true;
    });
    const { segment: file, caches } = query.snapshot.segments[segment]!;
    return caches.get(hasForwardIndex)
      ? forwardIndexTexts(file, group)
      : analyzeTexts(query, file, group);
  });
  const tables = await withCancellation(signal, (cancellation) =>
    Promise.all(sources.map((source) => binding.readTexts(source, question, words, cancellation))),
  );
  return {
    table: { ...concatenate(tables), width: terms.length, counted: counted.length },
    textOffsets,
  };
}

/** For each candidate the terms in the title or any sentence of its passage. */
export async function containedTerms(
  query: Pick<QueryContext, 'snapshot' | 'analyzer'>,
  candidates: readonly Pick<Candidate, 'segment' | 'passage' | 'row'>[],
  terms: readonly string[],
  signal?: AbortSignal,
): Promise<string[][]> {
  const whole = new Array<PassageRows>(candidates.length);
  for (const segment of new Set(candidates.map((each) => each.segment))) {
    const group = [...candidates.keys()].filter((at) => candidates[at]!.segment === segment);
    const sentences = sentenceRowsOfEach(
      query.snapshot.segments[segment]!,
      group.map((at) => candidates[at]!.passage),
    );
    group.forEach((at, i) => {
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
    table: { present },
    textOffsets,
  } = await readTexts(query, whole, { terms }, undefined, signal);
  return whole.map(({ rows }, at) => {
    const { title } = textOffsets[at]!;
    return terms.filter((_, term) => {
      for (let text = title; text <= title + rows.length; text += 1)
        if (present[text * terms.length + term] === 1) return true;
      return false;
    });
  });
}

/** Whether a segment has a forward index, the terms of its texts. */
const hasForwardIndex: CacheSpec<boolean, Segment> = {
  name: 'has forward index',
  create: (segment) => segment.sections().some(({ name }) => name === 'lexical.forward_offset'),
};

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

/** Concatenated tables. */
function concatenate(tables: readonly NativeTable[]): NativeTable {
  if (tables.length === 1) return tables[0]!;
  type Numbers = Float64Array | Uint32Array | Uint8Array;
  const concatenateColumn = <Column extends Numbers>(
    column: (table: NativeTable) => Column,
    allocate: (length: number) => Column,
  ): Column => {
    const all = allocate(tables.reduce((sum, table) => sum + column(table).length, 0));
    let at = 0;
    for (const table of tables) {
      all.set(column(table), at);
      at += column(table).length;
    }
    return all;
  };
  const numbers = (length: number): Float64Array => new Float64Array(length);
  return {
    present: concatenateColumn(
      ({ present }) => present,
      (length) => new Uint8Array(length),
    ),
    nearest: concatenateColumn(({ nearest }) => nearest, numbers),
    pairs: concatenateColumn(({ pairs }) => pairs, numbers),
    counts: concatenateColumn(({ counts }) => counts, numbers),
    lengths: concatenateColumn(
      ({ lengths }) => lengths,
      (length) => new Uint32Array(length),
    ),
  };
}
