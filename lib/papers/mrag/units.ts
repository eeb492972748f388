// Units of MRAG's hybrid ranking (section 4, appendix G): the sentences and summaries of the
// shortlisted passages, with their similarity, BM25 and temporal score.
import type { FlatResult } from '../../../binding.js';
import { temporalProduct } from '../../ranking/columns.js';
import { splineValue } from '../../ranking/formValue.js';
import { Readings, type PassageReading } from './readings.js';
import { mayBeginAt, mayEndAt } from '../../time/states.js';
import type { ExactTimeMatch } from '../../ranking/temporal.js';
import { bm25Scorer, type Bm25Scorer } from '../../retrieval/bm25Scorer.js';
import {
  passageLookup,
  RowCandidate,
  type Candidate,
  type Summary,
} from '../../retrieval/candidate.js';
import { hitOrder } from '../../retrieval/scanHits.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { searchRows, semanticOnly, type Ranking } from '../../retrieval/search.js';
import { countTerms } from '../../retrieval/termCounts.js';
import {
  contentColumnsOf,
  haveValidity,
  type ContentTimeColumns,
} from '../../store/views/rowTimes.js';
import type { SplineForm, TemporalForm } from '../../time/temporalForms.js';

export interface UnitScoring extends Required<Pick<Ranking, 'relevance' | 'mask' | 'form'>> {
  /** Gain of units with exactly the question's time. Default: none. */
  exactTime?: (query: QueryContext) => ExactTimeMatch | undefined;
}

/** A sentence or summary of a passage; only the best of each passage becomes a candidate. */
export class Unit {
  score = 0;
  lexical = 0;
  reranker: number | undefined;
  readonly segment: number;
  readonly passage: number;
  similarity: number;
  /** NaN without one. */
  temporal: number;
  /** The content interval that gave the temporal score, or -1. */
  readonly interval: number;

  constructor(
    readonly from: Candidate,
    readonly row: number,
    { similarity, temporal, interval }: Pick<Unit, 'similarity' | 'temporal' | 'interval'>,
    readonly summary?: Summary,
  ) {
    this.similarity = similarity;
    this.temporal = temporal;
    this.interval = interval;
    this.segment = from.segment;
    this.passage = from.passage;
  }

  get id(): string {
    return this.from.id;
  }

  /** The passage, scored by this unit. */
  candidate(): Candidate {
    const { from, row, similarity, temporal, lexical, interval, summary, reranker } = this;
    const { segment, passage } = from;
    const hit = new RowCandidate(
      () => from.id,
      { segment, passage, row, ...(interval < 0 ? {} : { interval }) },
      this.score,
      {
        retrieval: from.score,
        similarity,
        ...(lexical > 0 || summary ? { lexical } : {}),
        ...(Number.isNaN(temporal) ? {} : { temporal }),
        ...(reranker === undefined ? {} : { reranker }),
      },
    );
    if (summary) hit.summary = summary;
    return hit;
  }
}

interface Units {
  sentences: Unit[];
  /** Without similarity: they have no row vectors. */
  summaries: Unit[];
}

/** The sentences and summaries of passages, with their columns and no score yet. */
export async function collectUnits(
  query: QueryContext,
  hits: readonly Candidate[],
  scoring: UnitScoring,
  signal?: AbortSignal,
): Promise<Units> {
  const { relevance, mask, form: formOf, exactTime: exactTimeOf } = scoring;
  const rows = await searchRows(
    query,
    { scope: 'sentences', relevance: semanticOnly, mask, form: formOf },
    signal,
    hits,
  );
  const own = sentencesOfPassages(query, hits, rows);
  const [form, exactTime] = [formOf(query), exactTimeOf?.(query)];
  const byContent = usesContentTime(query, form, own);
  const sentences = own.flat();
  const { semantic: _, lexical, ...parameters } = relevance;
  const words = bm25Scorer(query.snapshot, query.terms(), { ...parameters, scope: 'sentences' });
  await scoreWords(query, sentences, words, signal);
  if (exactTime)
    boostExactTimes(
      query,
      own.flatMap((rows, at) => (byContent[at] ? rows : [])),
      exactTime,
    );
  // Passages without sentences are masked.
  const condensed = [...hits.keys()].filter(
    (at) => hits[at]!.summary !== undefined && own[at]!.length > 0,
  );
  const summaries = condensed.map((at) => {
    const [from, last] = [hits[at]!, own[at]!.at(-1)!];
    const summary = from.summary!;
    const { value, interval } = byContent[at]
      ? splineValue(form as SplineForm, summary.dates)
      : { value: last.temporal, interval: -1 };
    const each = new Unit(from, last.row, { similarity: 0, temporal: value, interval }, summary);
    if (lexical !== 0)
      each.lexical = words.score(
        summary.counted ?? words.count(query.analyzer.analyze(summary.text)),
      );
    if (exactTime && byContent[at]) raise(each, exactTime.of(summary.dates));
    return each;
  });
  return { sentences, summaries };
}

