// Options of `mrag` and their resolution: each stage can be switched off, for ablations.
import { invalidArgument, mustBeWhole } from '../../errors.js';
import { constrainedPublicationMask } from '../../ranking/mask.js';
import {
  exactTimeMatch,
  temporalForm,
  type ExactTimeMatch,
  type TemporalOptions,
} from '../../ranking/temporal.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import type { Ranking, Relevance } from '../../retrieval/search.js';
import {
  checkedWhereUsed,
  checkKinds,
  count,
  finite,
  onOrOff,
  oneOf,
  orFalse,
  partsOf,
  questionKind,
  relevanceKind,
} from '../../systems/optionKinds.js';
import type { Settings } from '../../systems/settings.js';
import type { CommonOptions, Uses } from '../../systems/system.js';
import { keywordTypes, type KeywordType } from '../../text/keywords/keyword.js';
import type { TextModel } from '../../text/textModel.js';
import type { TemporalForm } from '../../time/temporalForms.js';
import { jointConstraint } from '../../time/question/jointConstraint.js';
import type { QuestionOptions } from '../../time/question/question.js';
import type { Reranker } from '../../vectors/reranker.js';
import { fusions, type Fusion } from './firstStage.js';
import type { KeywordRanking } from './keywordRanking.js';
import type { SentenceRanking } from './sentences.js';

/** The stages that prompt a language model where there is one (MRAG section 4, appendix F). */
export const mragPrompts = ['question', 'keywords', 'summaries'] as const;
export type MragPrompt = (typeof mragPrompts)[number];

export interface MragOptions extends CommonOptions {
  /**
   * `official` computes what the published code computes (docs/papers/mrag.md). Default 'ours'.
   */
  variant?: 'ours' | 'official';
  /** Conventions of a data set, such as parts of a decade; false searches by the whole question. */
  question?: QuestionOptions | false;
  /** Stages that prompt `model`; the others use rules. Default: all. */
  prompted?: readonly MragPrompt[];
  /** Passages that the first stage retrieves. Default 1,000, as in the paper (section 3.3). */
  depth?: number;
  /**
   * Weights of cosine and BM25. Default { semantic: 0.35, lexical: 0.65 }. The paper's dense first
   * stage: { semantic: 1, lexical: 0 }.
   */
  relevance?: Relevance;
  /** Whether the first stage fuses scores or ranks (section 5.1). Default 'scores'. */
  fusion?: Fusion;
  /** Passages kept by keyword ranking, with ties; false omits it. Default 100, as in the paper. */
  keywords?: number | false;
  /**
   * Keyword types that count. Default ['special', 'superlative']: names distinguish passages; BM25
   * scores other words.
   */
  keywordTypes?: readonly KeywordType[];
  /** Scores passages and sentences instead of encoder and BM25. Default: none. */
  reranker?: Reranker;
  /** Passages that the reranker scores. Default 100, as in the paper. */
  rerank?: number;
  /** Passages summarised; 0 omits it. Default 5 with a model, as in the paper, else 100. */
  summarise?: number;
  /**
   * Sentences and summaries that are ranked, by relevance; 200 is the paper, false ranks whole
   * passages. Default: all; 200 with a reranker.
   */
  sentences?: number | false;
  /**
   * Passages whose sentences are ranked: the first by relevance times the score of their best date.
   * Default 100; with a reranker all that it scored.
   */
  passages?: number;
  /** The temporal score; false omits it. */
  spline?: TemporalOptions | false;
  /** Hide what was published after the question was asked. Default true. */
  mask?: boolean;
}

interface ResolvedMragOptions extends CommonOptions {
  reranker?: Reranker;
  question: QuestionOptions | false;
  depth: number;
  fusion: Fusion;
  /** Undefined without keyword ranking. */
  keywords: KeywordRanking | undefined;
  /** Passages that the reranker scores. */
  rerank: number;
  /** Passages whose sentences are ranked; undefined for all. */
  shortlistSize: number | undefined;
  /** Passages that are summarised. */
  summaries: number;
  /** The model for a stage; undefined where rules take its place. */
  promptModel(stage: MragPrompt): TextModel | undefined;
  /** Relevance, mask and temporal form of all rankings. */
  timed: Required<Pick<Ranking, 'relevance' | 'mask' | 'form'>>;
  /** Undefined where whole passages are ranked. */
  sentences: SentenceRanking | undefined;
  /** Options as tables print them. */
  shown: Record<string, unknown>;
}

/** What `mrag` would use: a model only if some stage prompts it. */
export function mragUses({
  variant,
  prompted = mragPrompts,
  question,
  keywords,
  summarise,
}: Settings = {}): Uses {
  const official = variant === 'official';
  const left: Record<MragPrompt, boolean> = {
    question: question !== false && !official,
    keywords: keywords !== false || official,
    summaries: summarise !== 0,
  };
  return {
    reranker: true,
    prompts: mragPrompts.some(
      (stage) => left[stage] && (!Array.isArray(prompted) || prompted.includes(stage)),
    ),
  };
}

/** Sentences that a reranker scores, as in the paper. */
const maxReranked = 200;
/** Options of the official variant. */
const officialKinds = {
  variant: checkedWhereUsed,
  prompted: checkedWhereUsed,
  depth: count,
  relevance: relevanceKind,
  fusion: checkedWhereUsed,
  reranker: checkedWhereUsed,
  summarise: checkedWhereUsed,
};
const kinds = {
  ...officialKinds,
  question: questionKind,
  mask: onOrOff,
  sentences: orFalse(count),
  keywords: orFalse(count),
  keywordTypes: checkedWhereUsed,
  rerank: count,
  passages: count,
  spline: orFalse(
    partsOf({
      low: finite,
      outside: finite,
      spanYears: finite,
      named: finite,
      shape: oneOf(['states', 'curve', 'line']),
      unordered: oneOf(['state', 'last']),
    }),
  ),
};

