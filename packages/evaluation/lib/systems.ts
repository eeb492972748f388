// Systems under evaluation, created by their registry names.
import { invalidArgument, needsReranker } from 'asof/kit';
import { createSystem, systemNames, type SystemOptions, type Settings } from 'asof/papers';
import type { Corpus, System } from 'asof';
import { isEmptyList } from './isEmptyList.js';

export interface EvaluatedSystemOptions
  extends Pick<SystemOptions, 'model' | 'reranker' | 'read' | 'extractor' | 'timeWeights'> {
  /** Options of systems by name, as in a settings file. */
  settings?: Readonly<Record<string, Settings>> | undefined;
}

/** Creates a system on a corpus with the settings listed under its name. */
export function evaluatedSystem(
  name: string,
  corpus: Corpus,
  { settings, model, reranker, read, extractor, timeWeights }: EvaluatedSystemOptions,
): System {
  return createSystem(name, {
    corpus,
    ...(settings?.[name] ? { settings: settings[name] } : {}),
    read,
    model,
    reranker,
    extractor,
    timeWeights,
  });
}

/**
 * @throws AsOfError ERR_INVALID_ARGUMENT for an empty list, for an unknown name, and for a system
 * that lacks its reranker.
 */
export function checkSystemNames(
  systems: readonly string[] | undefined,
  reranker: EvaluatedSystemOptions['reranker'],
): void {
  const expected = `some of ${systemNames.join(', ')}`;
  if (!systems || isEmptyList(systems)) throw invalidArgument('systems', expected, systems);
  const unknown = systems.find((name) => !systemNames.includes(name));
  if (unknown !== undefined) throw invalidArgument('systems', expected, unknown);
  const lacking = reranker === undefined && systems.find(needsReranker);
  if (lacking) throw invalidArgument('reranker', `a Reranker, which ${lacking} needs`, reranker);
}
