// Passages and questions written by a language model (Re3 appendix A.4). Texts without their
// entity, date or values are refused, and the grammar's texts are used instead.
import { seededRandom, throwIfAborted, askTemplate, checkTextModel } from 'asof/kit';
import type { TextModel, RunOptions } from 'asof';
import { isBudgetExhausted } from '../judges/budget.js';
import { statesValue } from '../measures/answers.js';
import type { NegativeKind } from './negativeKinds.js';
import type { Re2Benchmark } from './benchmark.js';
import type { PassageFact } from './passages.js';
import type { Re2Question } from './question.js';

/** A record as shown to a model. */
interface PromptRecord {
  entity: string;
  /** Subject of the values, unless it is the entity. */
  about?: string | undefined;
  /** Required form, with its preposition. */
  date: string;
  values: readonly { name: string; value: string }[];
  /** The day of publication, optional in the text. */
  issued?: string | undefined;
}

/** What sets a negative apart from the first record, whose question it does not answer. */
const differences: Readonly<Record<NegativeKind, string>> = {
  time: 'another date',
  entity: 'another name',
  attribute: 'another measure',
  outdated: 'an earlier issue',
};

/** Texts by id of passages and questions; others keep the grammar's text. */
export interface ModelTexts {
  passages: ReadonlyMap<string, string>;
  questions: ReadonlyMap<string, string>;
  /** Number of refused texts by reason. */
  refused: Readonly<Record<string, number>>;
  /** Texts beyond the model's budget. */
  left: number;
}

/** Most records of a call. */
const batchSize = 8;

/** A passage's fact, and what sets it apart from the first of its batch. */
interface ClusterMember {
  passageFact: PassageFact;
  kind?: NegativeKind;
}

/**
 * Generates every passage and question by a model: a question's positive and its negatives by one
 * call, then, unless `askedOnly`, the passages of no question. Texts are kept in memory.
 * @throws AsOfError as `generateJson`, except for unusable answers, whose records keep their text,
 * and beyond a budget; ERR_ABORTED.
 */
export async function writeByModel(
  benchmark: Re2Benchmark,
  model: TextModel,
  options: RunOptions & { askedOnly?: boolean | undefined } = {},
): Promise<ModelTexts> {
  checkTextModel(model);
  const { signal, onProgress, askedOnly = false } = options;
  const { facts, passages } = benchmark;
  const texts = { passages: new Map<string, string>(), questions: new Map<string, string>() };
  const refused: Record<string, number> = {};
  const take = (kind: keyof typeof texts, id: string, { text, fault }: CheckedText): void => {
    if (fault === undefined) texts[kind].set(id, text);
    else refused[fault] = (refused[fault] ?? 0) + 1;
  };
  const questions = [...benchmark.questions()];
  const total = facts.size + benchmark.madeUp().length + questions.length;
  let done = 0;
  const step = (count: number): void => onProgress?.({ done: (done += count), total });
  const tasks = [...batches(benchmark, questions, askedOnly), ...questions];
  for (const [at, task] of tasks.entries()) {
    throwIfAborted(signal);
    try {
      if ('asks' in task) take('questions', task.id, await questionOf(task, model, signal));
      else {
        const written = await passagesOf(benchmark, task, model, signal);
        for (const [member, { passageFact }] of task.entries())
          take('passages', passages.idOf(passageFact), written[member]!);
      }
    } catch (error) {
      if (!isBudgetExhausted(error)) throw error;
      const left = tasks.slice(at).reduce((sum, each) => sum + sizeOf(each), 0);
      return { ...texts, refused, left }; // a repeated run continues from the model's cache
    }
    step(sizeOf(task));
  }
  return { ...texts, refused, left: 0 };
}

const sizeOf = (task: Re2Question | readonly ClusterMember[]): number =>
  'asks' in task ? 1 : task.length;

/**
 * Each passage once: with the first question that it is a positive or a negative of, as the paper
 * writes a cluster by one prompt so that its texts are alike but for what differs.
 */
function* batches(
  { facts, passages, madeUp }: Re2Benchmark,
  questions: readonly Re2Question[],
  askedOnly: boolean,
): Generator<readonly ClusterMember[]> {
  const all = [
    ...Array.from({ length: facts.size }, (_, fact) => passages.factAt(fact)),
    ...madeUp(),
  ];
  const waiting = new Map(all.map((passageFact) => [passages.idOf(passageFact), passageFact]));
  for (const { positive, negatives } of questions) {
    const cluster = [{ id: positive }, ...negatives].flatMap(({ id, ...of }): ClusterMember[] => {
      const passageFact = waiting.get(id);
      waiting.delete(id);
      return passageFact ? [{ passageFact, ...of }] : [];
    });
    yield* chunks(cluster);
  }
  if (!askedOnly) yield* chunks([...waiting.values()].map((passageFact) => ({ passageFact })));
}

