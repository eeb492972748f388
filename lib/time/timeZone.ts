// Time zones by IANA name: conversion between instants and the wall clock of a zone, both in
// milliseconds, the latter as if it showed UTC. Texts and dates are read on the wall clock; all that
// is stored and compared is an instant. Offsets are those of the runtime's tables (Intl).
import { invalidArgument } from '../errors.js';
import type { Window } from './constraint.js';
import { lastInstant, type Instant } from './interval.js';
import { dayMilliseconds } from './civil.js';

/**
 * Offsets are looked up by blocks of 3.1 days, which have one change of offset at most: no zone has
 * changed twice within 3.9 days (Africa/Freetown, 1939).
 */
const blockMilliseconds = 2 ** 28;
/** Blocks kept of a zone: of dates in 8,500 years. */
const mostBlocks = 1_000_000;

/** Offset before an instant and from it on. */
interface Block {
  before: number;
  change: Instant;
  after: number;
}

class Zone {
  private readonly blocks = new Map<number, Block>();

  constructor(private readonly format: Intl.DateTimeFormat) {}

  /** Milliseconds that the wall clock is ahead of UTC. */
  offsetAt(instant: Instant): number {
    const number = Math.floor(instant / blockMilliseconds);
    let block = this.blocks.get(number);
    if (!block) {
      if (this.blocks.size === mostBlocks) this.blocks.clear();
      this.blocks.set(number, (block = this.block(number)));
    }
    return instant < block.change ? block.before : block.after;
  }

  /** The first instant at which the wall clock shows this time or a later one. */
  instantOf(wall: number): Instant {
    // Offsets are less than a day, and change once at most between these two.
    const [from, to] = [wall - dayMilliseconds, wall + dayMilliseconds];
    const [before, after] = [this.offsetAt(from), this.offsetAt(to)];
    if (before === after) return wall - before;
    const change = changeBetween(from, to, (instant) => this.offsetAt(instant));
    return wall - before < change ? wall - before : Math.max(change, wall - after);
  }

  private block(number: number): Block {
    const [from, to] = [number * blockMilliseconds, (number + 1) * blockMilliseconds];
    const [before, after] = [this.read(from), this.read(to)];
    const change =
      before === after ? Infinity : changeBetween(from, to, (instant) => this.read(instant));
    return { before, change, after };
  }

  /** Of the runtime's tables: a microsecond. */
  private read(instant: Instant): number {
    const within = Math.max(-lastInstant, Math.min(lastInstant, instant));
    const [, sign, hours, minutes, seconds = '0'] =
      /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(this.format.format(within)) ?? [];
    if (sign === undefined) return 0; // "GMT"
    const length = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
    return (sign === '-' ? -1000 : 1000) * length;
  }
}

/** The first whole millisecond after `from` with the offset at `to`. */
function changeBetween(
  from: Instant,
  to: Instant,
  offsetAt: (instant: Instant) => number,
): Instant {
  const before = offsetAt(from);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** By name as it is given; UTC has no zone. Names differ in case only, so that few are refused. */
const zones = new Map<string, Zone | undefined>();
/** Zones by the runtime's own name, which aliases and spellings share. */
const byRuntimeName = new Map<string, Zone>();
const mostNames = 2000;

/** @throws AsOfError ERR_INVALID_ARGUMENT for a name that the runtime does not know */
function zoneOf(name: string, argument = 'timeZone'): Zone | undefined {
  if (zones.has(name)) return zones.get(name);
  const format = zoneFormat(name);
  if (!format) {
    throw invalidArgument(
      argument,
      'the IANA name of a time zone',
      name,
      'Write a name such as Europe/London, Asia/Tokyo or UTC; for a fixed offset of nine hours ' +
        'east of Greenwich, Etc/GMT-9.',
    );
  }
  const { timeZone } = format.resolvedOptions();
  const known = timeZone === 'UTC' ? undefined : (byRuntimeName.get(timeZone) ?? new Zone(format));
  if (known) byRuntimeName.set(timeZone, known);
  if (zones.size === mostNames) zones.clear();
  zones.set(name, known);
  return known;
}

function zoneFormat(name: unknown): Intl.DateTimeFormat | undefined {
  // Newer runtimes take "+09:00" too, older ones do not.
  if (typeof name !== 'string' || !/^[a-z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    return undefined;
  }
}

/**
 * A checked name of a time zone; undefined without one and for UTC, by whatever name.
 * @throws AsOfError ERR_INVALID_ARGUMENT for other values and names that the runtime does not know
 */
export function checkTimeZone(name: string | undefined, argument = 'timeZone'): string | undefined {
  return name !== undefined && zoneOf(name, argument) ? name : undefined;
}

/** Whether two checked names are of one zone: Asia/Kolkata is Asia/Calcutta. */
export const isSameZone = (one: string | undefined, other: string | undefined): boolean =>
  one === other || (one !== undefined && other !== undefined && zoneOf(one) === zoneOf(other));

/** What the wall clock of a zone shows at an instant. Default UTC: the instant itself. */
export function toWallClock(instant: Instant, timeZone?: string): number {
  const zone = timeZone === undefined ? undefined : zoneOf(timeZone);
  return zone && Number.isFinite(instant) ? instant + zone.offsetAt(instant) : instant;
}

/**
 * The first instant at which the wall clock of a zone shows this time or a later one. So a time
 * that is shown twice is the earlier one, as in Temporal's 'compatible'; one that is skipped is the
 * moment of the skip, as in its `startOfDay`, so that order is kept.
 */
export function fromWallClock(wall: number, timeZone?: string): Instant {
  const zone = timeZone === undefined ? undefined : zoneOf(timeZone);
  return zone && Number.isFinite(wall) ? zone.instantOf(wall) : wall;
}

/** Both ends of a stretch on the wall clock. */
export function boundsOnWallClock<Bounds extends Window>(
  instants: Bounds,
  timeZone: string | undefined,
): Bounds {
  if (timeZone === undefined) return instants;
  const start = toWallClock(instants.start, timeZone);
  // Of the last millisecond: at the end itself the clock may have been put forward.
  const end = toWallClock(instants.end - 1, timeZone) + 1;
  return { ...instants, start, end };
}

/** Both ends of a stretch; one that the zone skipped whole is one millisecond long. */
export function boundsFromWallClock<Bounds extends Window>(
  wall: Bounds,
  timeZone: string | undefined,
  instantOf = fromWallClock,
): Bounds {
  if (timeZone === undefined) return wall;
  const start = instantOf(wall.start, timeZone);
  const end = instantOf(wall.end, timeZone);
  return { ...wall, start, end: wall.end > wall.start ? Math.max(end, start + 1) : end };
}
