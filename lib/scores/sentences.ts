// MRAG's hybrid ranking (section 4, appendix G): every sentence of the passages found, and their summaries, by relevance times
// temporal score; a passage stands where its best sentence does. Which sentences there are is the store's and the summariser's work.
import { FoundRow, placeOf, type Asked, type Candidate, type Candidates, type Summary } from '../candidates/candidate.js';
import { lexicalRows } from '../candidates/lexicalRows.js';
import { search, semanticOnly, type Ranking, type Relevance } from '../candidates/search.js';
import { countTerms } from '../candidates/termCounts.js';
import { textsOf } from '../candidates/texts.js';
import { scoreTexts } from '../candidates/textScores.js';
import { stage, type Stage } from '../stage.js';
import { statesValidity } from '../store/rowTimes.js';
import type { SplineForm, TemporalForm } from '../time/forms.js';
import type { Interval } from '../time/interval.js';
import { checkReranker, rerankTexts, type Reranker } from '../vectors/reranker.js';
import { ordered } from './columns.js';
import { splineValue } from './formValue.js';
import { following, inTime } from './lead.js';
import { Readings } from './ranker/readings.js';
import { scaled } from './rerank.js';
import type { Naming } from './temporal.js';

export interface SentenceRanking extends Required<Pick<Ranking, 'relevance' | 'mask' | 'form'>> {
  /** What a statement of exactly the time asked for gains, as a share of its temporal score; undefined where nothing does. Default: never. */
  naming?: (asked: Asked) => Naming | undefined;
  /** How much of a sentence's relevance is its passage's, 0 to 1; 0 is the paper. */
  passageShare: number;
  /** How many sentences and summaries are ranked, the most relevant ones; their passages alone are returned. Default: all. */
  most?: number;
  /** Scores the sentences instead of the encoder and BM25, `most` of them. */
  reranker?: Reranker;
}

/** A sentence or summary that competes for its passage. */
class Contender extends FoundRow {
  constructor(
    readonly from: Candidate,
    row: Pick<Candidate, 'segment' | 'passage' | 'row' | 'interval'>,
    scores: Record<string, number>,
  ) {
    super(() => from.id, row, 0, scores);
  }
}

/**
 * The leading passages by their best sentence or summary; behind them others, as many as the caller wants. The score that a passage came
 * with is the column `retrieval`.
 */
export function rankSentences(name: string, ranking: SentenceRanking, section?: string): Stage<Candidates, Candidates> {
  const { relevance, passageShare, most = Infinity, reranker } = ranking;
  if (reranker) checkReranker(reranker);
  return stage(name, async ({ asked, found, leading = found.length }, { signal, note }) => {
    if (found.length === 0) return { asked, found };
    const contenders = await contendersOf(asked, found.slice(0, leading), ranking, signal);
    note('sentences', contenders.filter(({ summary }) => !summary).length);
    note('summaries', contenders.filter(({ summary }) => summary).length);
    const bestLexical = Math.max(...contenders.map(({ scores }) => scores['lexical'] ?? 0)) || 1;
    for (const each of contenders) {
      const own = relevance.semantic * each.scores['similarity']! + (relevance.lexical * (each.scores['lexical'] ?? 0)) / bestLexical;
      each.score = (1 - passageShare) * own + passageShare * each.from.score;
    }
    const ranked = most < contenders.length ? ordered(contenders).slice(0, most) : contenders;
    if (reranker) await scoreBy(reranker, asked, ranked, passageShare, signal);
    for (const each of ranked) each.score = inTime(each.score, each.scores['temporal'] ?? 1);
    const best = bestOfEach(ranked);
    return { asked, found: [...best, ...following(found.slice(leading), best.at(-1)?.score ?? 0, asked.k - best.length)] };
  }, section);
}

/** The rows of the passages that are sentences, and their summaries, with their columns and no score yet. */
async function contendersOf(asked: Asked, found: readonly Candidate[], ranking: SentenceRanking, signal?: AbortSignal): Promise<Contender[]> {
  const { relevance, mask, form: formOf, naming: namingOf } = ranking;
  const passages = new Map(found.map((each) => [placeOf(each), each]));
  const rows = await search(asked, { scope: 'sentences', relevance: semanticOnly, mask, form: formOf }, signal, found);
  const own = new Map<Candidate, Contender[]>();
  for (const { from, row } of readable(rows.map((row) => ({ from: passages.get(placeOf(row))!, row })))) {
    const each = contender(from, row.row, { similarity: 0, ...row.scores }, row.interval);
    const beside = own.get(from);
    if (beside) beside.push(each);
    else own.set(from, [each]);
  }
  for (const each of own.values()) each.sort((a, b) => a.row - b.row);
  const [form, naming] = [formOf(asked), namingOf?.(asked)];
  const byContent = new Set([...own].filter(([, [first]]) => readsContent(asked, form, first!)).map(([from]) => from));
  await scoreWords(asked, [...own.values()].flat(), relevance, signal);
  if (naming) readDates(asked, [...own.values()].filter(([first]) => byContent.has(first!.from)), (each, dates) => named(each, naming(dates)));
  const condensed = found.filter((each) => each.summary !== undefined && own.has(each)); // the mask hides the others
  const scores = await scoreTexts(asked, condensed.map(({ summary }) => summary!.text), relevance, signal);
  const summaries = condensed.map((passage, at) => {
    const beside = own.get(passage)!.at(-1)!;
    const { temporal, interval } = byContent.has(passage)
      ? timeOf(passage.summary!, form as SplineForm)
      : { temporal: beside.scores['temporal'], interval: undefined };
    const each = contender(passage, beside.row, { ...scores[at]!, ...(temporal === undefined ? {} : { temporal }) }, interval);
    each.summary = passage.summary!;
    if (naming && byContent.has(passage)) named(each, naming(passage.summary!.dates));
    return each;
  });
  return [...[...own.values()].flat(), ...summaries];
}

