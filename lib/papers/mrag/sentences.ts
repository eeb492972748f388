// MRAG's hybrid ranking (section 4, appendix G): every sentence of the passages found, and their
// summaries, by relevance times temporal score; a passage stands where its best sentence does.
// Which sentences there are is the store's and the summariser's work.
import type { FlatResult } from '../../../binding.js';
import {
  FoundRow,
  placesIn,
  type Asked,
  type Candidate,
  type Candidates,
  type Summary,
} from '../../retrieval/candidate.js';
import { bestOf } from '../../retrieval/flatScan.js';
import { lexicalRows, type LexicalRows } from '../../retrieval/lexicalRows.js';
import { searchRows, semanticOnly, type Ranking, type Relevance } from '../../retrieval/search.js';
import { countTerms } from '../../retrieval/termCounts.js';
import { textsOf } from '../../retrieval/texts.js';
import { scoreTexts } from '../../retrieval/textScores.js';
import { stage, type Stage } from '../../pipeline.js';
import { contentColumnsOf, stateValidity, type TimeColumns } from '../../store/rowTimes.js';
import type { SplineForm, TemporalForm } from '../../time/temporalForms.js';
import { mostSimilar } from '../../vectors/encoder.js';
import { checkReranker, rerankTexts, type Reranker } from '../../vectors/reranker.js';
import { inTime, ordered } from '../../ranking/columns.js';
import { splineValue } from '../../ranking/formValue.js';
import { following } from './shortlist.js';
import { Readings, type PassageReading } from '../../ranking/ranker/readings.js';
import { mayBeginAt, mayEndAt } from '../../ranking/ranker/states.js';
import { scaled } from './rerank.js';
import type { Naming } from '../../ranking/temporal.js';

export interface SentenceRanking extends Required<Pick<Ranking, 'relevance' | 'mask' | 'form'>> {
  /**
   * What a statement of exactly the time asked for gains, as a share of its temporal score;
   * undefined where nothing does. Default: never.
   */
  naming?: (asked: Asked) => Naming | undefined;
  /** How much of a sentence's relevance is its passage's, 0 to 1; 0 is the paper. */
  passageShare: number;
  /**
   * How many sentences and summaries are ranked, the most relevant ones; their passages alone are
   * returned. Default: all.
   */
  most?: number;
  /** Scores the sentences instead of the encoder and BM25, `most` of them. */
  reranker?: Reranker;
}

/**
 * A sentence or summary that competes for its passage; of most of them nothing becomes a candidate.
 */
class Contender {
  score = 0;
  lexical = 0;
  reranker: number | undefined;
  readonly segment: number;
  readonly passage: number;

  constructor(
    readonly from: Candidate,
    readonly row: number,
    public similarity: number,
    /** NaN where it has none. */
    public temporal: number,
    /** Which content time gave that; -1 where none did. */
    readonly interval: number,
    readonly summary?: Summary,
  ) {
    this.segment = from.segment;
    this.passage = from.passage;
  }

  get id(): string {
    return this.from.id;
  }

