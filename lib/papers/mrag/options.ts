// The options of `mrag`, checked and with their defaults: every stage can be left out, so that a
// table can say what it is worth.
import { fusions, type Fusion } from '../../retrieval/firstStage.js';
import type { Asked } from '../../retrieval/candidate.js';
import type { Relevance } from '../../retrieval/search.js';
import { invalidArgument } from '../../errors.js';
import type { KeywordRanking } from './keywordRanking.js';
import { namedExactly, type Naming, type TemporalOptions } from '../../ranking/temporal.js';
import { keywordTypes, type KeywordType } from '../../text/keywords/keyword.js';
import type { TextModel } from '../../text/textModel.js';
import { jointConstraint } from '../../time/question/jointConstraint.js';
import type { QuestionOptions } from '../../time/question/question.js';
import type { Reranker } from '../../vectors/reranker.js';
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

/** The stages that prompt a language model where there is one (MRAG section 4, appendix F). */
export const mragPrompts = ['question', 'keywords', 'summaries'] as const;
export type MragPrompt = (typeof mragPrompts)[number];

export interface MragOptions extends CommonOptions {
  /**
   * `official` computes what the published code computes, with its years, its line and its numbers
   * (docs/papers/mrag.md). Default ours.
   */
  variant?: 'ours' | 'official';
  /**
   * Conventions of a data set that differ from ours, such as its parts of a decade; false searches
   * by the whole question.
   */
  question?: QuestionOptions | false;
  /** Which stages prompt `model`; the others keep to rules. Default all. */
  prompted?: readonly MragPrompt[];
  /** Passages that the first stage keeps. Default 1,000, as in the paper (section 3.3). */
  depth?: number;
  /**
   * How relevance is made of encoder and BM25; { semantic: 1, lexical: 0 } is the paper's dense
   * first stage.
   */
  relevance?: Relevance;
  /** Whether the first stage adds scores or ranks of the two (section 5.1). Default scores. */
  fusion?: Fusion;
  /**
   * Passages kept by keyword ranking, and those that score as the last of them; false leaves it
   * out. Default 100, as in the paper.
   */
  keywords?: number | false;
  /**
   * The types of keywords that it counts. Default special and superlative: names tell passages
   * apart, and other words are BM25's.
   */
  keywordTypes?: readonly KeywordType[];
  /** Scores passages and sentences in place of the encoder and BM25. Default: none. */
  reranker?: Reranker;
  /** Passages that the reranker reads. Default 100, as in the paper. */
  rerank?: number;
  /**
   * Passages that are condensed; 0 leaves it out. Default 5 with a model, as in the paper, else
   * 100.
   */
  summarise?: number;
  /**
   * Sentences and summaries that are ranked, the most relevant; 200 is the
   * paper. false ranks whole passages. Default: all, and 200 with a reranker.
   */
  sentences?: number | false;
  /**
   * Passages whose sentences are ranked: those that relevance and their best date put first.
   * Default 100; with a reranker all that it read.
   */
  passages?: number;
  /**
   * The share of a sentence's relevance that is its passage's, 0 to 1. The paper: 0. Default 0.5.
   */
  passageShare?: number;
  /** The temporal score; false leaves it out. */
  spline?: TemporalOptions | false;
  /** Hide what was published after the question was asked. Default true. */
  mask?: boolean;
}

type Filled = Required<
  Pick<MragOptions, 'depth' | 'relevance' | 'fusion' | 'rerank' | 'passages' | 'passageShare'>
>;

interface CheckedMragOptions extends CommonOptions, Filled {
  reranker?: Reranker;
  question: QuestionOptions | false;
  keywordRanking: KeywordRanking | undefined;
  summaries: number;
  /** How sentences are ranked; false where whole passages are. */
  bySentence: { most?: number; reranker?: Reranker } | false;
  spline: TemporalOptions | false;
  /** What naming the time exactly gains, of a question. */
  naming: (asked: Pick<Asked, 'parsed'>) => Naming | undefined;
  mask: boolean;
  /** The model for a stage, undefined where it keeps to rules. */
  prompts(stage: MragPrompt): TextModel | undefined;
  /** What tables say of the system. */
  printed: Record<string, unknown>;
}

/** What `mrag` would use: a model only where a stage is left that prompts it. */
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

const mostReranked = 200;
/** What the published code has a use for. */
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
  passageShare: checkedWhereUsed,
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
export function checkMragOptions(options: MragOptions): CheckedMragOptions {
  if (options?.variant === 'official') checkKinds('mrag+official', options, officialKinds);
  else checkKinds('mrag', options, kinds);
  const {
    variant = 'ours',
    model,
    reranker,
    prompted = mragPrompts,
    question = {},
    depth = 1000,
    relevance = { semantic: 0.35, lexical: 0.65 },
    fusion = 'scores',
  } = options;
  const {
    keywords = 100,
    keywordTypes: types = ['special', 'superlative'],
    rerank = 100,
    sentences,
    passages = 100,
    passageShare = 0.5,
    spline = {},
    mask = true,
  } = options;
  if (variant !== 'ours' && variant !== 'official')
    throw invalidArgument('variant', 'ours or official', variant);
  if (
    !Array.isArray(prompted) ||
    !prompted.every((each) => mragPrompts.includes(each as MragPrompt))
  ) {
    throw invalidArgument('prompted', `some of ${mragPrompts.join(', ')}`, prompted);
  }
  if (!Array.isArray(types) || !types.every((each) => keywordTypes.includes(each as KeywordType))) {
    throw invalidArgument('keywordTypes', `some of ${keywordTypes.join(', ')}`, types);
  }
  if (!fusions.includes(fusion))
    throw invalidArgument('fusion', `one of ${fusions.join(', ')}`, fusion);
  const prompts = (stage: MragPrompt): TextModel | undefined =>
    prompted.includes(stage) ? model : undefined;
  const { summarise = prompts('summaries') ? 5 : 100 } = options;
  if (!Number.isInteger(summarise) || summarise < 0)
    throw invalidArgument('summarise', 'a whole number from 0', summarise);
  if (!(passageShare >= 0 && passageShare <= 1))
    throw invalidArgument('passageShare', 'a number from 0 to 1', passageShare);
  const most = typeof sentences === 'number' ? sentences : reranker ? mostReranked : undefined;
  const printed = {
    variant,
    depth,
    relevance,
    fusion,
    passages,
    passageShare,
    summarise,
    mask,
    keywords,
    ...(keywords === false ? {} : { keywordTypes: types }),
    sentences: sentences === false ? false : (most ?? 'all'),
    ...(reranker ? { reranker: reranker.id, rerank } : {}),
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
    depth,
    relevance,
    fusion,
    keywordRanking: keywords === false ? undefined : { n: keywords, types, ties: true },
    rerank,
    summaries: summarise,
    passages,
    passageShare,
    spline,
    naming: namingBy(spline),
    mask,
    prompts,
    printed,
    bySentence:
      sentences === false
        ? false
        : { ...(most === undefined ? {} : { most }), ...(reranker ? { reranker } : {}) },
  };
}

function namingBy(spline: TemporalOptions | false): CheckedMragOptions['naming'] {
  const weight = spline === false ? 0 : (spline.named ?? 0.4);
  if (!(weight >= 0 && weight <= 1))
    throw invalidArgument('spline.named', 'a number from 0 to 1', weight);
  return ({ parsed }) => {
    const exactly = weight > 0 ? namedExactly(jointConstraint(parsed)) : undefined;
    return exactly && { ...exactly, of: (dates) => weight * exactly.of(dates) };
  };
}
