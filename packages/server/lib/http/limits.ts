// Limits of what a server takes, does and holds at the same time, with their defaults.
import { readFileSync } from 'node:fs';
import { checkOptionNames, invalidArgument, mustBeWhole, mostConditions } from 'asof/kit';

export interface ServerLimits {
  /** Bytes of a JSON body, and of a line of passages. Default 8 MiB. */
  bodyBytes?: number | undefined;
  /**
   * Bytes of an answer. One that would be larger is refused (413) as soon as that is known, and a
   * stream of lines ends with an error. Default 16 MiB.
   */
  answerBytes?: number | undefined;
  /**
   * Bytes of the JSON bodies and answers of all requests at the same time. Beyond it the client
   * that has kept the server waiting longest, half a second or more, is cut off; where none has,
   * the new request gets 503. Default 256 MiB.
   */
  bufferBytes?: number | undefined;
  /**
   * Seconds of a request that does not write, its body and the taking of its answer included. Of
   * one that writes: of a JSON body, of the wait for the next part of passages that are streamed,
   * and of the taking of its answer. Default 60.
   */
  seconds?: number | undefined;
  /**
   * Requests at the same time, until their answers have been taken, those that wait included.
   * Beyond it as `bufferBytes`. Default 128.
   */
  inFlight?: number | undefined;
  /**
   * Open connections of `listen`. A further one takes the place of that which has been idle
   * longest, or of the slowest client's as `bufferBytes`. Default 1024, but at most half of the
   * files that the process may open.
   */
  connections?: number | undefined;
  /** Conditions of a filter, `and`, `or` and `not` included, 1 to 16,384, which is the default. */
  conditions?: number | undefined;
  /** Corpora beyond which requests create none, 1 to 100,000. Default 100. */
  corpora?: number | undefined;
  /** Seconds that `close` leaves to running requests. Default 10. */
  closeSeconds?: number | undefined;
}

export type Limit = keyof ServerLimits;

/** Limits as JSON and metrics name them. */
export const limitNames = {
  bodyBytes: 'body_bytes',
  answerBytes: 'answer_bytes',
  bufferBytes: 'buffer_bytes',
  seconds: 'seconds',
  closeSeconds: 'close_seconds',
  inFlight: 'in_flight',
  connections: 'connections',
  conditions: 'conditions',
  corpora: 'corpora',
} as const satisfies Record<Limit, string>;

export type Limits = { [Name in keyof ServerLimits]-?: number };

/** @throws AsOfError ERR_INVALID_ARGUMENT */
export function checkLimits(given: ServerLimits): Limits {
  const {
    bodyBytes = 8 * 2 ** 20,
    answerBytes = 16 * 2 ** 20,
    bufferBytes = Math.max(256 * 2 ** 20, bodyBytes + answerBytes),
    seconds = 60,
    closeSeconds = 10,
    inFlight = 128,
    connections = Math.min(1024, Math.floor(mostDescriptors() / 2)),
    conditions = mostConditions,
    corpora = 100,
    ...unknown
  } = given;
  const limits: Limits = {
    bodyBytes,
    answerBytes,
    bufferBytes,
    seconds,
    closeSeconds,
    inFlight,
    connections,
    conditions,
    corpora,
  };
  checkOptionNames('limits', { ...limits, ...unknown }, Object.keys(limits));
  mustBeWhole({ 'limits.bodyBytes': bodyBytes }, 1024, 2 ** 30);
  // Room for the page and the description of the interface.
  mustBeWhole({ 'limits.answerBytes': answerBytes }, 65_536, 2 ** 30);
  // Room for one request, whatever it is.
  mustBeWhole({ 'limits.bufferBytes': bufferBytes }, bodyBytes + answerBytes, 2 ** 40);
  const counts = { inFlight, connections, corpora };
  for (const [name, count] of Object.entries(counts))
    mustBeWhole({ [`limits.${name}`]: count }, 1, 100_000);
  mustBeWhole({ 'limits.conditions': conditions }, 1, mostConditions);
  for (const [name, value] of Object.entries({ seconds, closeSeconds }))
    if (!(typeof value === 'number' && value >= 0 && value <= 86_400))
      throw invalidArgument(`limits.${name}`, 'a number of seconds, 0 to 86,400', value);
  return limits;
}

/** Files and sockets that this process may have open; elsewhere than on Linux it is not said. */
function mostDescriptors(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, soft] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
