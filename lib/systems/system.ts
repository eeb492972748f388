// Retrieval systems: a named, printable composition of stages with `run` over one corpus.
import { defaultPassages, readingShown, type Answer, type ReadOptions } from '../reading/answer.js';
import { unread, type SystemOutput } from '../reading/reader.js';
import type { EvidenceSelection } from '../retrieval/queryContext.js';
import { mergeReports, type Exactness, type ScanReport } from '../retrieval/scanReport.js';
import {
  selectionKey,
  withNeighbours,
  type DroppedPassage,
  type Evidence,
  type RankedEvidence,
} from '../reading/evidence.js';
import { withHighlights } from '../reading/highlights.js';
import { invalidArgument, mustBe } from '../errors.js';
import type { Question } from '../records.js';
import { runStages, type Pipeline, type PipelineResult, type TraceEntry } from '../pipeline.js';
import {
  checkCorpus,
  exactOf,
  missingOf,
  withSnapshot,
  type SearchableCorpus,
} from '../store/searchableCorpus.js';
import { countFacets } from '../store/views/facets.js';
import { viewOf, type ViewOptions } from '../store/views/view.js';
import type { Where } from '../store/fields/where.js';
import { checkId } from '../store/passages/passages.js';
import type { Snapshot } from '../store/views/snapshot.js';
import type { TextModel } from '../text/textModel.js';
import type { ParsedQuestion } from '../time/constraint.js';
import type { Mask } from '../time/temporalForms.js';
import { checkQuestionText } from '../time/question/questionText.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import { observe } from '../runtime/telemetry.js';
import { checkAskOptions, maxPassages, type AskOptions } from './askOptions.js';
import { askFilter } from './askFilter.js';
import { withAsOf } from './asOf.js';
import { questionSpan } from './questionSpan.js';

/** Result of a system for one question. */
export interface SystemResult {
  question: ParsedQuestion;
  /** Best first, at most k. */
  evidence: Evidence[];
  /** Retrieved passages that filters removed, and why; only in systems that filter. */
  dropped?: DroppedPassage[] | undefined;
  /**
   * With the option `facets`: of each field its values by the number of passages that pass the
   * filter and that the system's mask shows; the most frequent first, at most 100.
   */
  facets?: Record<string, { value: string; count: number }[]> | undefined;
  /** Vector scans: storage type, rescored rows, exactness, device. */
  scan?: ScanReport | undefined;
  /**
   * False where the first stage took candidates of an index, in PostgreSQL or OpenSearch, which may
   * miss some of the best; absent where it ranked all passages.
   */
  exact?: false | undefined;
  /**
   * Shards of such a corpus that could not be reached, if it was connected with
   * `allowPartialResults`: the result is that of a corpus without their passages.
   */
  missingShards?: string[] | undefined;
  /** The answer in the evidence, if one was found. */
  answer?: Answer | undefined;
  /** Why there is no answer, in a sentence, where the ranking says that no passage has one. */
  unanswered?: string | undefined;
  trace: TraceEntry[];
}

/** Options of every system. */
export interface CommonOptions {
  corpus: SearchableCorpus;
  /** Prompted by stages that support a model; without one all stages use rules. */
  model?: TextModel | undefined;
  /** How the answer is read from the evidence. Default: extracted. */
  read?: ReadOptions | undefined;
}

/** A retrieval system over one corpus. Each question reads a snapshot of the corpus. */
export interface System {
  readonly name: string;
  /** Every option that changes a published number, for tables. */
  readonly options: Readonly<Record<string, unknown>>;
  run(question: Question, options?: AskOptions): Promise<SystemResult>;
  /** The composition, stage by stage. */
  toString(): string;
}

/** Input of a composition: a question, its options, and a snapshot of the corpus. */
export interface QueryRequest {
  question: Question;
  /** As in `QueryContext`. */
  k: number;
  selection?: EvidenceSelection | undefined;
  corpus: SearchableCorpus;
  snapshot: Snapshot;
  /** The event whose time was put into the question. */
  resolved?: NonNullable<ParsedQuestion['resolved']>;
  exactness?: Exactness;
  onScan?: (reading: ScanReport) => void;
  onMask?: (mask: Mask) => void;
  onAnswer?: AskOptions['onAnswer'];
}

type SelectiveRequest = QueryRequest & { selection: EvidenceSelection };

