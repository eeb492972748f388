// Systems by name, as the command line and evaluation suites ask for them.
import type { ReadOptions } from '../answer/answer.js';
import { AsOfError, invalidArgument } from '../errors.js';
import type { QuestionOptions } from '../time/question/question.js';
import type { Reranker } from '../vectors/reranker.js';
import { bm25, dense } from './baselines.js';
import { hybrid } from './hybrid.js';
import { mrag } from './mrag.js';
import { reimplementation } from './reimplementation.js';
import { checkSettingsShape, checkSettingsTaken, type Settings } from './settings.js';
import type { CommonOptions, System } from './system.js';
import { tempralm } from './tempralm.js';

/** What `createSystem` passes on; a system takes of it what it has a stage for. */
export interface SystemOptions extends CommonOptions {
  /** Scores passages beside the question, in systems that rerank. */
  reranker?: Reranker;
  /** Conventions of a data set that differ from ours, in systems that take a question apart. */
  question?: QuestionOptions;
  /** The system's other options, as a settings file has them; what it does not take is refused. */
  settings?: Settings;
}

const factories: Record<string, (options: SystemOptions) => System> = {
  mrag,
  'mrag+official': (options) => mrag({ ...options, variant: 'official' }),
  tempralm,
  hybrid,
  dense,
  bm25,
  reimplementation,
  'reimplementation+metadata': (options) => reimplementation({ metadata: true, ...options }),
  'reimplementation+published': (options) => reimplementation({ ...options, variant: 'published' }),
  'dense+mask': (options) => dense({ ...options, mask: true }),
  'bm25+mask': (options) => bm25({ ...options, mask: true }),
  'dense+suffix': (options) => dense({ ...options, suffix: true }),
  'bm25+suffix': (options) => bm25({ ...options, suffix: true }),
};

/** The names that `createSystem` takes. */
export const systemNames: readonly string[] = Object.keys(factories);

const later = ['re3'];

/** The system of that name, with its default options but for those given. */
export function createSystem(name: string, options: SystemOptions): System {
  const factory = factoryOf(name);
  const { settings = {}, ...given } = options ?? {};
  checkSettingsShape(settings);
  const made = factory({ ...settings, ...given });
  checkSettingsTaken(made, settings);
  return made;
}

/**
 * Whether a stage of the system would use a reranker, and whether one would prompt a model, with those settings and read like that:
 * what a program asks before it opens either. `createSystem` passes over what has no stage.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a name that is none.
 */
export function systemUses(name: string, { read = {}, settings = {} }: Pick<SystemOptions, 'settings'> & { read?: ReadOptions } = {}): { reranker: boolean; model: boolean } {
  factoryOf(name);
  const [kind] = name.split('+');
  const prompted = settings['prompted'];
  const published = name === 'reimplementation+published' || settings['variant'] === 'published';
  const prompts = kind === 'mrag' ? !(Array.isArray(prompted) && prompted.length === 0) : kind === 'reimplementation' && !published && Number(settings['summaries'] ?? 0) > 0;
  return { reranker: kind === 'mrag', model: prompts || (read.mode ?? 'extract') !== 'extract' };
}

function factoryOf(name: string): (options: SystemOptions) => System {
  const factory = Object.hasOwn(factories, name) ? factories[name] : undefined;
  if (factory) return factory;
  if (later.includes(name)) {
    throw new AsOfError(
      'ERR_INVALID_ARGUMENT',
      `Expected a system of this version, received ${name}, which this version does not have yet. Use one of ${systemNames.join(', ')}.`,
    );
  }
  throw invalidArgument('system', `one of ${systemNames.join(', ')}`, name);
}
