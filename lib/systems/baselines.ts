// What everyone does without time: nearest passages by cosine or BM25, ignoring every clock; with
// `mask`, hiding what was published after the question; with `suffix`, appending the day of asking
// to the text (TempRALM section 4.3).
import { read } from '../reading/reader.js';
import { retrieve } from '../retrieval/retrieve.js';
import { lexicalOnly, semanticOnly, type Relevance } from '../retrieval/search.js';
import { takeTop } from '../reading/evidence.js';
import { publishedByThen } from '../ranking/mask.js';
import { pipeline } from '../pipeline.js';
import { checkKinds, onOrOff } from './optionKinds.js';
import { asAsked, withSuffix } from './questions.js';
import { system, type Ask, type CommonOptions, type System } from './system.js';

export interface BaselineOptions extends CommonOptions {
  /** Hide what was published after the question was asked. Default false. */
  mask?: boolean;
  /** Append the day of asking to the question's text. Default false. */
  suffix?: boolean;
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
  } = checkKinds(kind, options, { mask: onOrOff, suffix: onOrOff });
  const name = `${kind}${mask ? '+mask' : ''}${suffix ? '+suffix' : ''}`;
  const composition = pipeline<Ask>(name)
    .then(suffix ? withSuffix() : asAsked())
    .then(
      retrieve(`${kind}${mask ? '(published by then)' : ''}`, {
        n: 'k',
        scope: 'passages',
        relevance,
        ...(mask ? { mask: publishedByThen } : {}),
      }),
    )
    .then(takeTop())
    .then(read(reading, model));
  return system(composition.done(), corpus, { mask, suffix }, reading);
}