/** Which of the caller's models a system would use with given settings. Default: neither. */
export interface Uses {
  /** Whether a stage scores passages by a reranker. */
  reranker: boolean;
  /** Whether a stage before the reader prompts a model. */
  prompts: boolean;
}

/**
 * Creates a system from a composition whose last stage is a reader with options `reading`; `derive`
 * makes it with options of its own for one question. Each question holds a place among those in
 * flight and a snapshot until it ends.
 */
export function system(
  composition: Pipeline<QueryRequest, SystemOutput>,
  corpus: SearchableCorpus,
  options: Record<string, unknown> = {},
  reading: ReadOptions = {},
  derive?: (options: Pick<AskOptions, 'decay' | 'relevance'>) => System,
): System {
  checkCorpus(corpus);
  return {
    name: composition.name,
    options: { ...options, read: readingShown(reading) },
    toString: () => composition.toString(),
    async run(question, given = {}) {
      checkAskOptions(`${composition.name}.run`, given);
      const { decay, relevance, ...options } = given;
      if (decay !== undefined || relevance !== undefined) {
        if (derive) return derive({ decay, relevance }).run(question, options);
        const [name, value] = decay === undefined ? ['relevance', relevance] : ['decay', decay];
        const expected = `absent of ${composition.name}, which has none`;
        throw invalidArgument(name, expected, value, 'Ask hybrid, dense or bm25.');
      }
      checkQuestion(question);
      const { k = 10, offset = 0, candidateIds, exactness = 'certified' } = options;
      if (offset + k > maxPassages)
        throw invalidArgument('offset', `at most 10,000 less k, ${maxPassages - k}`, offset);
      const { perDocument = false, neighbours = 0, read = true } = options;
      const { onEvidence, onAnswer, mostUnits, only, minScore, asOf } = options;
      const answer = async (signal: AbortSignal | undefined): Promise<SystemResult> => {
        const turn = yieldToEventLoop(signal);
        if (turn) await turn;
        return withSnapshot(corpus, (snapshot) => answerOver(snapshot, signal));
      };
      const answerOver = async (
        snapshot: Snapshot,
        signal: AbortSignal | undefined,
      ): Promise<SystemResult> => {
        const asked = {
          ...question,
          timeZone: question.timeZone ?? corpus.timeZone,
          // One "now" for all stages.
          askedAt: question.askedAt ?? Date.now(),
        };
        const dated = withAsOf(asked, asOf);
        const view = { ...options, where: askFilter(dated, options) };
        const passing = await viewOf(snapshot, view, {
          countsPassing: options.statistics === 'filtered',
          signal,
        });
        const scans: ScanReport[] = [];
        const among = (shown: Snapshot): Snapshot =>
          candidateIds === undefined ? shown : restrictToIds(shown, candidateIds);
        let publishedUntil: number | undefined;
        const count = Math.max(offset + k, reading.passages ?? defaultPassages);
        const request: SelectiveRequest = {
          question: dated,
          k: count,
          selection: { count, offset, perDocument, only, minScore, mostUnits },
          corpus,
          snapshot: among(passing),
          exactness,
          onScan: (reading) => void scans.push(reading),
          onMask: (mask) => void ({ publishedUntil } = mask),
          onAnswer: onAnswer && withoutRepeats(onAnswer),
        };
        const ranked = await rank(composition.stages.slice(0, -1), request, signal);
        const page = ranked.output.evidence.slice(offset, offset + k);
        const found = options.highlights
          ? await withHighlights(ranked.output.query, page, signal)
          : page;
        const evidence = await withNeighbours(request.snapshot, found, neighbours, signal);
        onEvidence?.(evidence);
        const { output, trace } = read
          ? await runStages<SystemOutput>(composition.stages.slice(-1), ranked.output, signal)
          : { output: unread(ranked.output), trace: [] };
        const { facets: fields } = options;
        const known = withoutLater(view, publishedUntil);
        const counted = fields && among(await viewOf(snapshot, known, { signal }));
        const facets = fields && (await countFacets(counted!, fields, signal));
        const scan = mergeReports(scans);
        const { parsed, evidence: _, ...shown } = output;
        return {
          // As it was asked, before words were corrected or an event's time was put into it.
          question: parsed.text === dated.text ? parsed : { ...parsed, text: dated.text },
          evidence,
          ...shown,
          ...(facets ? { facets } : {}),
          ...(scan ? { scan } : {}),
          ...exactOf(snapshot),
          ...missingOf(snapshot),
          trace: [...ranked.trace, ...trace],
        };
      };
      const asked = { system: composition.name, text: question.text, k };
      const span = questionSpan<SystemResult>(corpus, asked, (result) => result);
      return observe(span, () => corpus.questions.run(options.signal, answer));
    },
  };
}

