// MRAG's hybrid ranking (section 4, appendix G): every sentence of the passages found, and their summaries, by relevance times
// temporal score; a passage stands where its best sentence does. Which sentences there are is the store's and the summariser's work.
import { placeOf, type Asked, type Candidate, type Candidates, type Summary } from '../candidates/candidate.js';
import { search, type Ranking } from '../candidates/search.js';
import { textsOf } from '../candidates/texts.js';
import { scoreTexts } from '../candidates/textScores.js';
import { stage, type Stage } from '../stage.js';
import { statesValidity } from '../store/rowTimes.js';
import type { TemporalForm } from '../time/forms.js';
import { checkReranker, rerankTexts, type Reranker } from '../vectors/reranker.js';
import { ordered } from './columns.js';
import { splineValue } from './formValue.js';
import { scaled } from './rerank.js';

export interface SentenceRanking extends Required<Pick<Ranking, 'relevance' | 'mask' | 'form'>> {
  /** How much of a sentence's relevance is its passage's, 0 to 1; 0 is the paper. */
  passageShare: number;
  /** How many sentences and summaries are ranked, the most relevant ones; their passages alone are returned. Default: all. */
  most?: number;
  /** Scores the sentences instead of the encoder and BM25, `most` of them. */
  reranker?: Reranker;
}

/** A sentence or summary that competes for its passage. */
interface Contender extends Candidate {
  from: Candidate;
}

/** Passages by their best sentence or summary. The score that a passage came with is kept as the column `retrieval`. */
export function rankSentences(name: string, ranking: SentenceRanking, section?: string): Stage<Candidates, Candidates> {
  const { relevance, passageShare, most = Infinity, reranker } = ranking;
  if (reranker) checkReranker(reranker);
  return stage(name, async ({ asked, found }, { signal, note }) => {
    if (found.length === 0) return { asked, found };
    const contenders = await contendersOf(asked, found, ranking, signal);
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
    return { asked, found: bestOfEach(ranked) };
  }, section);
}

/** The rows of the passages that are sentences, and their summaries, with their columns and no score yet. */
async function contendersOf(
  asked: Asked,
  found: readonly Candidate[],
  { relevance, mask, form: formOf }: SentenceRanking,
  signal?: AbortSignal,
): Promise<Contender[]> {
  const passages = new Map(found.map((each) => [placeOf(each), each]));
  const rows = await search(asked, { scope: 'sentences', relevance, mask, form: formOf }, signal, found);
  const contenders = rows.map((row) => contender(passages.get(placeOf(row))!, row.row, { similarity: 0, ...row.scores }, row.interval));
  const condensed = found.filter(({ summary }) => summary !== undefined);
  const scores = await scoreTexts(asked, condensed.map(({ summary }) => summary!.text), relevance, signal);
  const sentenceOf = new Map(contenders.map((each) => [each.from, each]));
  const form = formOf(asked);
  condensed.forEach((passage, at) => {
    const beside = sentenceOf.get(passage);
    if (!beside) return; // the mask hides it
    const { temporal, interval } = timeOf(asked, passage.summary!, form, beside);
    const summary = contender(passage, beside.row, { ...scores[at]!, ...(temporal === undefined ? {} : { temporal }) }, interval);
    summary.summary = passage.summary!;
    contenders.push(summary);
  });
  return contenders;
}

function contender(from: Candidate, row: number, scores: Record<string, number>, interval?: number): Contender {
  const { segment, passage } = from;
  return {
    get id() {
      return from.id;
    },
    from, segment, passage, row, score: 0, scores: { retrieval: from.score, ...scores }, ...(interval === undefined ? {} : { interval }),
  };
}

/** A summary's temporal score: of its own dates, or of its passage's clock where that is what the question's constraint reads. */
function timeOf(
  asked: Asked,
  { dates }: Summary,
  form: TemporalForm,
  beside: Contender,
): { temporal?: number | undefined; interval?: number | undefined } {
  const ofContent =
    form.combine === 'product' &&
    (form.clock === 'content' ||
      (form.clock === 'validity or content' && !statesValidity(asked.snapshot.segments[beside.segment]!.segment, beside.row)));
  if (!ofContent) return { temporal: beside.scores['temporal'] };
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

/** DESIGN 5: a better time never lowers a score, and an irrelevant dated sentence never beats a relevant undated one by its date. */
const inTime = (relevance: number, temporal: number): number => (relevance >= 0 ? relevance * temporal : relevance * (2 - temporal));

/** The best contender of each passage, best first, ties by passage id. */
function bestOfEach(contenders: readonly Contender[]): Candidate[] {
  const best = new Map<Candidate, Contender>();
  for (const each of contenders) if (each.score > (best.get(each.from)?.score ?? -Infinity)) best.set(each.from, each);
  return ordered([...best.values()]);
}