  /** Its passage, as it stands by this sentence. */
  candidate(): Candidate {
    const { from, row, similarity, temporal, lexical, interval, summary, reranker } = this;
    const { segment, passage } = from;
    const found = new FoundRow(
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
    if (summary) found.summary = summary;
    return found;
  }
}

/**
 * The leading passages by their best sentence or summary; behind them others, as many as the caller
 * wants. The score that a passage came with is the column `retrieval`.
 */
export function rankSentences(
  name: string,
  ranking: SentenceRanking,
  section?: string,
): Stage<Candidates, Candidates> {
  const { relevance, passageShare, most = Infinity, reranker } = ranking;
  if (reranker) checkReranker(reranker);
  return stage(
    name,
    async ({ asked, found, leading = found.length }, { signal, note }) => {
      if (found.length === 0) return { asked, found };
      const { sentences, summaries } = await contendersOf(
        asked,
        found.slice(0, leading),
        ranking,
        signal,
      );
      note('sentences', sentences.length);
      note('summaries', summaries.length);
      const all = [...sentences, ...summaries];
      const bestLexical = all.reduce((best, { lexical }) => Math.max(best, lexical), 0) || 1;
      const scoreOf = (each: Contender, similarity = each.similarity): number => {
        const own =
          relevance.semantic * similarity + (relevance.lexical * each.lexical) / bestLexical;
        return (1 - passageShare) * own + passageShare * each.from.score;
      };
      const alone = most >= all.length && !reranker; // else how many are before another matters
      const open = alone
        ? whichMayWin(sentences, summaries, asked.k, relevance, scoreOf)
        : summaries;
      await compare(asked, open, relevance, signal);
      const contenders = [...sentences, ...open];
      for (const each of contenders) each.score = scoreOf(each);
      const ranked = most < contenders.length ? ordered(contenders).slice(0, most) : contenders;
      if (reranker) await scoreBy(reranker, asked, ranked, passageShare, signal);
      for (const each of ranked) each.score = timely(each, each.score);
      const best = bestOfEach(ranked).slice(0, alone ? asked.k : undefined);
      return {
        asked,
        found: [
          ...best,
          ...following(found.slice(leading), best.at(-1)?.score ?? 0, asked.k - best.length),
        ],
      };
    },
    section,
  );
}

/** A contender's score where relevance gives it this one. */
const timely = ({ temporal }: Contender, score: number): number =>
  inTime(score, Number.isNaN(temporal) ? 1 : temporal);

/**
 * The summaries that may yet win their passage one of the first k places, however like the question
 * they are: the others need not be encoded. Behind those places passages stand by their sentences.
 */
function whichMayWin(
  sentences: readonly Contender[],
  summaries: readonly Contender[],
  k: number,
  { semantic }: Relevance,
  scoreOf: (each: Contender, similarity?: number) => number,
): Contender[] {
  if (!(semantic > 0)) return [...summaries];
  const best = new Map<Candidate, number>();
  for (const each of sentences)
    best.set(each.from, Math.max(best.get(each.from) ?? -Infinity, timely(each, scoreOf(each))));
  const floor = Float64Array.from(best.values()).sort().at(-k) ?? -Infinity;
  return summaries.filter((each) => {
    const most = timely(each, scoreOf(each, mostSimilar));
    return most >= floor && most > best.get(each.from)!;
  });
}

/** Adds to summaries how like the question they are. */
async function compare(
  asked: Asked,
  summaries: readonly Contender[],
  relevance: Relevance,
  signal?: AbortSignal,
): Promise<void> {
  const scores = await scoreTexts(
    asked,
    summaries.map(({ summary }) => summary!.text),
    { ...relevance, lexical: 0 },
    signal,
  );
  summaries.forEach((each, at) => (each.similarity = scores[at]!.similarity));
}

interface Contenders {
  sentences: Contender[];
  /** Their similarity is still to be had. */
  summaries: Contender[];
}

/**
 * The rows of the passages that are sentences, and their summaries, with their columns and no score
 * yet.
 */
async function contendersOf(
  asked: Asked,
  found: readonly Candidate[],
  ranking: SentenceRanking,
  signal?: AbortSignal,
): Promise<Contenders> {
  const { relevance, mask, form: formOf, naming: namingOf } = ranking;
  const rows = await searchRows(
    asked,
    { scope: 'sentences', relevance: semanticOnly, mask, form: formOf },
    signal,
    found,
  );
  const own = readable(asked, found, rows);
  const [form, naming] = [formOf(asked), namingOf?.(asked)];
  const byContent = readContent(asked, form, own);
  const sentences = own.flat();
  const { semantic: _, lexical, ...parameters } = relevance;
  const words = lexicalRows(asked.snapshot, asked.terms(), { ...parameters, scope: 'sentences' });
  await scoreWords(asked, sentences, words, signal);
  if (naming)
    nameDates(
      asked,
      own.flatMap((rows, at) => (byContent[at] ? rows : [])),
      naming,
    );
  const condensed = [...found.keys()].filter(
    (at) => found[at]!.summary !== undefined && own[at]!.length > 0,
  ); // the mask hides the others
  const summaries = condensed.map((at) => {
    const [from, beside] = [found[at]!, own[at]!.at(-1)!];
    const summary = from.summary!;
    const { value, interval } = byContent[at]
      ? splineValue(form as SplineForm, summary.dates)
      : { value: beside.temporal, interval: -1 };
    const each = new Contender(from, beside.row, 0, value, interval, summary);
    if (lexical !== 0)
      each.lexical = words.score(
        summary.counted ?? words.count(asked.analyzer.analyze(summary.text)),
      );
    if (naming && byContent[at]) named(each, naming.of(summary.dates));
    return each;
  });
  return { sentences, summaries };
}

/** Sentences whose words are read; the paper ranks 200. */
const mostRead = 500;

/**
 * The sentences of each of the passages, by row. Of more sentences than can be read, those that
 * similarity and time put first, of equal ones those of better passages, and the best of every
 * passage.
 */
function readable(
  { snapshot }: Asked,
  found: readonly Candidate[],
  rows: FlatResult,
): Contender[][] {
  const { segment, passage, row, similarity, temporal, mention } = rows;
  const placeOf = placesIn(found);
  const places = row.map((_, i) => placeOf(segment[i]!, passage[i]!)!);
  const own: Contender[][] = found.map(() => []);
  const add = (i: number): void =>
    void own[places[i]!]!.push(
      new Contender(found[places[i]!]!, row[i]!, similarity[i]!, temporal[i]!, mention[i]!),
    );
  if (row.length <= mostRead) row.forEach((_, i) => add(i));
  else {
    const bounds = temporal.map((time, i) => inTime(similarity[i]!, Number.isNaN(time) ? 1 : time));
    const byBound = bestOf(rows, 0, row.length, (segment, passage) =>
      snapshot.id(segment, passage),
    );
    byBound.sort(
      (a, b) => bounds[b]! - bounds[a]! || found[places[b]!]!.score - found[places[a]!]!.score,
    );
    byBound.forEach((i, at) => {
      if (at < mostRead || own[places[i]!]!.length === 0) add(i);
    });
  }
  for (const each of own) each.sort((a, b) => a.row - b.row);
  return own;
}

/** BM25 of every sentence behind its title, of the words that its row is indexed by. */
async function scoreWords(
  asked: Asked,
  rows: readonly Contender[],
  words: LexicalRows,
  signal?: AbortSignal,
): Promise<void> {
  const { lengths, counts } = await countTerms(asked.snapshot, rows, words.terms, signal);
  rows.forEach((each, at) => {
    const score = words.scoreOf(lengths[at]!, counts, at * words.terms.length);
    if (score > 0) each.lexical = score;
  });
}

/**
 * Sentences that tell of the time that the question names count the more; what they say of their
 * dates is read where one of these may be it.
 */
function nameDates(asked: Asked, rows: readonly Contender[], naming: Naming): void {
  const readings = new Readings(asked);
  const told: { reading: PassageReading; rows: Contender[] }[] = [];
  for (const [number, stored] of asked.snapshot.segments.entries()) {
    const own = rows.filter((each) => each.segment === number);
    const times = contentColumnsOf(
      stored,
      own.map(({ row }) => row),
    );
    own.forEach((each, at) => {
      if (!mayName(naming, times, at)) return;
      const last = told.at(-1);
      if (last?.rows[0]!.from === each.from) last.rows.push(each);
      else told.push({ reading: readings.passage(each.from), rows: [each] });
    });
  }
  readings.readAhead(told);
  for (const { reading, rows } of told) {
    const sentences = readings.sentences(reading, rows);
    rows.forEach((each, at) => named(each, naming.of(sentences[at]!.times)));
  }
}

/**
 * False only where the dates are none that the naming counts, whatever the sentence says of them.
 */
function mayName(
  { interval, eitherEnd }: Naming,
  { offsets, starts, ends }: TimeColumns,
  at: number,
): boolean {
  let [begins, over] = [false, false];
  for (let i = offsets[at]!; i < offsets[at + 1]!; i += 1) {
    begins ||= mayBeginAt(interval.start, starts[i]!);
    over ||= mayEndAt(interval.end, ends[i]!);
  }
  return eitherEnd ? begins || over : begins && over;
}

function named(each: Contender, exactly: number): void {
  if (exactly > 0) each.temporal = Math.min(2, each.temporal * (1 + exactly));
}

/**
 * Of each passage, by its first sentence, whether its temporal score is of the dates that it tells,
 * and not of its own clock.
 */
function readContent(
  { snapshot }: Asked,
  form: TemporalForm,
  own: readonly (readonly Contender[])[],
): boolean[] {
  if (form.combine !== 'product') return own.map(() => false);
  if (form.clock !== 'validity or content') return own.map(() => form.clock === 'content');
  const read = own.map(([first]) => first !== undefined);
  for (const [number, stored] of snapshot.segments.entries()) {
    const open = [...own.keys()].filter(
      (at) => own[at]![0]?.segment === number && own[at]![0]!.interval < 0,
    );
    stateValidity(
      stored,
      open.map((at) => own[at]![0]!.row),
    ).forEach((states, i) => (read[open[i]!] = !states));
  }
  return read;
}

/**
 * The reranker's score in place of encoder and BM25, scaled to [0, 1] over the sentences that it
 * saw.
 */
async function scoreBy(
  reranker: Reranker,
  asked: Asked,
  ranked: readonly Contender[],
  passageShare: number,
  signal?: AbortSignal,
): Promise<void> {
  const texts = textsOf(asked);
  const passages = ranked.map((each) => each.summary?.text ?? texts.row(each));
  const scores = await rerankTexts(reranker, asked.searchText, passages, signal ? { signal } : {});
  scaled(scores).forEach((score, at) => {
    const each = ranked[at]!;
    each.reranker = scores[at]!;
    each.score = (1 - passageShare) * score + passageShare * each.from.score;
  });
}

/** Each passage by its best contender, best first, ties by passage id. */
function bestOfEach(contenders: readonly Contender[]): Candidate[] {
  const best = new Map<Candidate, Contender>();
  for (const each of contenders)
    if (each.score > (best.get(each.from)?.score ?? -Infinity)) best.set(each.from, each);
  return ordered([...best.values()]).map((each) => each.candidate());
}