/** Sentences whose words are read; the paper ranks 200. */
const mostRead = 500;

/**
 * Of more sentences than can be read, those that similarity and time put first, of equal ones those of better passages, and the best of
 * every passage.
 */
function readable<Row extends { from: Candidate; row: Candidate }>(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= mostRead) return rows;
  const bounds = new Map(rows.map((each) => [each, inTime(each.row.scores['similarity'] ?? 0, each.row.scores['temporal'] ?? 1)]));
  const byBound = [...rows].sort((a, b) => bounds.get(b)! - bounds.get(a)! || b.from.score - a.from.score);
  const bestOf = new Set<Candidate>();
  return byBound.filter(({ from }, at) => {
    const isBest = !bestOf.has(from);
    bestOf.add(from);
    return isBest || at < mostRead;
  });
}

/** BM25 of every sentence behind its title, of the words that its row is indexed by. */
async function scoreWords(asked: Asked, rows: readonly Contender[], relevance: Relevance, signal?: AbortSignal): Promise<void> {
  const { semantic: _semantic, lexical: _lexical, ...parameters } = relevance;
  const lexical = lexicalRows(asked.snapshot, asked.terms(), { ...parameters, scope: 'sentences' });
  const { lengths, counts } = await countTerms(asked.snapshot, rows, lexical.terms, signal);
  rows.forEach((each, at) => {
    const score = lexical.scoreOf(lengths[at]!, counts, at * lexical.terms.length);
    if (score > 0) each.scores['lexical'] = score;
  });
}

/** The dates that the passages' sentences tell of. */
function readDates(asked: Asked, passages: readonly Contender[][], visit: (each: Contender, dates: readonly Interval[]) => void): void {
  const readings = new Readings(asked);
  const wanted = passages.map((rows) => ({ reading: readings.passage(rows[0]!.from), rows }));
  readings.readAhead(wanted);
  for (const { reading, rows } of wanted) {
    const sentences = readings.sentences(reading, rows);
    rows.forEach((each, at) => visit(each, sentences[at]!.times));
  }
}

function named(each: Contender, exactly: number): void {
  if (exactly > 0) each.scores['temporal'] = Math.min(2, each.scores['temporal']! * (1 + exactly));
}

function contender(from: Candidate, row: number, scores: Record<string, number>, interval?: number): Contender {
  const { segment, passage } = from;
  return new Contender(from, { segment, passage, row, ...(interval === undefined ? {} : { interval }) }, { retrieval: from.score, ...scores });
}

/** Whether the row's temporal score is of the dates that it tells, and not of its passage's clock. */
function readsContent(asked: Asked, form: TemporalForm, { segment, row, interval }: Contender): boolean {
  if (form.combine !== 'product') return false;
  if (form.clock === 'content') return true;
  return form.clock === 'validity or content' && (interval !== undefined || !statesValidity(asked.snapshot.segments[segment]!.segment, row));
}

function timeOf({ dates }: Summary, form: SplineForm): { temporal: number; interval: number | undefined } {
  const { value, interval } = splineValue(form, dates);
  return { temporal: value, interval: interval < 0 ? undefined : interval };
}

/** The reranker's score in place of encoder and BM25, scaled to [0, 1] over the sentences that it saw. */
async function scoreBy(reranker: Reranker, asked: Asked, ranked: readonly Contender[], passageShare: number, signal?: AbortSignal): Promise<void> {
  const texts = textsOf(asked);
  const scores = await rerankTexts(reranker, asked.searchText, ranked.map((each) => each.summary?.text ?? texts.row(each)), signal ? { signal } : {});
  scaled(scores).forEach((score, at) => {
    const each = ranked[at]!;
    each.scores['reranker'] = scores[at]!;
    each.score = (1 - passageShare) * score + passageShare * each.from.score;
  });
}

/** The best contender of each passage, best first, ties by passage id. */
function bestOfEach(contenders: readonly Contender[]): Candidate[] {
  const best = new Map<Candidate, Contender>();
  for (const each of contenders) if (each.score > (best.get(each.from)?.score ?? -Infinity)) best.set(each.from, each);
  return ordered([...best.values()]);
}