/** The view of a question without what was published later than a time, as its mask has it. */
function withoutLater({ where, ...view }: ViewOptions, time: number | undefined): ViewOptions {
  if (time === undefined || time === Infinity) return { where, ...view };
  const published: Where = {
    or: [{ publishedAt: { lte: time } }, { publishedAt: { exists: false } }],
  };
  return { ...view, where: where === undefined ? published : { and: [where, published] } };
}

/** Skips what is shown already; at first nothing is. */
function withoutRepeats(onAnswer: (text: string) => void): (text: string) => void {
  let shown = '';
  return (text) => {
    if (text !== shown) onAnswer((shown = text));
  };
}

function checkQuestion(question: Question): void {
  checkQuestionText(question?.text);
  if (question.text.trim() === '') {
    throw invalidArgument(
      'question.text',
      'a question in words',
      question?.text,
      'Ask in words, such as "Who led the company in 2004?".',
    );
  }
}

/** Passages retrieved for each document wanted; a further round has as many times more. */
const growth = 4;
/**
 * Passages of the first round where ended ones are left out, whatever page is asked for: the
 * shortlist of `hybrid` is as long for fewer.
 */
const currentPassages = 110;

/**
 * Runs the stages before the reader, and again with more passages until the selection is full: of
 * documents, and of passages of which some have ended. For the latter at most `maxPassages`; what
 * a round finds stays before what the next one adds, as that ranks its longer shortlist anew: all
 * pages have the same order.
 */
async function rank(
  ranking: Pipeline<QueryRequest, SystemOutput>['stages'],
  request: SelectiveRequest,
  signal: AbortSignal | undefined,
): Promise<PipelineResult<RankedEvidence>> {
  const { snapshot, selection } = request;
  const { count, perDocument, only } = selection;
  const trace: TraceEntry[] = [];
  const chosen: Evidence[] = [];
  let first: RankedEvidence | undefined;
  let passages: number | undefined;
  let before = -1;
  for (let k = only ? currentPassages : count * (perDocument ? growth : 1); ; ) {
    const rest = chosen.length === 0 ? selection : selectionOfRest(selection, chosen);
    const { output: round, trace: stages } = await runStages<RankedEvidence>(
      ranking,
      { ...request, k, selection: rest },
      signal,
    );
    trace.push(...stages);
    const { ranked, isShort, evidence } = round;
    for (const each of evidence) each.rank += chosen.length;
    first ??= round;
    const output = only ? { ...first, evidence: [...chosen, ...evidence] } : round;
    if (only) chosen.push(...evidence);
    // A filter may leave fewer than k, so that a round without more shows the end.
    if (!isShort || (ranked < k && ranked === before)) return { output, trace };
    const most = only ? maxPassages : Infinity;
    passages ??= Math.min(most, await passageCount(snapshot, signal));
    if (k >= passages) return { output, trace };
    before = ranked;
    k = Math.min(Math.max(k, ranked) * growth, most);
  }
}

/** What is to be selected after others. */
function selectionOfRest(
  { count, offset = 0, mostUnits = Infinity, ...selection }: EvidenceSelection,
  chosen: readonly Evidence[],
): EvidenceSelection {
  const shown = chosen.slice(offset).reduce((units, { text }) => units + text.length, 0);
  return {
    ...selection,
    count: count - chosen.length,
    offset: Math.max(0, offset - chosen.length),
    mostUnits: mostUnits - shown,
    without: new Set(chosen.map((each) => selectionKey(each, selection.perDocument))),
  };
}

const passageCount = ({ segments, remote }: Snapshot, signal?: AbortSignal): Promise<number> =>
  remote?.count(signal) ??
  Promise.resolve(segments.reduce((sum, { passages }) => sum + passages, 0));

/** A fixed candidate pool; unknown ids are ignored. BM25 statistics stay those of the corpus. */
function restrictToIds(snapshot: Snapshot, candidateIds: readonly string[]): Snapshot {
  mustBe('an array', { candidateIds });
  for (const id of candidateIds)
    checkId(id, (expected, remedy) =>
      invalidArgument('an id in candidateIds', expected, id, remedy),
    );
  return snapshot.restrictedToIds(candidateIds);
}
