// Schemas of systems' options, checked before anything runs: settings files and JavaScript callers
// may pass anything. Stages check their own ranges.
import { checkOptionNames, invalidArgument, isObject } from '../errors.js';
import { readOptionNames } from '../reading/answer.js';
import { checkTextModel, type TextModel } from '../text/textModel.js';

export interface Kind {
  expected: string;
  takes(value: unknown): boolean;
  /** Properties of an object; others are rejected. */
  parts?: Readonly<Record<string, Kind>>;
}

export const onOrOff: Kind = {
  expected: 'true or false',
  takes: (value) => typeof value === 'boolean',
};
export const finite: Kind = { expected: 'a finite number', takes: Number.isFinite };
export const count: Kind = {
  expected: 'a whole number from 1',
  takes: (value) => Number.isInteger(value) && (value as number) >= 1,
};
export const text: Kind = { expected: 'a text', takes: (value) => typeof value === 'string' };

/** One of these words, or a value of `kind`. */
export function oneOf(words: readonly string[], kind?: Kind): Kind {
  const expected = [...words, ...(kind ? [kind.expected] : [])].join(' or ');
  return {
    expected,
    takes: (value) => words.includes(value as string) || (kind?.takes(value) ?? false),
  };
}

/** An object with some of these properties. */
export function partsOf(parts: Readonly<Record<string, Kind>>): Kind {
  return {
    expected: `an object with some of ${Object.keys(parts).join(', ')}`,
    takes: isObject,
    parts,
  };
}

/** The options of a stage, or false to omit it. */
export function orFalse(kind: Kind): Kind {
  return {
    ...kind,
    expected: `${kind.expected}, or false`,
    takes: (value) => value === false || kind.takes(value),
  };
}

const weight: Kind = {
  expected: 'a weight from 0',
  takes: (value) => Number.isFinite(value) && (value as number) >= 0,
};
const relevanceParts = partsOf({ semantic: weight, lexical: weight, k1: finite, b: finite });
const isNothing = (value: unknown): boolean => value === undefined || value === 0;

/** Weights of which at least one is above 0: otherwise all rows are equally relevant. */
export const relevanceKind: Kind = {
  ...relevanceParts,
  expected: `${relevanceParts.expected}, and semantic or lexical above 0`,
  takes: (value) =>
    isObject(value) && !(isNothing(value['semantic']) && isNothing(value['lexical'])),
};
/** Checked by the stage that uses the option. */
export const checkedWhereUsed: Kind = { expected: 'what it takes', takes: () => true };
export const questionKind = orFalse(
  partsOf({
    partsOfDecade: { expected: 'two years of a decade such as [4, 7]', takes: Array.isArray },
  }),
);
export const expansionKind = orFalse(partsOf({ alike: finite, fewest: finite }));

/** Options of every system. */
const common: Readonly<Record<string, Kind>> = {
  corpus: checkedWhereUsed,
  model: {
    expected: 'a TextModel { id, generate }',
    takes: (value) => Boolean(checkTextModel(value as TextModel)),
  },
  read: {
    ...partsOf(Object.fromEntries(readOptionNames.map((name) => [name, checkedWhereUsed]))),
    expected: `an object { ${readOptionNames.join(', ')} }`,
  },
};

/** Undefined values count as absent. @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkKinds<Options extends object>(
  system: string,
  options: Options,
  kinds: Readonly<Record<string, Kind>>,
): Options {
  if (!isObject(options)) {
    throw invalidArgument(
      'options',
      'an object { corpus, ... }',
      options,
      "Open a corpus first: await Corpus.open('wiki.asof').",
    );
  }
  const all = { ...common, ...kinds };
  checkOptionNames(system, options, Object.keys(all));
  for (const [name, kind] of Object.entries(all))
    check(name, (options as Record<string, unknown>)[name], kind);
  return options;
}

function check(name: string, value: unknown, kind: Kind): void {
  if (value === undefined) return;
  if (!kind.takes(value)) throw invalidArgument(name, kind.expected, value);
  if (!kind.parts || !isObject(value)) return;
  for (const [part, inner] of Object.entries(value)) {
    const known = Object.hasOwn(kind.parts, part) ? kind.parts[part] : undefined;
    if (!known) throw invalidArgument(name, kind.expected, part);
    check(`${name}.${part}`, inner, known);
  }
}
