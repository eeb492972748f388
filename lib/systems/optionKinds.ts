// What kind of value each option of a system takes, told in one place and checked before anything
// runs: a settings file or a caller in JavaScript may hold anything. Ranges that only one stage
// knows are that stage's to check.
import { checkOptionNames, invalidArgument } from '../errors.js';
import { checkTextModel, type TextModel } from '../text/textModel.js';

export interface Kind {
  expected: string;
  takes(value: unknown): boolean;
  /** Of an object: what it may hold, and nothing else. */
  parts?: Readonly<Record<string, Kind>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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

/** One of these words, or what `kind` takes. */
export function oneOf(words: readonly string[], kind?: Kind): Kind {
  const expected = [...words, ...(kind ? [kind.expected] : [])].join(' or ');
  return {
    expected,
    takes: (value) => words.includes(value as string) || (kind?.takes(value) ?? false),
  };
}

/** An object that holds some of these. */
export function partsOf(parts: Readonly<Record<string, Kind>>): Kind {
  return {
    expected: `an object with some of ${Object.keys(parts).join(', ')}`,
    takes: isObject,
    parts,
  };
}

/** What leaves a stage out, beside its options. */
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

/** Weights of which one at least counts: without either every row is as relevant as any other. */
export const relevanceKind: Kind = {
  ...relevanceParts,
  expected: `${relevanceParts.expected}, and semantic or lexical above 0`,
  takes: (value) =>
    isObject(value) && !(isNothing(value['semantic']) && isNothing(value['lexical'])),
};
/** What the function that takes the option checks itself, range and all. */
export const checkedWhereUsed: Kind = { expected: 'what it takes', takes: () => true };
export const questionKind = orFalse(
  partsOf({
    partsOfDecade: { expected: 'two years of a decade such as [4, 7]', takes: Array.isArray },
  }),
);
export const versionsKind = orFalse(partsOf({ depth: count, by: oneOf(['rules', 'model']) }));
export const bridgeKind = orFalse(partsOf({ alike: finite, fewest: finite }));

/** What every system takes beside options of its own. */
const common: Readonly<Record<string, Kind>> = {
  corpus: checkedWhereUsed,
  model: {
    expected: 'a TextModel { id, generate }',
    takes: (value) => Boolean(checkTextModel(value as TextModel)),
  },
  read: {
    ...partsOf({
      mode: checkedWhereUsed,
      model: checkedWhereUsed,
      passages: checkedWhereUsed,
      characters: checkedWhereUsed,
    }),
    expected: 'an object { mode, model, passages, characters }',
  },
};

/**
 * The options of the system of that name, where each is one that it has, and of its kind. One that
 * is undefined is not there.
 * @throws AsOfError ERR_INVALID_ARGUMENT
 */
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
