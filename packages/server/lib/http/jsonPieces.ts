// JSON of answers within their budget of bytes: lists are written element by element, so that an
// answer that is too large costs no more than its budget, and no answer keeps others waiting.
import { yieldToEventLoop } from 'asof/kit';
import { answerTooLarge } from './errors.js';
import type { RequestScope } from './scope.js';

export interface AnswerBudget {
  /** Most bytes. */
  most: number;
  scope: RequestScope;
  /** How to ask for less. */
  less?: string | undefined;
}

/** Milliseconds between turns of the event loop: one for each short element costs more than it. */
const sliceMs = 1;
/** UTF-16 units of a piece, unless an element has more. */
const pieceUnits = 65_536;

/**
 * The JSON of an object in pieces. Its fields may be iterables of elements, which are then made as
 * they are written.
 * @throws HttpError 413, and what the elements throw
 */
export async function jsonPieces(value: unknown, budget: AnswerBudget): Promise<string[]> {
  const { most, scope, less } = budget;
  const pieces: string[] = [];
  let bytes = 0;
  let piece = '';
  const write = (text: string): void => {
    const length = Buffer.byteLength(text);
    bytes += length;
    if (bytes > most) throw answerTooLarge(most, less);
    scope.hold(length);
    piece += text;
    if (piece.length < pieceUnits) return;
    pieces.push(piece);
    piece = '';
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    write(JSON.stringify(value));
    return [piece];
  }
  let next = '{';
  let since = performance.now();
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue;
    next += `${JSON.stringify(name)}:`;
    if (isIterable(field)) {
      let separator = `${next}[`;
      for await (const element of field) {
        write(separator + (JSON.stringify(element) ?? 'null'));
        separator = ',';
        if (performance.now() - since < sliceMs) continue;
        const turn = yieldToEventLoop(scope.signal);
        if (turn) await turn;
        since = performance.now();
      }
      next = separator === ',' ? '],' : `${separator}],`;
    } else {
      write(next + (JSON.stringify(field) ?? 'null'));
      next = ',';
    }
  }
  write(next === '{' ? '{}' : `${next.slice(0, -1)}}`);
  pieces.push(piece);
  return pieces;
}

const isIterable = (value: unknown): value is Iterable<unknown> | AsyncIterable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  (Symbol.iterator in value || Symbol.asyncIterator in value);
