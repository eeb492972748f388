// Re3 (section 3): one dual encoder for relevance and time, and a conflict-aware recency filter.
import { pipeline } from '../../pipeline.js';
import { limit } from '../../reading/evidence.js';
import { read } from '../../reading/reader.js';
import { retrieve } from '../../retrieval/retrieve.js';
import { system, type QueryRequest, type System } from '../../systems/system.js';
import { dropSuperseded } from './dropSuperseded.js';
import { resolveRe3Options, type Re3Options } from './options.js';
import { fuseTime, parseTime } from './timeFusion.js';

export type { Re3Options } from './options.js';

/**
 * Re3: a dual encoder whose vectors have the times of question and passages fused into them; of
 * conflicting versions only the latest that was published when the question was asked is kept.
 * @throws AsOfError ERR_INVALID_ARGUMENT for unknown options and values of the wrong kind.
 * @example const { evidence, dropped } = await re3({ corpus }).run({ text: 'How cold will it be on
 * 7 May 2025?', askedAt: '2025-05-06' });
 */
export function re3(options: Re3Options): System {
  const { corpus, model, read: reading, ...resolved } = resolveRe3Options(options);
  const { timeEncoder, extractor, fuse, retrieval, versions, shown } = resolved;
  const composition = pipeline<QueryRequest>('re3')
    .then(parseTime()) // 3.2, query time
    .thenIf(timeEncoder, (open) => fuseTime(open, { extractor, fuse })) // 3.3, equations 4 to 9
    .then(retrieve(retrieval.name, retrieval.ranking)) // 3.1, equations 1 and 2
    .thenIf(versions, (conflicts) => dropSuperseded(conflicts, model)) // 3.4, equation 14
    .then(limit())
    .then(read(reading, model)); // 3.1, equation 3
  return system(composition.done(), corpus, shown, reading);
}
