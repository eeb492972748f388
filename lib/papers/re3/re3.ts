// Re3: relevance and time in one dual encoder, and of what it finds only the newest of conflicting
// versions.
import { read } from '../../reading/reader.js';
import { stressNames } from '../../retrieval/namedTerms.js';
import { retrieve } from '../../retrieval/retrieve.js';
import { fuseTime } from './timeFusion.js';
import { takeTop } from '../../reading/evidence.js';
import { newestFirst } from '../../facts/latestOfSeries.js';
import { dropOutdated } from '../../facts/versions/dropOutdated.js';
import { publishedAsAsked } from '../../ranking/mask.js';
import { fusedTimeForm } from './exactTime.js';
import { pipeline } from '../../pipeline.js';
import {
  checkRe3Options,
  mixed,
  openTimes,
  shownWeights,
  versionsDepth,
  type Re3Options,
} from './options.js';
import { parseTime } from '../../systems/questions.js';
import { system, type Ask, type System } from '../../systems/system.js';

export type { Re3Options } from './options.js';

/**
 * Re3: relevance and time in one dual encoder, whose vectors have the times of question and
 * passages fused into them; of conflicting versions only the newest one published when the question
 * was asked is kept. `relevance: { semantic: 1, lexical: 0 }` is the form of the paper.
 * @throws AsOfError ERR_INVALID_ARGUMENT for options that it does not have or that are of the wrong
 * kind.
 * @example const { evidence, dropped } = await re3({ corpus }).run({ text: 'How cold will it be on
 * 7 May 2025?', askedAt: '2025-05-06' });
 */
export function re3(options: Re3Options): System {
  const {
    corpus,
    model,
    read: reading,
    weights,
    mask = true,
    relevance = mixed,
    units = 'passages',
    versions = {},
  } = checkRe3Options(options);
  const fused = relevance.semantic > 0 && weights !== false;
  const { namedTime = fused && relevance.lexical > 0, newest = relevance.lexical > 0 } = options;
  const name = relevance.semantic === 0 ? 'bm25' : relevance.lexical > 0 ? 'retrieve' : 'dense';
  const counted = [...(fused ? ['fused by FiLM'] : []), ...(namedTime ? ['named time'] : [])].join(
    ' x ',
  );
  const found = {
    n: 'k' as const,
    spare: versionsDepth(versions),
    scope: units,
    pool: units !== 'passages',
    relevance,
    ...(mask ? { mask: publishedAsAsked } : {}),
    ...(namedTime ? { form: fusedTimeForm } : {}),
  };
  const composition = pipeline<Ask>('re3')
    .then(parseTime())
    .thenIf(fused, () => fuseTime(openTimes(corpus, weights))) // equations 4 to 9, of the question; of the rows once a corpus
    .thenIf((fused || namedTime) && relevance.lexical > 0, () => stressNames()) // ours, where words count too
    .then(retrieve(counted ? `${name}(${counted})` : name, found, 'Re3 3.1')) // equations 1 and 2
    .thenIf(newest, () => newestFirst(relevance)) // ours
    .thenIf(versions, (conflicts) => dropOutdated(conflicts, model)) // equation 14
    .then(takeTop())
    .then(read(reading, model)); // equation 3
  return system(
    composition.done(),
    corpus,
    { weights: shownWeights(weights), relevance, namedTime, newest, units, mask, versions },
    reading,
  );
}
