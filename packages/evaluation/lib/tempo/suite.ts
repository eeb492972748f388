// TEMPO's tasks over domains and systems, in one result that lists every option its figures depend
// on.
import { throwIfAborted } from 'asof/kit';
import { roundToFiveDecimals } from '../measures/temporal.js';
import { sampleQueries } from '../comparison/summaries.js';
import { evaluatedSystem } from '../systems.js';
import type { TempoData } from './data.js';
import {
  checkTempoOptions,
  optionsRecord,
  retrievalDefaults,
  type TempoOptions,
} from './options.js';
import { answerMeasures } from './rag.js';
import { reformulate } from './reformulate.js';
import { askedAtOf } from './retrieval.js';
import { tempoFormat, type TempoResult } from './result.js';
import { classCounts, RowCollector } from './tables.js';
import { answersWithoutRetrieval, progressCounter, runTasks, type DomainContext } from './tasks.js';

/**
 * Runs the tasks of all systems, domain by domain; only one corpus is open at a time.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an unknown system, and for measures or contexts
 * without their judge; errors of systems, models and judges; ERR_ABORTED.
 */
export async function evaluateTempo(data: TempoData, options: TempoOptions): Promise<TempoResult> {
  checkTempoOptions(options);
  const { systems, sample, seed = 1, classes = 'reported', signal } = options;
  throwIfAborted(signal);
  const metrics =
    options.tempo === 'code'
      ? options.metrics.map((metric) => ({ ...metric, rounded: roundToFiveDecimals }))
      : options.metrics;
  const { excludedOfSteps, ...defaults } = retrievalDefaults(options);
  const domains =
    sample === undefined
      ? data.domains
      : data.domains.map((domain) => ({
          ...domain,
          queries: sampleQueries(domain.queries, sample, seed, domain.name),
        }));
  const rows = new RowCollector(classes);
  const described: TempoResult['systems'] = [];
  const counts: TempoResult['domains'] = [];
  const progress = progressCounter(domains, options);
  for (const domain of domains) {
    throwIfAborted(signal);
    const corpus = await options.open(domain);
    try {
      counts.push({
        name: domain.name,
        queries: domain.queries.length,
        documents: corpus.info().passages,
        steps: domain.queries.reduce((sum, { steps }) => sum + steps.length, 0),
      });
      const texts =
        options.reformulator && (await reformulate(options.reformulator, domain.queries, signal));
      const retrieval = {
        metrics,
        signal,
        texts,
        ...defaults,
        ...askedAtOf(options),
      };
      const stepRetrieval = { ...retrieval, excluded: excludedOfSteps };
      const running = { options, retrieval, stepRetrieval, rows, progress };
      const context: DomainContext = { domain, corpus, ...running };
      await answersWithoutRetrieval(context);
      for (const name of systems) {
        const system = evaluatedSystem(name, corpus, options);
        if (!described.some((each) => each.name === name))
          described.push({ name, options: { ...system.options } });
        await runTasks(system, context);
      }
    } finally {
      await corpus.close();
    }
  }
  return {
    format: tempoFormat,
    folder: data.folder,
    domains: counts,
    classes: classCounts({ ...data, domains }, classes),
    metrics: metrics.map(({ name }) => name),
    answer_measures: (options.contexts ?? []).length > 0 ? answerMeasures : [],
    options: optionsRecord(options, metrics),
    systems: described,
    rows: rows.rows(options.perQuery === true),
  };
}
