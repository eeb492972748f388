// What a question is asked with, declared once: checks, the schemas of HTTP and of agents' tools,
// and the options of commands are made of one table.
import { checkOptionNames, mustBe } from '../errors.js';
import type { Question, TimeInput } from '../records.js';
import type { Evidence } from '../reading/evidence.js';
import { exactnesses, type Exactness } from '../retrieval/scanReport.js';
import type { Relevance } from '../retrieval/search.js';
import type { Decay } from '../time/decay.js';
import { decayKinds } from '../time/temporalForms.js';
import { timesOfPassages, type Fields } from '../store/fields/types.js';
import type { Where } from '../store/fields/where.js';
import { schemaFaults } from '../text/jsonSchema.js';
import type { JsonSchema } from '../text/textModel.js';
import { maxQuestionLength } from '../time/question/questionText.js';

/** Options of one question. */
export interface AskOptions {
  /**
   * Passages to return, 1 to 10,000. Default 10. Does not affect the reader, which uses
   * `read.passages`.
   */
  k?: number | undefined;
  /**
   * Results before the first that is returned: page n has offset n k. The answer is read from the
   * first results whatever the page. 0 to 10,000 less k. Default 0.
   */
  offset?: number | undefined;
  /**
   * Only results of at least this score, and no others are read. Of `hybrid` that is the
   * probability that the passage answers, 0 to 1, unless it has a decay or no ranker; of others
   * their own, such as a cosine or BM25. Default: all.
   */
  minScore?: number | undefined;
  /**
   * Whether results say where their texts have words of the search and times that the question asks
   * for. Default false.
   */
  highlights?: boolean | undefined;
  /**
   * Fields of keywords or booleans, up to 16, of which the passages that pass are counted by value,
   * also those that the question does not find. Default: none.
   */
  facets?: readonly string[] | undefined;
  /** A fixed candidate pool, by passage ids; unknown ids are ignored. Default: all passages. */
  candidateIds?: readonly string[] | undefined;
  /** Only passages that pass this filter, by the corpus's fields; read at each call. */
  where?: Where | undefined;
  /**
   * The time in the world that is asked about, where the words of the question do not say it: what
   * held then, also as published later. It is put into them ("as of 2021-05-06"), as the question
   * of the result shows. ISO 8601, or words relative to the time of asking. Default: none.
   */
  asOf?: TimeInput | undefined;
  /**
   * Only passages published from this time on, or up to `until`, both inclusive: ISO 8601, or words
   * such as 'last May', relative to the time of asking. Without a publication they are left out.
   */
  since?: TimeInput | undefined;
  until?: TimeInput | undefined;
  /**
   * 'current' leaves out what has ended or is superseded at the time that the question asks for: by
   * its validity before the search, of `hybrid` also by what the texts say, for which it reads
   * until there are `k`, at most 10,000 passages. Default: all.
   */
  only?: 'current' | undefined;
  /** Of `hybrid`, `dense` and `bm25`, in place of the system's own for this question. */
  decay?: Decay | undefined;
  /** Weights of cosine and BM25 of `hybrid`, in place of the system's own for this question. */
  relevance?: Relevance | undefined;
  /**
   * The corpus as it was recorded at this time, for corpora with history; a date alone is the end
   * of that day. Default: the newest commit.
   */
  asRecorded?: TimeInput | undefined;
  /**
   * Passages that BM25 counts its frequencies in: 'corpus', so that scores of different filters are
   * comparable, or 'filtered': as in a corpus of the passages that pass. Default 'corpus'.
   */
  statistics?: 'corpus' | 'filtered' | undefined;
  /**
   * Use of reduced-precision vectors, in corpora that store them. 'certified': bit-equal to a scan
   * of the f32 vectors. 'rescored': the best 4 k by reduced precision, rescored by f32. 'raw': by
   * reduced precision alone. Default 'certified'.
   */
  exactness?: Exactness | undefined;
  /**
   * One result per document: the best of its chunks, as if k counted documents. Retrieves until
   * there are k or no more, so that stages before the reader may run again. Default false.
   */
  perDocument?: boolean | undefined;
  /**
   * Chunks before and after each result whose text is added to it, as `neighbours`, 0 to 100; only
   * those among the candidates with the same time of publication. Default 0.
   */
  neighbours?: number | undefined;
  /**
   * Most UTF-16 units of the texts of the evidence: a question whose evidence has more is rejected
   * with ERR_INVALID_ARGUMENT as soon as it is read. Default: no limit.
   */
  mostUnits?: number | undefined;
  /** Whether an answer is read from the evidence. Default true. */
  read?: boolean | undefined;
  /**
   * Receives the evidence of the result, once, before the answer is read: what a program shows
   * while a model writes. Again, with `allowPartialResults`, if a shard fails while it is read.
   */
  onEvidence?: ((evidence: Evidence[]) => void) | undefined;
  /**
   * Receives the answer as far as it is written, at last the answer of the result: each call has
   * the whole so far, which may replace the text before, '' if it turns out to be no answer. A
   * model that does not stream, and rules, give it in one call. Default: none; results are the
   * same.
   */
  onAnswer?: ((text: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Largest `k`. */
export const maxPassages = 10_000;

/** A JSON Schema of a value, whose description is a phrase. */
export interface AskField extends JsonSchema {
  readonly description?: string;
  /** What the value is called in the help of a command. */
  readonly value?: string;
  /** Of one place where questions are asked: said after the description. */
  readonly default?: number | string;
  /** Fields of the corpus that `where` filters by. */
  readonly fields?: Fields;
}

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const agentTime = { type: 'string', minLength: 3, maxLength: 40 } as const;

/** By the names of the API; as JSON they are `asked_at`, as options of commands `--asked-at`. */
export const askFields = {
  question: {
    type: 'string',
    minLength: 1,
    maxLength: maxQuestionLength,
    description: 'the question in words',
  },
  askedAt: {
    type: 'string',
    value: 'T',
    description:
      'time of the question (ISO 8601, or words): the meaning of "now"; later publications are ' +
      'hidden; a date alone is its end; default now',
  },
  timeZone: {
    type: 'string',
    value: 'ZONE',
    description:
      'IANA name, such as Europe/London: days of the question and of its times; default that of ' +
      'the corpus',
  },
  system: { type: 'string', value: 'S', description: 'retrieval system' },
  k: {
    type: 'integer',
    minimum: 1,
    maximum: maxPassages,
    value: 'K',
    description: 'number of passages',
  },
  offset: {
    type: 'integer',
    minimum: 0,
    maximum: maxPassages,
    value: 'N',
    description: 'results before the first that is returned: those of the pages before',
  },
  minScore: {
    type: 'number',
    value: 'S',
    description:
      'only results of at least this score: of hybrid the probability that a passage answers, ' +
      '0 to 1',
  },
  highlights: {
    type: 'boolean',
    description: 'where texts have words of the search and times that are asked for',
  },
  facets: {
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    maxItems: 16,
    value: 'FIELD,FIELD',
    description: 'count the passages that pass the filter by the values of these fields',
  },
  where: {
    type: 'object',
    value: 'JSON',
    description:
      'only passages that pass this filter of the corpus\'s fields: {"tenant": "a", "price": ' +
      '{"gte": 10}}, with and, or, not',
  },
  since: {
    type: 'string',
    value: 'T',
    description: 'only passages published from this time on: ISO 8601, or words ("last May")',
  },
  until: {
    type: 'string',
    value: 'T',
    description: 'only passages published up to this time',
  },
  only: {
    type: 'string',
    enum: ['current'],
    value: 'current',
    description: 'leave out what has ended or is superseded at the time that is asked for',
  },
  decay: {
    type: 'object',
    properties: {
      shape: { enum: decayKinds },
      halfLife: text,
      offset: text,
      floor: number,
      clock: { enum: ['content', 'published', 'validity'] },
      undated: number,
      origin: text,
      combine: { enum: ['product', 'sum'] },
      weight: number,
    },
    required: ['shape', 'halfLife'],
    additionalProperties: false,
    description:
      'decay of scores with the distance of a passage from the time of asking (hybrid, dense, ' +
      'bm25): {"shape": "exponential", "halfLife": "30d"}',
  },
  relevance: {
    type: 'object',
    value: 'JSON',
    properties: { semantic: number, lexical: number },
    additionalProperties: false,
    description: 'weights of meaning and words (hybrid): {"semantic": 0.4, "lexical": 0.6}',
  },
  asOf: {
    type: 'string',
    value: 'T',
    description:
      'the time that is asked about, where the question does not say it: ISO 8601, or words ' +
      '("last May")',
  },
  asRecorded: {
    type: 'string',
    value: 'T',
    description:
      'the corpus as it was recorded at this time (ISO 8601; a date alone is its end), where it ' +
      'has a history (asof index --history); default now',
  },
  statistics: { type: 'string', enum: ['corpus', 'filtered'] },
  exactness: {
    type: 'string',
    enum: exactnesses,
    value: 'E',
    description:
      'certified (default): exact results; rescored: candidates from quantized vectors, scored ' +
      'in full; raw: scores of quantized vectors',
  },
  perDocument: {
    type: 'boolean',
    description: 'one passage per document: the best of its chunks; k counts documents',
  },
  neighbours: {
    type: 'integer',
    minimum: 0,
    maximum: 100,
    value: 'N',
    description: 'chunks before and after each passage',
  },
  candidateIds: {
    type: 'array',
    items: { type: 'string' },
    maxItems: 100_000,
    description: 'only these passages, by their ids',
  },
  passages: {
    type: 'integer',
    minimum: 1,
    maximum: maxPassages,
    value: 'N',
    description: 'passages that are read, the nearest first',
  },
  mostUnits: { type: 'integer', minimum: 1 },
  read: { type: 'boolean' },
} as const satisfies Readonly<Record<string, AskField>>;

/** The same to a model, which has to be told of two clocks (docs/decisions/frameworks.md). */
export const agentFields = {
  ...askFields,
  asOf: {
    ...agentTime,
    description:
      'the time in the world that is asked about, ISO 8601 (2021, 2021-05, 2021-05-06 or ' +
      '2021-05-06T12:00Z) or words ("end of 2020"): what held then, also as published later. ' +
      'Leave it out where the question itself names a time, or asks about now',
  },
  askedAt: {
    ...agentTime,
    description:
      'the moment at which the question is asked, ISO 8601 or words ("yesterday"); default now. ' +
      '"Today" and "last year" refer to it, and passages published after it are hidden: give it ' +
      'to learn what could be known then. A date alone is its last moment',
  },
} as const satisfies Readonly<Record<string, AskField>>;

export type AskName = keyof typeof askFields;

/** `as_recorded` with `_`, `as-recorded` with `-`. */
export const separated = (name: string, separator: '_' | '-'): string =>
  name.replace(/[A-Z]/g, (letter) => separator + letter.toLowerCase());

const camelCase = Object.keys(askFields).filter((name) => /[A-Z]/.test(name));
const libraryName = new RegExp(
  `(?<![\\w."'-])(?:question\\.(text)|(?:question\\.)?(${camelCase.join('|')}))\\b`,
  'g',
);

/** Words of the library with its arguments named as callers of a command or of a server do. */
export const inWordsOf = (words: string, separator: '_' | '-'): string =>
  words.replace(libraryName, (_, text: string | undefined, name: string) =>
    text ? 'the question' : `${separator === '-' ? '--' : ''}${separated(name, separator)}`,
  );

/** A schema of an object with these properties and no others. */
export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/**
 * The JSON Schema of an object with some of these fields, each with what differs in this place, and
 * with `more` of its own, which may be absent.
 */
export const askSchema = (
  fields: Readonly<Partial<Record<AskName, AskField>>>,
  more: Readonly<Record<string, JsonSchema>> = {},
): ObjectSchema => schemaOf(askFields, fields, more);

/** The same of the arguments of a tool. */
export const agentSchema = (
  fields: Readonly<Partial<Record<keyof typeof agentFields, AskField>>>,
  more: Readonly<Record<string, JsonSchema>> = {},
): ObjectSchema => schemaOf(agentFields, fields, more);

function schemaOf(
  table: Readonly<Record<string, AskField>>,
  fields: Readonly<Record<string, AskField>>,
  more: Readonly<Record<string, JsonSchema>>,
): ObjectSchema {
  const properties = Object.entries(fields).map(([name, differing]) => {
    const { value: _, fields: filtered, ...schema } = { ...table[name], ...differing };
    const { default: otherwise, ...rest } = schema;
    const phrase = filtered ? filterOf(filtered) : (rest.description ?? '');
    const whole = otherwise === undefined ? phrase : `${phrase}, default ${otherwise}`;
    const description = `${whole.charAt(0).toUpperCase()}${whole.slice(1).replace(/\.?$/, '.')}`;
    return [separated(name, '_'), { ...rest, description }] as const;
  });
  return {
    type: 'object',
    properties: { ...Object.fromEntries(properties), ...more },
    ...('question' in fields ? { required: ['question'] } : {}),
    additionalProperties: false,
  };
}

/** A filter of the fields that a corpus has, in words. */
function filterOf(fields: Fields): string {
  const names = Object.entries(fields).map(([name, type]) => `${name} (${type})`);
  const times = timesOfPassages.map((name) => `${name} (time)`);
  return (
    `Only passages that pass this filter of ${[...names, ...times].join(', ')}: ` +
    '{"publishedAt": {"gte": "2021-01-01", "lt": "2022"}}. Conditions: equals, in, exists; gt, ' +
    'gte, lt, lte for times and numbers; contains for lists; and, or, not combine filters'
  );
}

/** What is asked with beside the options of `run`. */
interface Others {
  question: string;
  system?: string;
  passages?: number;
}

/** An object that fits such a schema, as the API has it. */
export function askOf(given: Readonly<Record<string, unknown>>): {
  question: Question;
  system: string | undefined;
  options: AskOptions & Pick<Others, 'passages'>;
} {
  const known = Object.keys(askFields).map((name) => [name, given[separated(name, '_')]]);
  const asked = Object.fromEntries(known) as Pick<Question, 'askedAt' | 'timeZone'> &
    AskOptions &
    Others;
  const { question: text, askedAt, timeZone, system, ...options } = asked;
  return { question: { text, askedAt, timeZone }, system, options };
}

/** Fields that are no options of `run`. */
const fieldsBeside: readonly string[] = ['question', 'askedAt', 'timeZone', 'system', 'passages'];
const names = [
  ...Object.keys(askFields).filter((name) => !fieldsBeside.includes(name)),
  ...(['onEvidence', 'onAnswer', 'signal'] as const satisfies readonly (keyof AskOptions)[]),
];
/** Checked by what reads them. */
const others: readonly string[] = [
  ...['candidateIds', 'where', 'asOf', 'since', 'until', 'decay', 'relevance', 'asRecorded'],
  'signal',
];
const faultsOf = Object.fromEntries(
  Object.entries(askFields).flatMap(([name, { value: _, ...schema }]: [string, AskField]) =>
    others.includes(name) ? [] : [[name, schemaFaults(schema, name)] as const],
  ),
);

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkAskOptions(of: string, options: AskOptions): void {
  checkOptionNames(of, options, names);
  for (const [name, value] of Object.entries<unknown>({ ...options })) {
    if (value === undefined) continue;
    const [fault] = faultsOf[name]?.(value) ?? [];
    if (fault) throw fault;
    if (/^on[A-Z]/.test(name)) mustBe('a function', { [name]: value });
  }
}
