// Features of time of a statement's members against their definitions, over random times, windows
// and publications.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../../lib/binding.js';
import { width, type FeatureName } from '../../../lib/facts/features/features.js';
import { holdingIn } from '../../../lib/facts/members/holding.js';
import type { Window } from '../../../lib/time/constraint.js';
import { dayMilliseconds as day, yearMilliseconds as year } from '../../../lib/time/civil.js';
import { addon } from '../../addon.js';
import { matchesOf, named, nothingAsked } from '../matches.js';
import { lexicon } from '../passages.js';

const sources = ['own', 'later', 'compared', 'previous', 'title', 'published'] as const;
interface Time extends Window {
  range: boolean;
  source: (typeof sources)[number];
}
interface Case {
  times: readonly Time[];
  published: number | undefined;
  window: Window;
  alternatives: readonly Window[];
  /** The time that the question names. */
  named: Window | undefined;
  /** In some part of it a state must hold. */
  held: Window | undefined;
  isEvent: boolean;
  /** Whether a figure is asked for. */
  isFigure: boolean;
}

const numbersOf = (time?: Time): number[] =>
  time
    ? [time.start, time.end, NaN, -1, sources.indexOf(time.source) + (time.range ? 8 : 0)]
    : [NaN, NaN, NaN, -1, 0];
const publication = (start: number): Time => ({
  ...{ start, end: start + day, range: false, source: 'published' },
});

/** One statement with the times. */
function passageOf({ times, published }: Case) {
  const text = 'Water rose.';
  const texts = {
    ...{ texts: [text], titles: [''], sentenceEnds: Uint32Array.of(1) },
    sentences: Uint32Array.of(0, text.length),
    references: Float64Array.of(NaN),
    publishedAt: Float64Array.of(published ?? NaN),
    publishedUntil: Float64Array.of((published ?? NaN) + day),
    ...{ validFrom: Float64Array.of(NaN), validTo: Float64Array.of(NaN) },
  };
  const [read] = binding.readPassages(lexicon.handle, texts);
  return addon.withTimes(read!, Float64Array.from(times.flatMap(numbersOf)));
}

const columnOf = (windows: readonly Window[]): Float64Array =>
  Float64Array.from(windows.flatMap(({ start, end }) => [start, end]));

/** By member, the features of its time; and how long states of the series last at most. */
function membersOf(given: Case): { rows: Record<FeatureName, number>[]; longest: number } {
  const wanted = given.isFigure ? 3 : 6;
  const { handle } = matchesOf(lexicon, [passageOf(given)], { terms: [], wanted });
  const { features, interpretation, longest } = binding.membersOf(
    handle,
    {
      ...nothingAsked,
      window: columnOf([given.window]),
      alternatives: columnOf(given.alternatives),
      ...(given.named ? { named: columnOf([given.named]) } : {}),
      ...(given.held ? { held: columnOf([given.held]) } : {}),
      isEvent: given.isEvent,
    },
    new Uint8Array(),
  );
  const rows = [...interpretation.keys()]
    .filter((member) => interpretation[member] === 0)
    .map((member) => named(features.subarray(member * width, (member + 1) * width)));
  return { rows, longest };
}

const meet = (one: Window, other: Window): boolean =>
  one.start < other.end && other.start < one.end;
/** On a logarithmic scale of months. */
const months = (milliseconds: number): number => Math.log1p((12 * milliseconds) / year) / 3;

/** How long states last at most: with both ends, else between two known ones, else 5 years. */
function longestOf(times: readonly Time[]): number {
  const lengths = times.filter(({ range }) => range).map(({ start, end }) => end - start);
  const known = lengths.filter(Number.isFinite);
  if (known.length > 0) return Math.max(...known);
  const ends = times
    .flatMap(({ start, end, range }) => (range ? [start, end] : [start]))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  return Math.max(...ends.slice(1).map((end, at) => end - ends[at]!), 0) || 5 * year;
}

type Timed = Partial<Record<FeatureName, number>>;