/** Sentences that are scored by their words; the paper ranks 200. */
const maxScored = 500;

/**
 * The sentences of each passage, by row. Of more than `maxScored` the first by similarity times
 * temporal score, ties by the score of the passage, and the best of every passage.
 */
function sentencesOfPassages(
  { snapshot }: QueryContext,
  hits: readonly Candidate[],
  rows: FlatResult,
): Unit[][] {
  const { segment, passage, row, similarity, temporal, mention } = rows;
  const placeOf = passageLookup(hits);
  const places = row.map((_, i) => placeOf(segment[i]!, passage[i]!)!);
  const own: Unit[][] = hits.map(() => []);
  const add = (i: number): void =>
    void own[places[i]!]!.push(
      new Unit(hits[places[i]!]!, row[i]!, {
        similarity: similarity[i]!,
        temporal: temporal[i]!,
        interval: mention[i]!,
      }),
    );
  if (row.length <= maxScored) row.forEach((_, i) => add(i));
  else {
    const bounds = temporal.map((time, i) =>
      temporalProduct(similarity[i]!, Number.isNaN(time) ? 1 : time),
    );
    const byBound = hitOrder(rows, 0, row.length, (segment, passage) =>
      snapshot.id(segment, passage),
    );
    byBound.sort(
      (a, b) => bounds[b]! - bounds[a]! || hits[places[b]!]!.score - hits[places[a]!]!.score,
    );
    byBound.forEach((i, at) => {
      if (at < maxScored || own[places[i]!]!.length === 0) add(i);
    });
  }
  for (const each of own) each.sort((a, b) => a.row - b.row);
  return own;
}

/** BM25 of every sentence with its title, from the terms that its row is indexed by. */
async function scoreWords(
  query: QueryContext,
  rows: readonly Unit[],
  words: Bm25Scorer,
  signal?: AbortSignal,
): Promise<void> {
  const { lengths, counts } = await countTerms(query.snapshot, rows, words.terms, signal);
  rows.forEach((each, at) => {
    const score = words.scoreOf(lengths[at]!, counts, at * words.terms.length);
    if (score > 0) each.lexical = score;
  });
}

/**
 * Raises the temporal score of sentences that state the question's exact time. The text around
 * dates is read only where a date may match.
 */
function boostExactTimes(
  query: QueryContext,
  rows: readonly Unit[],
  exactTime: ExactTimeMatch,
): void {
  const readings = new Readings(query);
  const matching: { reading: PassageReading; rows: Unit[] }[] = [];
  for (const [number, stored] of query.snapshot.segments.entries()) {
    const own = rows.filter((each) => each.segment === number);
    const times = contentColumnsOf(
      stored,
      own.map(({ row }) => row),
    );
    own.forEach((each, at) => {
      if (!mayMatchTime(exactTime, times, at)) return;
      const last = matching.at(-1);
      if (last?.rows[0]!.from === each.from) last.rows.push(each);
      else matching.push({ reading: readings.passage(each.from), rows: [each] });
    });
  }
  readings.readAhead(matching);
  for (const { reading, rows } of matching) {
    const sentences = readings.sentences(reading, rows);
    rows.forEach((each, at) => raise(each, exactTime.of(sentences[at]!.times)));
  }
}

/** False only if no date of the row can match, whatever its context. */
function mayMatchTime(
  { interval, eitherEnd }: ExactTimeMatch,
  { offsets, starts, ends }: ContentTimeColumns,
  at: number,
): boolean {
  let [begins, over] = [false, false];
  for (let i = offsets[at]!; i < offsets[at + 1]!; i += 1) {
    begins ||= mayBeginAt(interval.start, starts[i]!);
    over ||= mayEndAt(interval.end, ends[i]!);
  }
  return eitherEnd ? begins || over : begins && over;
}

function raise(each: Unit, gain: number): void {
  if (gain > 0) each.temporal = Math.min(2, each.temporal * (1 + gain));
}

/** For each passage whether its temporal score is of content time, not of its validity. */
function usesContentTime(
  { snapshot }: QueryContext,
  form: TemporalForm,
  own: readonly (readonly Unit[])[],
): boolean[] {
  if (form.combine !== 'product') return own.map(() => false);
  if (form.clock !== 'validity or content') return own.map(() => form.clock === 'content');
  const read = own.map(([first]) => first !== undefined);
  for (const [number, stored] of snapshot.segments.entries()) {
    const open = [...own.keys()].filter(
      (at) => own[at]![0]?.segment === number && own[at]![0].interval < 0,
    );
    haveValidity(
      stored,
      open.map((at) => own[at]![0]!.row),
    ).forEach((states, i) => (read[open[i]!] = !states));
  }
  return read;
}
