// Baselines without time, dense retrieval and BM25; optionally with a publication mask, with the
// question's date appended (TempRALM section 4.3), or reranked (MRAG's "retriever + reranker").
import { invalidArgument } from '../errors.js';
import { read } from '../reading/reader.js';
import { retrieve } from '../retrieval/retrieve.js';
import { lexicalOnly, semanticOnly, type Relevance } from '../retrieval/search.js';
import { limit } from '../reading/evidence.js';
import { publicationMask } from '../retrieval/mask.js';
import { rerankPassages } from './rerankPassages.js';
import { pipeline } from '../pipeline.js';
import { decayFormAt, type Decay } from '../time/decay.js';
import { forms } from '../time/temporalForms.js';
import type { Reranker } from '../vectors/reranker.js';
import { checkedWhereUsed, checkKinds, count, onOrOff } from './optionKinds.js';
import { questionAsQuery, withTimeSuffix } from './queryAnalysis.js';
import { correctSpelling } from './spelling.js';
import { system, type QueryRequest, type CommonOptions, type System } from './system.js';

/** Passages that a reranker scores, as in MRAG. */
export const defaultReranked = 100;

export interface BaselineOptions extends CommonOptions {
  /** Exclude passages published after the query time. Default false. */
  mask?: boolean | undefined;
  /** Append the question's date to its text. Default false. */
  suffix?: boolean | undefined;
  /** Correct words of the question as `hybrid` does. Default false. */
  spelling?: boolean | undefined;
  /**
   * Decay of the relevance with the distance of a passage's time from `askedAt`. With it, `bm25`
   * ranks by BM25 / (best BM25 of the question), 0 to 1. Default: none.
   */
  decay?: Decay | undefined;
  /** Ranks the first `rerank` passages by its scores. Default: none. */
  reranker?: Reranker | undefined;
  /** Passages that the reranker scores; no others are returned. Default 100. */
  rerank?: number | undefined;
}

const kinds = {
  mask: onOrOff,
  suffix: onOrOff,
  spelling: onOrOff,
  decay: checkedWhereUsed,
  reranker: checkedWhereUsed,
  rerank: count,
};

/** Nearest passages by the cosine of their vectors. */
export function dense(options: BaselineOptions): System {
  return baseline('dense', semanticOnly, options);
}

/** Best passages by BM25. */
export function bm25(options: BaselineOptions): System {
  return baseline('bm25', lexicalOnly, options);
}

function baseline(kind: string, relevance: Relevance, options: BaselineOptions): System {
  const {
    corpus,
    model,
    read: reading,
    mask = false,
    suffix = false,
    spelling = false,
    decay,
    reranker,
    rerank = defaultReranked,
  } = checkKinds(kind, options, kinds);
  checkReranking(options);
  const formAt = decay && decayFormAt(decay);
  const name = `${kind}${mask ? '+mask' : ''}${suffix ? '+suffix' : ''}${reranker ? '+rerank' : ''}`;
  const analyze = suffix ? withTimeSuffix() : questionAsQuery();
  const ranking = { scope: 'passages', relevance } as const;
  const composition = pipeline<QueryRequest>(name)
    .thenIf(spelling && { analyze: questionAsQuery(), ranking }, correctSpelling)
    .then(analyze)
    .then(
      retrieve(`${kind}${mask ? '(masked)' : ''}${decay ? ` x ${forms[decay.shape].words}` : ''}`, {
        n: reranker ? rerank : 'k',
        ...ranking,
        ...(mask ? { mask: publicationMask } : {}),
        ...(formAt ? { form: ({ parsed }) => formAt(parsed.askedAt) } : {}),
      }),
    )
    .thenIf(reranker, (model) => rerankPassages(rerank, model))
    .then(limit())
    .then(read(reading, model));
  const shown = {
    mask,
    suffix,
    ...(spelling ? { spelling } : {}),
    ...(decay ? { decay } : {}),
    ...(reranker ? { reranker: reranker.id, rerank } : {}),
  };
  // Weights are refused, of which it has none.
  return system(composition.done(), corpus, shown, reading, (own) =>
    baseline(kind, relevance, { ...options, ...own, decay: own.decay ?? decay }),
  );
}

/** Throws ERR_INVALID_ARGUMENT for options that would have no effect. */
function checkReranking({ reranker, rerank, decay }: BaselineOptions): void {
  if (rerank !== undefined && reranker === undefined) {
    const remedy = 'Open one, such as onnxReranker or httpReranker of asof/models.';
    throw invalidArgument(
      'reranker',
      'a Reranker { id, score } where passages are reranked',
      reranker,
      remedy,
    );
  }
  if (reranker !== undefined && decay !== undefined)
    throw invalidArgument(
      'decay',
      'absent with a reranker, whose scores replace decayed ones',
      decay,
    );
}
