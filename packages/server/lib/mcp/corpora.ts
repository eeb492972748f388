// The corpora of a server of tools, by name, and the argument that chooses one of several.
import { bm25, dense, hybrid, type Fields, type StoredCorpus, type System } from 'asof';
import { checkOptionNames, invalidArgument } from 'asof/kit';
import { checkNames } from '../http/options.js';
import type { ObjectSchema } from '../http/route.js';
import type { ToolCorpus } from './tool.js';

/** A corpus, or several by the names that tools call them by. */
export type GivenCorpora = StoredCorpus | Readonly<Record<string, StoredCorpus>>;

export interface McpOptions {
  /**
   * Systems that `search` can run, the first by default, over the same corpus; of several corpora
   * a function that makes those of each. Default: `hybrid`, `bm25` and `dense`.
   */
  systems?: readonly System[] | ((corpus: StoredCorpus) => readonly System[]) | undefined;
  /** Whether there are tools that add, change and delete passages. Default false. */
  write?: boolean | undefined;
}

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function toolCorpora(given: GivenCorpora, options: McpOptions): ToolCorpus[] {
  checkOptionNames('mcpServer', options, ['systems', 'write']);
  const { systems = ownSystems, write } = options;
  if (write !== undefined && typeof write !== 'boolean')
    throw invalidArgument('write', 'a boolean', write);
  const corpora = corporaByName(given);
  if (typeof systems !== 'function' && corpora.length > 1)
    throw invalidArgument('systems', 'a function of a corpus, as there are several', systems);
  return corpora.map(([name, corpus]) => {
    const own = typeof systems === 'function' ? systems(corpus) : systems;
    checkSystems(own);
    return { name, corpus, systems: own };
  });
}

const ownSystems = (corpus: StoredCorpus): System[] => [
  hybrid({ corpus }),
  bm25({ corpus }),
  dense({ corpus }),
];

function corporaByName(given: GivenCorpora): [string, StoredCorpus][] {
  const isOne = typeof (given as StoredCorpus | undefined)?.snapshot === 'function';
  if (isOne) {
    const corpus = given as StoredCorpus;
    checkCorpus(corpus);
    return [[corpus.questions.name.replace(/\.asof$/, ''), corpus]];
  }
  if (typeof given !== 'object' || given === null) checkCorpus(given);
  const corpora = Object.entries(given as Readonly<Record<string, StoredCorpus>>);
  checkNames(corpora.map(([name]) => name));
  for (const [, corpus] of corpora) checkCorpus(corpus);
  return corpora;
}

function checkCorpus(corpus: Partial<StoredCorpus> | undefined): void {
  if (typeof corpus?.snapshot === 'function' && typeof corpus.info === 'function') return;
  throw invalidArgument('corpus', 'a Corpus', corpus, "Open one: await Corpus.open('a.asof').");
}

function checkSystems(systems: readonly System[]): void {
  const isList: boolean = Array.isArray(systems); // would narrow to any[]
  if (!isList || systems.length === 0 || systems.some((each) => typeof each?.run !== 'function'))
    throw invalidArgument('systems', 'an array of systems', systems, 'Pass [hybrid({ corpus })].');
  const names = systems.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw invalidArgument('systems', 'systems of different names', names.join(', '));
}

/** The arguments of a tool with the name of a corpus before them. */
export function withCorpus(
  { properties, required = [], ...schema }: ObjectSchema,
  fields: ReadonlyMap<string, Fields>,
): ObjectSchema {
  const shown = [...fields].map(([name, types]) => {
    const each = Object.entries(types).map(([field, type]) => `${field} (${type})`);
    return each.length > 0 ? `${name}, with the fields ${each.join(', ')}` : name;
  });
  const corpus = {
    type: 'string',
    enum: [...fields.keys()],
    description: `The corpus: ${shown.join('; ')}.`,
  };
  return { ...schema, properties: { corpus, ...properties }, required: ['corpus', ...required] };
}