function* chunks(members: readonly ClusterMember[]): Generator<readonly ClusterMember[]> {
  for (let at = 0; at < members.length; at += batchSize) yield members.slice(at, at + batchSize);
}

/** A text of the model, or why it is refused. */
type CheckedText = { text: string; fault?: never } | { text?: never; fault: string };

const checked = (text: string, fault: string | undefined): CheckedText =>
  fault === undefined ? { text } : { fault };

async function passagesOf(
  benchmark: Re2Benchmark,
  batch: readonly ClusterMember[],
  model: TextModel,
  signal: AbortSignal | undefined,
): Promise<CheckedText[]> {
  const isAnchored = batch[0]!.kind === undefined;
  const shown = batch.map(({ passageFact }) => promptRecord(benchmark, passageFact));
  const records = shown.map((record, at) => {
    const { kind } = batch[at]!;
    return `${at + 1}. ${isAnchored && kind ? `(${differences[kind]}) ` : ''}${cells(record)}`;
  });
  const passage = {
    type: 'object',
    properties: {
      record: { type: 'integer', minimum: 1, maximum: batch.length },
      text: { type: 'string', minLength: 1 },
    },
    required: ['record', 'text'],
  };
  const request = {
    slots: { records: records.join('\n') },
    schema: {
      type: 'object',
      properties: { passages: { type: 'array', items: passage } },
      required: ['passages'],
    },
    maxTokens: 240 * batch.length + 80,
  };
  const answer = await askTemplate<{ passages: { record: number; text: string }[] }>(
    model,
    're2Passages',
    request,
    signal,
  );
  if ('unusable' in answer) return batch.map(() => ({ fault: 'no usable answer' }));
  const texts = new Map(answer.value.passages.map(({ record, text }) => [record, oneLine(text)]));
  return shown.map((record, at): CheckedText => {
    const text = texts.get(at + 1);
    return text === undefined ? { fault: 'missing' } : checked(text, passageFault(text, record));
  });
}

async function questionOf(
  question: Re2Question,
  model: TextModel,
  signal: AbortSignal | undefined,
): Promise<CheckedText> {
  const { entity, name, when } = question.asks;
  const dated = when === undefined ? '' : `\nDate: ${when}`;
  const request = {
    slots: {
      entity,
      metric: name,
      value: question.answers[0] ?? '',
      date: when ?? '',
      shown: `About: ${entity}\nWanted: ${name}${dated}`,
    },
    schema: {
      type: 'object',
      properties: { question: { type: 'string', minLength: 1, maxLength: 400 } },
      required: ['question'],
    },
    maxTokens: 120,
  };
  const answer = await askTemplate<{ question: string }>(model, 're2Question', request, signal);
  if ('unusable' in answer) return { fault: 'no usable answer' };
  const text = oneLine(answer.value.question);
  return checked(text, questionFault(text, question));
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const cells = ({ entity, about, date, values, issued }: PromptRecord): string =>
  [
    `name: ${entity}`,
    ...(about === undefined ? [] : [`about: ${about}`]),
    `date: ${date}`,
    ...values.map(({ name, value }) => `${name}: ${value}`),
    ...(issued === undefined ? [] : [`issued: ${issued}`]),
  ].join('; ');

function promptRecord({ passages }: Re2Benchmark, passageFact: PassageFact): PromptRecord {
  const { statement, written } = passages.parts(passageFact);
  const isPublished = passages.schema.published !== undefined;
  const values = statement.values.map(({ role, name, value }) => ({ name: role ?? name, value }));
  return {
    entity: statement.entity,
    date: written.on,
    about: statement.label,
    values: seededRandom(passages.seed, passages.idOf(passageFact)).shuffled(values),
    issued: isPublished ? passages.publishedAt(passageFact).slice(0, 10) : undefined,
  };
}

/** The fault of a passage, which must contain entity and date verbatim, and state the values. */
function passageFault(text: string, { entity, date, values }: PromptRecord): string | undefined {
  if (!has(text, entity)) return 'entity left out';
  if (!has(text, date.replace(/^(?:on|in) /, ''))) return 'date left out';
  return values.every(({ value }) => statesValue(text, value)) ? undefined : 'value left out';
}

/**
 * The fault of a question, which must contain entity and date, and no answer outside of them.
 */
function questionFault(text: string, { asks, answers }: Re2Question): string | undefined {
  if (!has(text, asks.entity)) return 'entity left out';
  if (asks.when !== undefined && !has(text, asks.when)) return 'date left out';
  const rest = [asks.entity, ...(asks.when === undefined ? [] : [asks.when])].reduce(
    (left, part) => left.replace(new RegExp(escaped(part), 'giu'), ' '),
    text,
  );
  return answers.some((answer) =>
    new RegExp(`(?<![\\p{L}\\p{N}])${escaped(answer)}(?![\\p{L}\\p{N}])`, 'iu').test(rest),
  )
    ? 'answer given away'
    : undefined;
}

const has = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase());

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
