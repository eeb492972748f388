// trec_eval's names of measures and ours, for whoever holds its printed values against ours. It
// knows no files and measures nothing.
import { parseMetric, type Metric } from '../../lib/measures/metricNames.js';

/** trec_eval's name of a measure as ours; undefined for those we do not have. */
export function ourMetric(name: string): Metric | undefined {
  const whole: Record<string, string> = {
    map: 'map',
    Rprec: 'rprec',
    bpref: 'bpref',
    recip_rank: 'mrr',
    ndcg: 'ndcg',
  };
  if (Object.hasOwn(whole, name)) return parseMetric(whole[name]!);
  const cut = /^(P|recall|success|map_cut|ndcg_cut)_(\d+)$/.exec(name);
  const families: Record<string, string> = {
    P: 'precision',
    recall: 'recall',
    success: 'hit',
    map_cut: 'map',
    ndcg_cut: 'ndcg',
  };
  return cut ? parseMetric(`${families[cut[1]!]}@${cut[2]}`) : undefined;
}