/** @throws AsOfError ERR_INVALID_ARGUMENT for a value of the wrong kind or range. */
export function resolveMragOptions(options: MragOptions): ResolvedMragOptions {
  const own = withDefaults(options);
  const { model, reranker, prompted, keywords, keywordTypes: types, sentences, spline, mask } = own;
  const { question, relevance } = own;
  const promptModel = (stage: MragPrompt): TextModel | undefined =>
    prompted.includes(stage) ? model : undefined;
  const { summarise = promptModel('summaries') ? 5 : 100 } = options;
  mustBeWhole({ summarise }, 0);
  const most = typeof sentences === 'number' ? sentences : reranker ? maxReranked : undefined;
  const timed = {
    relevance,
    mask: mask ? constrainedPublicationMask : () => ({}),
    form: (query: QueryContext): TemporalForm =>
      spline ? temporalForm(query, spline) : { combine: 'none' },
  };
  const exactTime = exactTimeGain(spline);
  const shown = {
    variant: own.variant,
    depth: own.depth,
    relevance,
    fusion: own.fusion,
    passages: own.passages,
    summarise,
    mask,
    keywords,
    ...(keywords === false ? {} : { keywordTypes: types }),
    sentences: sentences === false ? false : (most ?? 'all'),
    ...(reranker ? { reranker: reranker.id, rerank: own.rerank } : {}),
    ...(model ? { prompted } : {}),
    ...(spline === false ? { spline } : spline),
    ...(question === false ? { question } : question),
  };
  return {
    corpus: options.corpus,
    ...(model ? { model } : {}),
    ...(options.read ? { read: options.read } : {}),
    ...(reranker ? { reranker } : {}),
    question,
    depth: own.depth,
    fusion: own.fusion,
    keywords: keywords === false ? undefined : { n: keywords, types, ties: true },
    rerank: own.rerank,
    shortlistSize: sentences !== false && !reranker ? own.passages : undefined,
    summaries: summarise,
    promptModel,
    timed,
    sentences:
      sentences === false
        ? undefined
        : {
            ...timed,
            exactTime,
            ...(most === undefined ? {} : { most }),
            ...(reranker ? { reranker } : {}),
          },
    shown,
  };
}

type MragDefaults = 'variant' | 'prompted' | 'question' | 'depth' | 'relevance' | 'fusion' | 'mask';
type OwnDefaults = 'keywords' | 'keywordTypes' | 'rerank' | 'passages' | 'spline';

/** The options with their defaults, checked one by one. */
function withDefaults(
  options: MragOptions,
): MragOptions & Required<Pick<MragOptions, MragDefaults | OwnDefaults>> {
  refuseRemoved(options);
  if (options?.variant === 'official') checkKinds('mrag+official', options, officialKinds);
  else checkKinds('mrag', options, kinds);
  const { variant = 'ours', prompted = mragPrompts, fusion = 'scores' } = options;
  const { keywordTypes: types = ['special', 'superlative'] } = options;
  if (variant !== 'ours' && variant !== 'official')
    throw invalidArgument('variant', 'ours or official', variant);
  if (!isSubset(prompted, mragPrompts))
    throw invalidArgument('prompted', `some of ${mragPrompts.join(', ')}`, prompted);
  if (!isSubset(types, keywordTypes))
    throw invalidArgument('keywordTypes', `some of ${keywordTypes.join(', ')}`, types);
  if (!fusions.includes(fusion))
    throw invalidArgument('fusion', `one of ${fusions.join(', ')}`, fusion);
  return {
    ...options,
    variant,
    prompted,
    question: options.question ?? {},
    depth: options.depth ?? 1000,
    relevance: options.relevance ?? { semantic: 0.35, lexical: 0.65 },
    fusion,
    keywords: options.keywords ?? 100,
    keywordTypes: types,
    rerank: options.rerank ?? 100,
    passages: options.passages ?? 100,
    spline: options.spline ?? {},
    mask: options.mask ?? true,
  };
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for the removed option `passageShare`. */
function refuseRemoved(options: object): void {
  if (typeof options !== 'object' || options === null || !('passageShare' in options)) return;
  throw invalidArgument(
    'the options of mrag',
    'without passageShare',
    'passageShare',
    'It was removed, as it gained nothing on balance: omit it.',
  );
}

const isSubset = (values: readonly string[], of: readonly string[]): boolean =>
  Array.isArray(values) && values.every((each) => of.includes(each as string));

/** The gain of statements of exactly the question's time, weighted by `spline.named`. */
function exactTimeGain(
  spline: TemporalOptions | false,
): (query: Pick<QueryContext, 'parsed'>) => ExactTimeMatch | undefined {
  const weight = spline === false ? 0 : (spline.named ?? 0.4);
  if (!(weight >= 0 && weight <= 1))
    throw invalidArgument('spline.named', 'a number from 0 to 1', weight);
  return ({ parsed }) => {
    const match = weight > 0 ? exactTimeMatch(jointConstraint(parsed)) : undefined;
    return match && { ...match, of: (dates) => weight * match.of(dates) };
  };
}
