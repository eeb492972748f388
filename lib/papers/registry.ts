// Systems by name, as the command line and evaluation suites ask for them.
import { invalidArgument, mustBe } from '../errors.js';
import type { QuestionOptions } from '../time/question/question.js';
import type { Reranker } from '../vectors/reranker.js';
import { bm25, dense } from '../systems/baselines.js';
import { hybrid } from '../systems/hybrid.js';
import { hybridUses } from '../systems/hybridOptions.js';
import { mrag, mragUses } from './mrag/mrag.js';
import { re3 } from './re3/re3.js';
import { re3Uses } from './re3/options.js';
import { reimplementation, reimplementationUses } from './reimplementation/reimplementation.js';
import { checkSettingsShape, checkSettingsTaken, type Settings } from '../systems/settings.js';
import type { CommonOptions, System, Uses } from '../systems/system.js';
import { tempralm } from './tempralm/tempralm.js';

/** What `createSystem` passes on; a system takes of it what it has a stage for. */
export interface SystemOptions extends CommonOptions {
  /** Scores passages beside the question, in systems that rerank. */
  reranker?: Reranker;
  /** Conventions of a data set that differ from ours, in systems that take a question apart. */
  question?: QuestionOptions;
  /** The system's other options, as a settings file has them; what it does not take is refused. */
  settings?: Settings;
}

/**
 * A system as it is named: how it is made, the options that its name fixes, and what it declares to
 * use.
 */
interface Named {
  make(options: SystemOptions): System;
  fixed?: Settings;
  /** What it takes of what is given beside the settings to whatever system it is. */
  takes?: readonly ('reranker' | 'question')[];
  uses?(settings: Settings): Uses;
}

const official = { variant: 'official' };
const published = { variant: 'published' };

const named: Record<string, Named> = {
  mrag: { make: mrag, takes: ['reranker', 'question'], uses: mragUses },
  'mrag+official': { make: mrag, fixed: official, takes: ['reranker'], uses: mragUses },
  tempralm: { make: tempralm },
  re3: { make: re3, uses: re3Uses },
  hybrid: { make: hybrid, takes: ['question'], uses: hybridUses },
  dense: { make: dense },
  bm25: { make: bm25 },
  reimplementation: { make: reimplementation, uses: reimplementationUses },
  'reimplementation+metadata': {
    make: (options) => reimplementation({ metadata: true, ...options }),
    uses: reimplementationUses,
  },
  'reimplementation+published': {
    make: reimplementation,
    fixed: published,
    uses: reimplementationUses,
  },
  'dense+mask': { make: dense, fixed: { mask: true } },
  'bm25+mask': { make: bm25, fixed: { mask: true } },
  'dense+suffix': { make: dense, fixed: { suffix: true } },
  'bm25+suffix': { make: bm25, fixed: { suffix: true } },
};

/** The names that `createSystem` takes. */
export const systemNames: readonly string[] = Object.keys(named);

/** The system of that name, with its default options but for those given. */
export function createSystem(name: string, options: SystemOptions): System {
  const { make, fixed, takes = [] } = systemNamed(name);
  const { settings = {}, reranker, question, ...given } = options ?? {};
  checkSettingsShape(settings);
  const beside = { reranker, question };
  const taken = takes
    .filter((each) => beside[each] !== undefined)
    .map((each) => [each, beside[each]]);
  const made = make({ ...settings, ...given, ...Object.fromEntries(taken), ...fixed });
  checkSettingsTaken(made, settings);
  return made;
}

/**
 * Whether a stage of the system would use a reranker, and whether one would prompt a model, with
 * those settings and read like that: what a program asks before it opens either. `createSystem`
 * passes over what has no stage.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a name that is none.
 */
export function systemUses(
  name: string,
  options: Pick<SystemOptions, 'settings' | 'read'> = {},
): { reranker: boolean; model: boolean } {
  mustBe('an object', { options });
  const { read = {}, settings = {} } = options;
  const { uses, fixed } = systemNamed(name);
  const { reranker, prompts } = uses?.({ ...settings, ...fixed }) ?? {
    reranker: false,
    prompts: false,
  };
  return { reranker, model: prompts || (read.mode ?? 'extract') !== 'extract' };
}

function systemNamed(name: string): Named {
  const found = Object.hasOwn(named, name) ? named[name] : undefined;
  if (found) return found;
  throw invalidArgument('system', `one of ${systemNames.join(', ')}`, name);
}
