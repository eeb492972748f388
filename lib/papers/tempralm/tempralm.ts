// TempRALM (arXiv 2401.13222): relevance plus standardised recency, passages of the future masked.
import { read } from '../../reading/reader.js';
import { bridge, type BridgeOptions } from '../../retrieval/bridge.js';
import type { Asked } from '../../retrieval/candidate.js';
import { retrieve } from '../../retrieval/retrieve.js';
import type { Relevance } from '../../retrieval/search.js';
import { takeTop } from '../../reading/evidence.js';
import { publishedByThen } from '../../ranking/mask.js';
import { nearBest } from './relativeCutoff.js';
import { rank } from '../../ranking/rank.js';
import { recencyForm } from '../../ranking/recency.js';
import { pipeline } from '../../pipeline.js';
import {
  bridgeKind,
  checkedWhereUsed,
  checkKinds,
  count,
  finite,
  onOrOff,
  oneOf,
  relevanceKind,
} from '../../systems/optionKinds.js';
import { asAsked } from '../../systems/questions.js';
import { system, type Ask, type CommonOptions, type System } from '../../systems/system.js';

export interface TempralmOptions extends CommonOptions {
  /**
   * Passages over-retrieved before time ranks them (section 3.4); 'corpus' ranks the whole corpus
   * by both at once. Default 60.
   */
  overRetrieve?: number | 'corpus';
  /** Weight of the standardised temporal score; 1 is the paper. */
  weight?: number;
  /** Least difference of the two times, in days. Default 1. */
  floorDays?: number;
  relevance?: Relevance;
  /** Hide what was published after the question was asked (equation 5). Default true. */
  mask?: boolean;
  /**
   * Ours: a word of the question that no passage found has is answered by one that they have. false
   * is the paper.
   */
  bridge?: BridgeOptions | false;
  /**
   * Ours: time ranks what is at least this share as relevant as the best, where that leaves ten and
   * k. Default 0.85; 0 is the paper.
   */
  nearBest?: number;
}

const kinds = {
  overRetrieve: oneOf(['corpus'], count),
  weight: finite,
  floorDays: finite,
  relevance: relevanceKind,
  mask: onOrOff,
  bridge: bridgeKind,
  nearBest: checkedWhereUsed,
};

/**
 * TempRALM (arXiv 2401.13222): more passages are retrieved than wanted and ranked by relevance plus
 * standardised recency; what was published after the question was asked is hidden.
 * @throws AsOfError ERR_INVALID_ARGUMENT for options that it does not have or that are of the wrong
 * kind.
 * @example const { evidence } = await tempralm({ corpus }).run({ text: 'Who is the Wimbledon
 * champion?', askedAt: '2015-08-01' });
 */
export function tempralm(options: TempralmOptions): System {
  const {
    corpus,
    model,
    read: reading,
    overRetrieve = 60,
    weight = 1,
    floorDays = 1,
    relevance = { semantic: 0.2, lexical: 0.8 },
  } = checkKinds('tempralm', options, kinds);
  const { bridge: bridging = {}, nearBest: share = 0.85, mask = true } = options;
  const semantic = {
    scope: 'passages' as const,
    relevance,
    ...(mask ? { mask: publishedByThen } : {}),
  }; // equations 1 and 5
  const timed = {
    ...semantic,
    n: 'k' as const,
    form: ({ parsed }: Asked) => recencyForm(parsed.askedAt, { weight, floorDays }),
  }; // equations 2 to 4
  const retrieval =
    overRetrieve === 'corpus'
      ? retrieve('retrieve(semantic + recency)', timed, 'TempRALM 3.3')
      : retrieve(`retrieve(${overRetrieve})`, { ...semantic, n: overRetrieve }, 'TempRALM 3.4');
  const again = overRetrieve !== 'corpus';
  const composition = pipeline<Ask>('tempralm')
    .then(asAsked())
    .then(retrieval)
    .thenIf(bridging, (words) => bridge(retrieval, timed, words))
    .thenIf(again && share, nearBest)
    .thenIf(again, () => rank('rank(semantic + recency)', timed, 'TempRALM 3.3'))
    .then(takeTop())
    .then(read(reading, model));
  const shown = {
    overRetrieve,
    weight,
    floorDays,
    relevance,
    mask,
    bridge: bridging,
    nearBest: share,
  };
  return system(composition.done(), corpus, shown, reading);
}
