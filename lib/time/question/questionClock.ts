// Clock of a question: its reference time, and the wall clock of its zone, on which its text is
// read. What was read becomes instants at the end.
import type { Question } from '../../records.js';
import type { Window } from '../constraint.js';
import type { Instant } from '../interval.js';
import { timeInWords } from './timeInWords.js';
import { boundsFromWallClock, checkTimeZone, fromWallClock, toWallClock } from '../timeZone.js';

export interface QuestionClock {
  askedAt: Instant;
  /** Undefined for UTC. */
  timeZone: string | undefined;
  /** `askedAt` on the wall clock, to which relative words refer. */
  reference: number;
  toWall: <Bounds extends Window>(bounds: Bounds) => Bounds;
  toInstants: <Bounds extends Window>(bounds: Bounds) => Bounds;
}

/** By default of UTC at the current time. @throws AsOfError ERR_INVALID_ARGUMENT */
export function questionClock({ askedAt, timeZone }: Omit<Question, 'text'>): QuestionClock {
  const zone = checkTimeZone(timeZone, 'question.timeZone');
  const now = Date.now();
  const at =
    askedAt === undefined
      ? now
      : timeInWords(askedAt, 'end', { name: 'question.askedAt', now, timeZone: zone });
  // Of a time that the clock shows twice, the instant that it was made of.
  const made = new Map<number, Instant>();
  const wallOf = (instant: Instant): number => {
    const wall = toWallClock(instant, zone);
    made.set(wall, instant);
    return wall;
  };
  const instantOf = (wall: number): Instant => made.get(wall) ?? fromWallClock(wall, zone);
  const reference = wallOf(at);
  // What is up to now ends a millisecond later.
  made.set(reference + 1, at + 1);
  return {
    askedAt: at,
    timeZone: zone,
    reference,
    toWall: (bounds) =>
      zone === undefined
        ? bounds
        : { ...bounds, start: wallOf(bounds.start), end: wallOf(bounds.end) },
    toInstants: (bounds) => boundsFromWallClock(bounds, zone, instantOf),
  };
}
