// Lines of JSON, each made when the client takes it, within the budget of an answer.
import { answerTooLarge, endError, errorJson } from './errors.js';
import type { AnswerBudget } from './jsonPieces.js';

/** The last line is an error where one arises, and in place of one that goes beyond the budget. */
export async function* linePieces(
  lines: AsyncIterable<Record<string, unknown>>,
  { most, scope, less, seconds }: AnswerBudget & { seconds: number },
): AsyncGenerator<string> {
  let bytes = 0;
  try {
    for await (const each of lines) {
      const line = `${JSON.stringify(each)}\n`;
      bytes += Buffer.byteLength(line);
      if (bytes > most) throw answerTooLarge(most, less);
      yield line;
    }
  } catch (error) {
    scope.failure = error;
    const known = endError(error, scope.ended, seconds);
    yield `${JSON.stringify({ type: 'error', error: errorJson(known) })}\n`;
  }
}
