// Registry of systems by name, for the command line and evaluation suites.
import { invalidArgument, mustBe } from '../errors.js';
import { suggestion } from '../runtime/nearestName.js';
import type { QuestionOptions } from '../time/question/question.js';
import type { TimeExtractor } from '../time/timeExtractor.js';
import type { Reranker } from '../vectors/reranker.js';
import { bm25, defaultReranked, dense } from '../systems/baselines.js';
import { hybrid } from '../systems/hybrid.js';
import { mrag, mragUses } from './mrag/mrag.js';
import { re3 } from './re3/re3.js';
import { re3Uses } from './re3/options.js';
import { reimplementation, reimplementationUses } from './reimplementation/reimplementation.js';
import { checkSettingsShape, checkSettingsUsed, type Settings } from '../systems/settings.js';
import type { CommonOptions, System, Uses } from '../systems/system.js';
import { tempralm } from './tempralm/tempralm.js';

/** Options of `createSystem`; a system uses those that one of its stages needs. */
export interface SystemOptions extends CommonOptions {
  /** Scores pairs of question and passage, in systems that rerank. */
  reranker?: Reranker | undefined;
  /** Conventions of a data set, in systems that decompose questions. */
  question?: QuestionOptions | undefined;
  /** Reads the times that are fused into vectors, in `re3`. */
  extractor?: TimeExtractor | undefined;
  /** File of a time encoder's weights, in `re3`. */
  timeWeights?: string | undefined;
  /** The system's other options as plain JSON; unknown ones are refused. */
  settings?: Settings | undefined;
}

/** Options that some systems take. */
type Shared = 'reranker' | 'question' | 'extractor' | 'timeWeights';

interface SystemEntry {
  create(options: SystemOptions): System;
  /** Options that the name implies. */
  fixed?: Settings;
  /** Which of the shared options it uses. */
  takes?: readonly Shared[];
  /** Whether it cannot do without a reranker. */
  needsReranker?: true;
  uses?(settings: Settings): Uses;
}

const official = { variant: 'official' };
const published = { variant: 'published' };

/** A baseline whose first passages are reranked, as those of MRAG. */
const reranked = (create: typeof dense): SystemEntry => ({
  create: (options) => create({ rerank: defaultReranked, ...options }),
  takes: ['reranker'],
  needsReranker: true,
  uses: () => ({ reranker: true, prompts: false }),
});

const entries: Record<string, SystemEntry> = {
  mrag: { create: mrag, takes: ['reranker', 'question'], uses: mragUses },
  'mrag+official': { create: mrag, fixed: official, takes: ['reranker'], uses: mragUses },
  tempralm: { create: tempralm },
  re3: {
    create: ({ timeWeights, ...options }) =>
      re3({ ...options, ...(timeWeights === undefined ? {} : { weights: timeWeights }) }),
    takes: ['extractor', 'timeWeights'],
    uses: re3Uses,
  },
  hybrid: {
    create: hybrid,
    takes: ['reranker', 'question'],
    uses: ({ ranker }) => ({ reranker: ranker !== false, prompts: false }),
  },
  dense: { create: dense },
  bm25: { create: bm25 },
  reimplementation: { create: reimplementation, uses: reimplementationUses },
  'reimplementation+metadata': {
    create: (options) => reimplementation({ metadata: true, ...options }),
    uses: reimplementationUses,
  },
  'reimplementation+published': {
    create: reimplementation,
    fixed: published,
    uses: reimplementationUses,
  },
  'dense+mask': { create: dense, fixed: { mask: true } },
  'bm25+mask': { create: bm25, fixed: { mask: true } },
  'dense+suffix': { create: dense, fixed: { suffix: true } },
  'bm25+suffix': { create: bm25, fixed: { suffix: true } },
  'dense+rerank': reranked(dense),
  'bm25+rerank': reranked(bm25),
};

/** The names that `createSystem` takes. */
export const systemNames: readonly string[] = Object.keys(entries);

/**
 * The system of that name.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an unknown name, and for unknown or unused options.
 */
export function createSystem(name: string, options: SystemOptions): System {
  const { create, fixed, takes = [] } = entryOf(name);
  const { settings = {}, reranker, question, extractor, timeWeights, ...given } = options ?? {};
  checkSettingsShape(settings);
  const own = { reranker, question, extractor, timeWeights };
  const shared = Object.fromEntries(
    takes.flatMap((each) => (own[each] === undefined ? [] : [[each, own[each]]])),
  );
  const system = create({ ...settings, ...given, ...shared, ...fixed });
  checkSettingsUsed(system, settings);
  return system;
}

/**
 * Whether a system would use a reranker and a model with these settings and reader options, so that
 * a program opens them only if needed.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an unknown name.
 */
export function systemUses(
  name: string,
  options: Pick<SystemOptions, 'settings' | 'read'> = {},
): { reranker: boolean; model: boolean } {
  mustBe('an object', { options });
  const { read = {}, settings = {} } = options;
  const { uses, fixed } = entryOf(name);
  const { reranker, prompts } = uses?.({ ...settings, ...fixed }) ?? {
    reranker: false,
    prompts: false,
  };
  return { reranker, model: prompts || (read.mode ?? 'extract') !== 'extract' };
}

/** Whether a system refuses to be created without a reranker. */
export function needsReranker(name: string): boolean {
  return entryOf(name).needsReranker ?? false;
}

/** Whether a system fuses the times of an extractor. */
export function takesExtractor(name: string): boolean {
  return entryOf(name).takes?.includes('extractor') ?? false;
}

function entryOf(name: string): SystemEntry {
  const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
  if (entry) return entry;
  throw invalidArgument(
    'system',
    `one of ${systemNames.join(', ')}`,
    name,
    suggestion(String(name), systemNames).trim(),
  );
}
