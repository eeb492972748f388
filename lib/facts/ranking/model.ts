// Weights of the ranking by series, as `trainRanker` makes them and a JSON file keeps them.
import { readFileSync } from 'node:fs';
import { AsOfError, describe, unreadable } from '../../errors.js';
import { noneInputNames } from './answerable.js';
import type { CascadeWeights } from './cascade.js';
import { featureNames } from '../features/features.js';
import { clockGate, seriesGate } from '../members/members.js';
import { installedFile } from '../../runtime/installation.js';

/** A linear model by name; every weight is a finite number. */
export interface RankerModel {
  format: 'asof-ranker-4';
  /** Names the weights in traces and tables. */
  id: string;
  /** Log-odds of membership in the series that is asked for. */
  features: Record<string, number>;
  /** Log-odds that the series is dated by content rather than by publication. */
  clock: Record<string, number>;
  /** Log-odds that the order of a series counts, rather than relevance alone. */
  series: Record<string, number>;
  /** Relevance alone is a sum of the log-odds, similarity and coverage, so weighted. */
  relevance: { logOdds: number; similarity: number; coverage: number };
  relative: { share: number; shift: number };
  /** Log-odds that no passage answers; above 0 the question is left unanswered. */
  none: Record<string, number>;
}

/** A ranker's weights, ready to rank. */
export interface Ranker {
  id: string;
  weights: CascadeWeights;
}

/** Next to lib/ and to dist/ alike. */
const embedded = installedFile('models/hybrid-ranker.json');
let loaded: Ranker | undefined;

/** The ranker of the package, read once. */
export function embeddedRanker(): Ranker {
  return (loaded ??= readRanker(embedded));
}

/** @throws AsOfError ERR_NOT_FOUND; ERR_STORAGE; ERR_INVALID_INPUT for no ranker of this version */
export function readRanker(path: string): Ranker {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const remedy = 'Train them again, or reinstall asof.';
    throw unreadable(`the weights of a ranker at ${path}`, cause, remedy);
  }
  return rankerOf(parsed(text, path), path);
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refused(path, 'JSON', 'other text', cause);
  }
}

/** The ranker of a model. @throws AsOfError ERR_INVALID_INPUT for a value that is none. */
export function rankerOf(value: unknown, path = 'the model'): Ranker {
  const model = value as RankerModel;
  if (typeof value !== 'object' || value === null || model.format !== 'asof-ranker-4')
    throw refused(path, 'format asof-ranker-4', describe(model?.format ?? value));
  if (typeof model.id !== 'string') throw refused(path, 'an id', describe(model.id));
  const table = (
    name: 'features' | 'clock' | 'series' | 'none',
    keys: readonly string[],
  ): Float64Array => {
    const weights = model[name];
    const given = typeof weights === 'object' && weights !== null ? Object.keys(weights) : [];
    const isComplete =
      given.length === keys.length && keys.every((key) => Number.isFinite(weights[key]));
    if (!isComplete)
      throw refused(
        path,
        `a finite weight for each of the ${keys.length} ${name} of this version`,
        `${given.length} entries`,
      );
    return Float64Array.from(keys, (key) => weights[key]!);
  };
  const numbers = <A extends string>(
    name: 'relative' | 'relevance',
    ...keys: readonly A[]
  ): Record<A, number> => {
    const given = (model[name] ?? {}) as Record<A, number>;
    if (!keys.every((key) => Number.isFinite(given[key])))
      throw refused(
        path,
        keys.map((key) => `${name}.${key}`).join(' and '),
        JSON.stringify(model[name]),
      );
    return Object.fromEntries(keys.map((key) => [key, given[key]])) as Record<A, number>;
  };
  return {
    id: model.id,
    weights: {
      features: table('features', featureNames),
      clock: table('clock', clockGate),
      series: table('series', seriesGate),
      relevance: numbers('relevance', 'logOdds', 'similarity', 'coverage'),
      relative: numbers('relative', 'share', 'shift'),
      none: table('none', noneInputNames),
    },
  };
}

/** The model of weights, rounded as in its file. */
export function modelOf(id: string, weights: CascadeWeights): RankerModel {
  const round = (value: number): number => Math.round(value * 1e4) / 1e4;
  const named = (keys: readonly string[], values: Float64Array): Record<string, number> =>
    Object.fromEntries(keys.map((key, i) => [key, round(values[i]!)]));
  return {
    format: 'asof-ranker-4',
    id,
    features: named(featureNames, weights.features),
    clock: named(clockGate, weights.clock),
    series: named(seriesGate, weights.series),
    relevance: {
      logOdds: round(weights.relevance.logOdds),
      similarity: round(weights.relevance.similarity),
      coverage: round(weights.relevance.coverage),
    },
    relative: { share: round(weights.relative.share), shift: round(weights.relative.shift) },
    none: named(noneInputNames, weights.none),
  };
}

function refused(path: string, expected: string, received: string, cause?: unknown): AsOfError {
  const message =
    `Expected ${path} to be a ranker's weights with ${expected}, received ${received}. ` +
    'Train them again with this version.';
  return new AsOfError('ERR_INVALID_INPUT', message, cause === undefined ? {} : { cause });
}
