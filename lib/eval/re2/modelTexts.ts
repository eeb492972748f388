// Passages and questions written by a language model (Re3 appendix A.4). Texts without their
// entity, date or values are refused, and the grammar's texts are used instead.
import { seededRandom } from '../../text/random.js';
import { throwIfAborted } from '../../errors.js';
import { askJson } from '../../text/prompts/jsonPrompt.js';
import { checkTextModel, type TextModel } from '../../text/textModel.js';
import type { RunOptions } from '../../records.js';
import type { Re2Benchmark } from './benchmark.js';
import type { PassageFact } from './passages.js';
import type { Re2Question } from './question.js';
import {
  passagesPrompt,
  questionPrompt,
  type PassagesAnswer,
  type QuestionAnswer,
  type PromptRecord,
} from './prompts.js';

/** Texts by id of passages and questions; others keep the grammar's text. */
export interface ModelTexts {
  passages: ReadonlyMap<string, string>;
  questions: ReadonlyMap<string, string>;
  /** Number of refused texts by reason. */
  refused: Readonly<Record<string, number>>;
}

/** Records per call. */
const batchSize = 6;

/**
 * Generates every passage and question by a model. Texts are kept in memory.
 * @throws AsOfError as `generateJson`, except for unusable answers, whose records keep their text;
 * ERR_ABORTED.
 */
export async function writeByModel(
  benchmark: Re2Benchmark,
  model: TextModel,
  options: RunOptions = {},
): Promise<ModelTexts> {
  checkTextModel(model);
  const { signal, onProgress } = options;
  const { facts, passages } = benchmark;
  const texts = { passages: new Map<string, string>(), questions: new Map<string, string>() };
  const refused: Record<string, number> = {};
  const refuse = (why: string): void => void (refused[why] = (refused[why] ?? 0) + 1);
  const questions = [...benchmark.questions()];
  const all: PassageFact[] = [
    ...Array.from({ length: facts.size }, (_, fact) => passages.factAt(fact)),
    ...benchmark.madeUp(),
  ];
  const total = all.length + questions.length;
  for (let at = 0; at < all.length; at += batchSize) {
    throwIfAborted(signal);
    const batch = all
      .slice(at, at + batchSize)
      .map((passageFact) => ({ passageFact, shown: promptRecord(benchmark, passageFact) }));
    const answer = await askJson<PassagesAnswer>(
      model,
      passagesPrompt(batch.map(({ shown }) => shown)),
      signal,
    );
    if ('unusable' in answer) refuse('no usable answer');
    else {
      for (const [index, { passageFact, shown }] of batch.entries()) {
        const text = answer.value.passages
          .find((each) => each.record === index + 1)
          ?.text.replace(/\s+/g, ' ')
          .trim();
        const fault = text === undefined ? 'missing' : passageFault(text, shown);
        if (fault) refuse(fault);
        else texts.passages.set(passages.idOf(passageFact), text!);
      }
    }
    onProgress?.({ done: Math.min(at + batchSize, all.length), total });
  }
  for (const [at, question] of questions.entries()) {
    throwIfAborted(signal);
    const { asks } = question;
    const answer = await askJson<QuestionAnswer>(
      model,
      questionPrompt({
        entity: asks.entity,
        wanted: asks.name,
        ...(asks.when === undefined ? {} : { date: asks.when }),
      }),
      signal,
    );
    if ('unusable' in answer) refuse('no usable answer');
    else {
      const text = answer.value.question.replace(/\s+/g, ' ').trim();
      const fault = questionFault(text, question);
      if (fault) refuse(fault);
      else texts.questions.set(question.id, text);
    }
    onProgress?.({ done: all.length + at + 1, total });
  }
  return { ...texts, refused };
}

function promptRecord({ passages }: Re2Benchmark, passageFact: PassageFact): PromptRecord {
  const { statement, written } = passages.parts(passageFact);
  const issued =
    passages.schema.published === undefined
      ? undefined
      : passages.publishedAt(passageFact).slice(0, 10);
  const values = statement.values.map(({ role, name, value }) => ({ name: role ?? name, value }));
  return {
    entity: statement.entity,
    date: written.on,
    ...(statement.label === undefined ? {} : { about: statement.label }),
    values: seededRandom(passages.seed, passages.idOf(passageFact)).shuffled(values),
    ...(issued === undefined ? {} : { issued }),
  };
}

/** The fault of a passage, which must contain entity, date and values verbatim. */
function passageFault(text: string, { entity, date, values }: PromptRecord): string | undefined {
  if (!has(text, entity)) return 'entity left out';
  if (!has(text, date.replace(/^(?:on|in) /, ''))) return 'date left out';
  return values.every(({ value }) => has(text, value)) ? undefined : 'value left out';
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
