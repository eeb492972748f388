// TempRALM (arXiv 2401.13222): relevance plus standardised recency, with future passages masked.
import { pipeline } from '../../pipeline.js';
import { rerankBySearch } from '../../retrieval/rerankBySearch.js';
import { limit } from '../../reading/evidence.js';
import { read } from '../../reading/reader.js';
import { retrieve } from '../../retrieval/retrieve.js';
import { questionAsQuery, withTimeSuffix } from '../../systems/queryAnalysis.js';
import { system, type QueryRequest, type System } from '../../systems/system.js';
import { resolveTempralmOptions, type TempralmOptions } from './options.js';

export type { TempralmOptions } from './options.js';

/**
 * TempRALM (arXiv 2401.13222): over-retrieved passages are ranked by relevance plus standardised
 * recency; what was published after the question was asked is hidden.
 * @throws AsOfError ERR_INVALID_ARGUMENT for unknown options and values of the wrong kind.
 * @example const { evidence } = await tempralm({ corpus }).run({ text: 'Who is the Wimbledon
 * champion?', askedAt: '2015-08-01' });
 */
export function tempralm(options: TempralmOptions): System {
  const { corpus, model, read: reading, ...resolved } = resolveTempralmOptions(options);
  const { semantic, timed, overRetrieve, suffix, shown } = resolved;
  const first = overRetrieve
    ? retrieve(`retrieve(${overRetrieve})`, { ...semantic, n: overRetrieve })
    : retrieve('retrieve(semantic + recency)', timed);
  const composition = pipeline<QueryRequest>('tempralm')
    .then(suffix ? withTimeSuffix() : questionAsQuery()) // 4.3, table 1; 3.2
    .then(first) // 3.3, or over-retrieval, 3.4; equations 1 and 5
    .thenIf(overRetrieve, () => rerankBySearch('rank(semantic + recency)', timed)) // 3.3
    .then(limit())
    .then(read(reading, model));
  return system(composition.done(), corpus, shown, reading);
}
