// Time zones by IANA name: conversion between instants and the wall clock of a zone, both in
// milliseconds, the latter as if it showed UTC. Texts are read on the wall clock; what is stored
// and compared is an instant. Offsets are those of the runtime's tables (Intl).
import { invalidArgument } from '../errors.js';
import type { Window } from './constraint.js';
import { lastInstant, type Instant } from './interval.js';
import { dayMilliseconds } from './civil.js';

/**
 * Offsets are looked up by blocks of 3.1 days, which have one change of offset at most: no zone has
 * changed twice within 3.9 days (Africa/Freetown, 1939).
 */
const blockMilliseconds = 2 ** 28;
/** Blocks of a page: 199 days. */
const pageBlocks = 64;
/** Pages kept of a zone, 256 bytes each: of dates in 5,400 years. */
const mostPages = 10_000;
/** In place of the offset of a block, which is less than a day. */
const unread = 2 ** 31 - 1;
const changing = 2 ** 31 - 2;

class Zone {
  /** Offsets of blocks. */
  private readonly pages = new Map<number, Int32Array>();
  /** By the number of their block. */
  private readonly changes = new Map<number, { before: number; at: Instant; after: number }>();

  constructor(private readonly format: Intl.DateTimeFormat) {}

  /** Milliseconds that the wall clock is ahead of UTC. */
  offsetAt(instant: Instant): number {
    const block = Math.floor(instant / blockMilliseconds);
    const page = Math.floor(block / pageBlocks);
    let offsets = this.pages.get(page);
    if (!offsets) this.pages.set(page, (offsets = this.newPage()));
    const place = block - page * pageBlocks;
    if (offsets[place] === unread) offsets[place] = this.readBlock(block);
    if (offsets[place] !== changing) return offsets[place]!;
    const { before, at, after } = this.changes.get(block)!;
    return instant < at ? before : after;
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

  private newPage(): Int32Array {
    if (this.pages.size === mostPages) {
      this.pages.clear();
      this.changes.clear();
    }
    return new Int32Array(pageBlocks).fill(unread);
  }

  private readBlock(block: number): number {
    const [from, to] = [block * blockMilliseconds, (block + 1) * blockMilliseconds];
    const [before, after] = [this.read(from), this.read(to)];
    if (before === after) return before;
    const at = changeBetween(from, to, (instant) => this.read(instant));
    this.changes.set(block, { before, at, after });
    return changing;
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
const zones = new Map<string, Zone | undefined>([['UTC', undefined]]);
/** Zones by the runtime's own name, which aliases and spellings share. */
const byRuntimeName = new Map<string, Zone>();
const mostNames = 2000;

/** @throws AsOfError ERR_INVALID_ARGUMENT for a name that the runtime does not know */
function zoneOf(name: string, argument = 'timeZone'): Zone | undefined {
  const found = zones.get(name);
  if (found || zones.has(name)) return found;
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

/** Undefined for UTC, by whatever name. @throws AsOfError ERR_INVALID_ARGUMENT */
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