/** The features that are not 0. */
function oracle(time: Time | undefined, given: Case, longest: number): Timed {
  const { window, alternatives, named: own, held, isEvent, isFigure, published } = given;
  const isClosed = Number.isFinite(window.start) && Number.isFinite(window.end);
  const isBounded = Number.isFinite(window.start) || Number.isFinite(window.end);
  const hasEnd = Number.isFinite(window.end);
  const found: Timed = {};
  let isInside = true;
  if (time && ['compared', 'previous', 'later'].includes(time.source))
    found[time.source as 'compared'] = 1;
  if (time?.range && Number.isFinite(time.end - time.start))
    found.span = Math.log1p((time.end - time.start) / year) / 3;
  if (isBounded && !time) found.undated = 1;
  if (isBounded && time) {
    const state = holdingIn(time, held ?? window, { isEvent, longest });
    const mayHold = state === 'unknown' && (!held || time.start === -Infinity);
    const isMet =
      meet(time, window) &&
      (alternatives.length === 0 || alternatives.some((each) => meet(time, each)));
    isInside = !mayHold && state !== 'ended' && isMet;
    if (mayHold) found[isFigure ? 'beforeOfFigure' : 'before'] = 1;
    else if (!isInside) {
      found.outside = 1;
      const early = state === 'ended' ? (held ?? window).start - time.end : 0;
      const gap = Math.max(0, time.start - window.end, early);
      found.gap = Number.isFinite(gap) ? months(gap) : 0;
    } else {
      const common = Math.min(time.end, window.end) - Math.max(time.start, window.start);
      const length = time.end - time.start;
      if (!time.range) found.overhang = 1 - common / length;
      if (!time.range && isClosed)
        found.coarse = Math.max(0, Math.log(length / (window.end - window.start)) / 5);
      const isWithinADay = (one: number, other: number): boolean => Math.abs(one - other) < day;
      const isSame =
        isClosed && isWithinADay(time.start, window.start) && isWithinADay(time.end, window.end);
      const isSince = !hasEnd && own?.start === window.start;
      const beginsThen = isSince && time.start >= own.start && time.start < own.end;
      if (isSame || beginsThen) found.equal = 1;
    }
  }
  if (published === undefined) return found;
  if (isInside && time && !time.range) {
    const isBeyond = time.start < window.end && window.end < time.end;
    const isSoon = published >= window.end && published < time.end + (time.end - time.start);
    if (isBeyond && isSoon) found.laterReport = 1;
  }
  if (hasEnd && !(isInside && time?.source === 'own') && time?.source !== 'published') {
    found.publishedAfter = Number(published >= window.end);
    found.publishedGap = months(Math.abs(published - window.end));
  }
  return found;
}

const timed = [
  ...['compared', 'roleOfOther', 'previous', 'later', 'ofTitle', 'undated', 'before'],
  ...['beforeOfFigure', 'outside', 'overhang', 'gap', 'coarse', 'span', 'equal', 'laterReport'],
  ...['publishedAfter', 'publishedGap'],
] as FeatureName[];

// Half days, so that ends coincide now and then.
const half = day / 2;
const stretch = fc
  .tuple(fc.integer({ min: -40, max: 40 }), fc.integer({ min: 1, max: 30 }))
  .map(([start, length]): Window => ({ start: start * half, end: (start + length) * half }));
const openAtStart = stretch.map(({ end }): Window => ({ start: -Infinity, end }));
const openAtEnd = stretch.map(({ start }): Window => ({ start, end: Infinity }));
const always = fc.constant<Window>({ start: -Infinity, end: Infinity });
const time: fc.Arbitrary<Time> = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.tuple(stretch, fc.boolean()) },
      ...[openAtStart, openAtEnd, always].map((arbitrary) => ({
        weight: 1,
        arbitrary: fc.tuple(arbitrary, fc.constant(true)),
      })),
    ),
    fc.constantFrom('own', 'own', 'later', 'compared', 'previous'),
  )
  .map(([[window, range], source]): Time => ({ ...window, range, source }));
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const cases: fc.Arbitrary<Case> = fc
  .record({
    times: fc.array(time, { maxLength: 10 }),
    published: maybe(fc.integer({ min: -60, max: 60 }).map((halves) => halves * half)),
    window: fc.oneof({ weight: 3, arbitrary: stretch }, openAtStart, openAtEnd, always),
    alternatives: fc.oneof(fc.constant([]), fc.array(stretch, { maxLength: 2 })),
    named: maybe(stretch),
    held: maybe(fc.integer({ min: 1, max: 4 })),
    isSince: fc.boolean(),
    isEvent: fc.boolean(),
    isFigure: fc.boolean(),
  })
  .map(({ held, isSince, named: own, ...rest }): Case => {
    const { window } = rest;
    const end = Number.isFinite(window.end) ? window.end : window.start + 30 * half;
    const length = (own?.end ?? 0) - (own?.start ?? 0);
    const isFrom = isSince && Number.isFinite(window.start);
    return {
      ...rest,
      named: own && isFrom ? { start: window.start, end: window.start + length } : own,
      // As of the end of a window.
      held:
        held !== undefined && Number.isFinite(end) ? { start: end - held * half, end } : undefined,
    };
  });

describe('features of members', () => {
  it('say where their times lie to the window, and when they were published', () => {
    fc.assert(
      fc.property(cases, (given) => {
        const { rows, longest } = membersOf(given);
        const { times, published } = given;
        const byContent = times.slice(0, 8);
        const stated: (Time | undefined)[] =
          byContent.length > 0
            ? byContent
            : [published === undefined ? undefined : publication(published)];
        assert.equal(rows.length, stated.length);
        assert.equal(longest, longestOf(times));
        stated.forEach((each, member) => {
          const expected = oracle(each, given, longest);
          for (const name of timed) {
            const [own, other] = [rows[member]![name], expected[name] ?? 0];
            assert.ok(Math.abs(own - other) <= 1e-6 * (1 + other), `${name}: ${own} for ${other}`);
          }
        });
      }),
      { numRuns: 2000 },
    );
  });
});
