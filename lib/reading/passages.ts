// Passages and a question as the native reader takes them (native/reading): texts with their
// sentences, days of publication, and off UTC the instants of the times in the texts.
import { binding, withCancellation } from '../binding.js';
import type { PassagesToRead } from '../../binding.js';
import { inTurns } from '../runtime/eventLoop.js';
import { instantSteps, sourcesOf } from '../statements/sources.js';
import { answerType, expectsList, type AnswerType } from '../text/answerType.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { parseAskedAt } from '../time/instant.js';
import { queryDay } from '../time/question/question.js';
import { checkTimeZone, toWallClock } from '../time/timeZone.js';
import type { ReadablePassage } from './answer.js';
import { askedTime, askedWords } from './asked.js';
import { sentencesOf } from './sentences.js';

/** What is read for a question of the kind. */
export async function passagesToRead(
  question: ParsedQuestion,
  passages: readonly ReadablePassage[],
  signal?: AbortSignal,
): Promise<{ request: PassagesToRead; kind: AnswerType | undefined }> {
  const kind = answerType(question.text);
  const sentences = await inTurns(sentencesOf(passages), signal);
  const sources = sourcesOf(passages, sentences, undefined);
  const publishedDays = new Float64Array(2 * passages.length).fill(NaN);
  for (const [at, { publishedAt, timeZone }] of passages.entries()) {
    const zone = checkTimeZone(timeZone);
    if (publishedAt === undefined) continue;
    sources.references[at] = toWallClock(parseAskedAt(publishedAt, 'publishedAt', zone), zone);
    const { start, end } = queryDay(publishedAt, zone);
    publishedDays.set([start, end], 2 * at);
  }
  const request = {
    ...sources,
    publishedDays,
    ...(await instantsOf(passages, sources.references, signal)),
    ...askedWords(question),
    ...askedTime(question),
    asksDate: kind === 'date',
    lists: expectsList(question.text),
  };
  return { request, kind };
}

/** Of the times in passages that are of a time zone. */
async function instantsOf(
  passages: readonly ReadablePassage[],
  references: Float64Array,
  signal?: AbortSignal,
): Promise<Pick<PassagesToRead, 'instants' | 'instantEnds'>> {
  const instantEnds = new Uint32Array(passages.length);
  if (passages.every(({ timeZone }) => checkTimeZone(timeZone) === undefined))
    return { instants: new Float64Array(0), instantEnds };
  const texts = passages.map(({ title = '', text }) => (title === '' ? text : `${title}\n${text}`));
  const tagged = await withCancellation(signal, (cancellation) =>
    binding.tagTimes(texts, references, 0, cancellation),
  );
  const all: Float64Array[] = [];
  let [from, sum] = [0, 0];
  for (const [at, { timeZone }] of passages.entries()) {
    const to = from + tagged.counts[at]!;
    const zone = checkTimeZone(timeZone);
    if (zone !== undefined) {
      const stretches = new Float64Array(2 * (to - from));
      for (let place = from; place < to; place += 1)
        stretches.set(
          [tagged.intervalStarts[place]!, tagged.intervalEnds[place]!],
          2 * (place - from),
        );
      const steps = instantSteps(zone, stretches, tagged.offsets.subarray(from, to));
      all.push(await inTurns(steps, signal));
      sum += to - from;
    }
    instantEnds[at] = sum;
    from = to;
  }
  const instants = new Float64Array(4 * sum);
  let at = 0;
  for (const each of all) {
    instants.set(each, at);
    at += each.length;
  }
  return { instants, instantEnds };
}
