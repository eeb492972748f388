// Baselines without time, dense retrieval and BM25; optionally with a publication mask, or with the
// question's date appended (TempRALM section 4.3).
import { read } from '../reading/reader.js';
import { retrieve } from '../retrieval/retrieve.js';
import { lexicalOnly, semanticOnly, type Relevance } from '../retrieval/search.js';
import { limit } from '../reading/evidence.js';
import { publicationMask } from '../ranking/mask.js';
import { pipeline } from '../pipeline.js';
import { decayFormAt, type Decay } from '../time/decay.js';
import { checkedWhereUsed, checkKinds, onOrOff } from './optionKinds.js';
import { questionAsQuery, withTimeSuffix } from './queryAnalysis.js';
import { system, type QueryRequest, type CommonOptions, type System } from './system.js';

export interface BaselineOptions extends CommonOptions {
  /** Exclude passages published after the query time. Default false. */
  mask?: boolean;
  /** Append the question's date to its text. Default false. */
  suffix?: boolean;
  /**
   * Decay of the relevance with the distance of a passage's time from `askedAt`. With it, `bm25`
   * ranks by BM25 / (best BM25 of the question), 0 to 1. Default: none.
   */
  decay?: Decay;
}

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
    decay,
  } = checkKinds(kind, options, { mask: onOrOff, suffix: onOrOff, decay: checkedWhereUsed });
  const formAt = decay && decayFormAt(decay);
  const name = `${kind}${mask ? '+mask' : ''}${suffix ? '+suffix' : ''}`;
  const composition = pipeline<QueryRequest>(name)
    .then(suffix ? withTimeSuffix() : questionAsQuery())
    .then(
      retrieve(`${kind}${mask ? '(masked)' : ''}${decay ? ` x decay(${decay.shape})` : ''}`, {
        n: 'k',
        scope: 'passages',
        relevance,
        ...(mask ? { mask: publicationMask } : {}),
        ...(formAt ? { form: ({ parsed }) => formAt(parsed.askedAt) } : {}),
      }),
    )
    .then(limit())
    .then(read(reading, model));
  return system(composition.done(), corpus, { mask, suffix, ...(decay ? { decay } : {}) }, reading);
}
