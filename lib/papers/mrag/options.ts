// Options of `mrag` and their resolution: each stage can be switched off, for ablations.
import { invalidArgument, mustBeWhole } from '../../errors.js';
import { constrainedPublicationMask } from '../../retrieval/mask.js';
import { splineForm, type SplineOptions } from '../../time/spline.js';
import type { Ranking } from '../../retrieval/search.js';
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
} from '../../systems/optionKinds.js';
import type { Settings } from '../../systems/settings.js';
import type { CommonOptions, Uses } from '../../systems/system.js';
import type { TextModel } from '../../text/textModel.js';
import { jointConstraint } from '../../time/question/jointConstraint.js';
import type { QuestionOptions } from '../../time/question/question.js';
import type { Reranker } from '../../vectors/reranker.js';
import { retrievers, type Retriever } from './firstStage.js';

/** The stages that prompt a language model where there is one (MRAG section 4, appendix F). */
export type MragPrompt = 'question' | 'keywords' | 'summaries';
const mragPrompts: readonly MragPrompt[] = ['question', 'keywords', 'summaries'];

export interface MragOptions extends CommonOptions {
  /**
   * What the paper describes, or what its published code computes (docs/papers/mrag.md). Default
   * 'paper'. The options from `question` on are of the paper alone.
   */
  variant?: 'paper' | 'official' | undefined;
  /** Stages that prompt `model`; the others use rules. Default: all. */
  prompted?: readonly MragPrompt[] | undefined;
  /**
   * The first stage (section 5.1): the encoder, BM25, or 0.8 / rank by the encoder + 0.2 / rank by
   * BM25. Default 'dense'.
   */
  retriever?: Retriever | undefined;
  /** Passages that the first stage retrieves. Default 1,000 (section 3.3). */
  depth?: number | undefined;
  /** Scores passages and sentences instead of the encoder. Default: none. */
  reranker?: Reranker | undefined;
  /** Passages summarised; 0 omits it. Default 5 (table 2). */
  summarise?: number | undefined;
  /** Conventions of a data set, such as parts of a decade; false searches by the whole question. */
  question?: QuestionOptions | false | undefined;
  /** Keyword ranking (appendix F); false takes the first stage's first passages. Default true. */
  keywords?: boolean | undefined;
  /** Passages after keyword ranking, which are all that is ranked further. Default 100 (3.3). */
  passages?: number | undefined;
  /** Sentences and summaries that are scored in time; false ranks whole passages. Default 200. */
  sentences?: number | false | undefined;
  /** The temporal score (appendix G); false omits it. */
  spline?: SplineOptions | false | undefined;
  /** Hide what was published after the question was asked. Default false, the paper. */
  mask?: boolean | undefined;
}

export interface ResolvedMragOptions extends CommonOptions {
  reranker?: Reranker;
  question: QuestionOptions | false;
  keywords: boolean;
  depth: number;
  retriever: Retriever;
  passages: number;
  summaries: number;
  /** The model for a stage; undefined where rules take its place. */
  promptModel(stage: MragPrompt): TextModel | undefined;
  /** Mask and temporal form of all rankings. */
  times: Required<Pick<Ranking, 'mask' | 'form'>>;
  sentences: number | false;
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

const officialKinds = {
  variant: checkedWhereUsed,
  prompted: checkedWhereUsed,
  retriever: oneOf(retrievers),
  depth: count,
  reranker: checkedWhereUsed,
  summarise: checkedWhereUsed,
};
const kinds = {
  ...officialKinds,
  question: questionKind,
  keywords: onOrOff,
  passages: count,
  sentences: orFalse(count),
  spline: orFalse(partsOf({ low: finite, outside: finite, spanYears: finite })),
  mask: onOrOff,
};

/** @throws AsOfError ERR_INVALID_ARGUMENT for a value of the wrong kind or range. */
export function resolveMragOptions(options: MragOptions): ResolvedMragOptions {
  const official = options?.variant === 'official';
  checkKinds(official ? 'mrag+official' : 'mrag', options, official ? officialKinds : kinds);
  const { corpus, model, read, reranker, variant = 'paper', prompted = mragPrompts } = options;
  const { retriever = 'dense', depth = 1000, summarise = 5, question = {} } = options;
  const { keywords = true, passages = 100, sentences = 200, spline = {}, mask = false } = options;
  if (variant !== 'paper' && !official)
    throw invalidArgument('variant', 'paper or official', variant);
  if (!Array.isArray(prompted) || !prompted.every((each) => mragPrompts.includes(each as never)))
    throw invalidArgument('prompted', `some of ${mragPrompts.join(', ')}`, prompted);
  mustBeWhole({ summarise }, 0);
  const shared = {
    variant,
    retriever,
    depth,
    summarise,
    ...(reranker ? { reranker: reranker.id } : {}),
    ...(model ? { prompted } : {}),
  };
  return {
    corpus,
    model,
    read,
    reranker,
    question,
    keywords,
    depth,
    retriever,
    passages,
    summaries: summarise,
    promptModel: (stage) => (prompted.includes(stage) ? model : undefined),
    times: {
      mask: mask ? constrainedPublicationMask : () => ({}),
      form: ({ parsed }) =>
        spline ? splineForm(jointConstraint(parsed), parsed.askedAt, spline) : { combine: 'none' },
    },
    sentences,
    shown: official ? shared : { ...shared, question, keywords, passages, sentences, spline, mask },
  };
}
