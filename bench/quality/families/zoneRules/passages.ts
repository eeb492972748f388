// Passages on standard time, summer time and positions of places, with the facts that they state.
import { addDays, american, anyDate, british, yearOf } from '../dates.js';
import type { FamilyPassage, Random } from '../family.js';
import { capital } from '../wordings.js';
import type { SummerEvent, Zone } from './data.js';
import { anyOffset, backFrom, dayMonth, shortPlace, signed, weekday } from './words.js';

/** A passage that states something, with the day of its publication where it has one. */
export interface Statement {
  passage: string;
  published?: string;
}

export interface Snapshot extends Statement {
  zone: Zone;
  day: string;
}

/** Statements by zone and era or day. */
export class Facts {
  readonly starts = new Map<string, Statement[]>();
  /** Statements of the offset of an era in a passage about the next era. */
  readonly olds = new Map<string, Statement[]>();
  /** Statements of the end of an era in a passage about its start. */
  readonly ends = new Map<string, Statement[]>();
  readonly summers = new Map<string, Statement[]>();
  readonly positions = new Map<string, Statement[]>();
  readonly snapshots: Snapshot[] = [];

  static add(map: Map<string, Statement[]>, key: string, statement: Statement): void {
    map.set(key, [...(map.get(key) ?? []), statement]);
  }
}

type Say = (passage: Omit<FamilyPassage, 'id'>) => string;

interface EraText {
  text: string;
  title?: string;
  published?: string;
  valid?: boolean;
  old?: boolean;
  end?: boolean;
}

/** A text on the start of an era. */
function tellEra(zone: Zone, at: number, random: Random): EraText {
  const era = zone.eras[at]!;
  const [day, before] = [era.from!, zone.eras[at - 1]!];
  const now = anyOffset(era.seconds, random);
  const was = before.local ? 'local mean time' : anyOffset(before.seconds, random);
  const { place } = zone;
  const name = shortPlace(place);
  const later = era.seconds > before.seconds;
  const difference = signed(era.seconds - before.seconds).slice(1);
  const published = addDays(day, random.below(6));
  const recent = yearOf(day) >= 1950;
  const shapes: (() => EraText)[] = [
    () => ({
      text:
        `${place} went over to ${now} on ${anyDate(day, random)}; ` +
        `until then it had kept ${was}.`,
      old: true,
    }),
    () => ({
      title: `Standard time of ${place}: the change of ${day.slice(0, 4)}`,
      text:
        `On ${dayMonth(day)} the standard was ${later ? 'advanced' : 'set back'} by ` +
        `${difference}. Since that day ${name} reckons its time as ${now}.`,
    }),
    () => ({
      text:
        `The standard time of ${place} was changed. ${capital(was)} had been the rule` +
        `${before.from === undefined ? '' : ` from ${british(before.from)}`}. ` +
        `With effect from ${american(day)} it is ${now}.`,
      old: true,
    }),
    () => ({
      title: place,
      text: `Legal time from ${british(day)}: ${now}.`,
      valid: true,
    }),
    () => ({
      text:
        `Residents of ${name} have some getting used to: a new standard time, ${now}, replaced ` +
        `the old one in ${place} on ${anyDate(day, random)}.`,
    }),
  ];
  if (recent)
    shapes.push(
      () => ({
        text:
          `Railways, radio and schools in ${place} switched to a new standard ` +
          `${backFrom(published, day)}: the town is now ${now}.`,
        published,
      }),
      () => ({
        title: `${name} changes its time`,
        text:
          `From ${weekday(day)}, tomorrow, ${place} will be on ${now}. It is a lasting change ` +
          `of the standard and not summer time.`,
        published: addDays(day, -1),
      }),
    );
  if (era.to !== undefined)
    shapes.push(...endedShapes(place, now, { from: day, to: era.to }, random));
  return random.pick(shapes)();
}

/** Shapes that state the end of an era. */
function endedShapes(
  place: string,
  now: string,
  { from, to }: { from: string; to: string },
  random: Random,
): (() => EraText)[] {
  return [
    () => ({
      text: `${place} kept ${now} from ${anyDate(from, random)} until ${anyDate(to, random)}.`,
      end: true,
      valid: random.next() < 0.5,
    }),
    () => ({
      title: `${place}, clocks ${from.slice(0, 4)} to ${to.slice(0, 4)}`,
      text:
        `${capital(now)} came in on ${dayMonth(from)} of the first of these years and ` +
        `was given up on ${dayMonth(to)} of the last.`,
      end: true,
    }),
  ];
}

export function tellEras(zones: Zone[], say: Say, facts: Facts, random: Random): void {
  for (const zone of zones)
    for (const [at, era] of zone.eras.entries()) {
      if (at === 0) continue;
      const { text, title, published, valid, old, end } = tellEra(zone, at, random);
      const passage = say({
        text,
        ...(title === undefined ? {} : { title }),
        ...(published === undefined ? {} : { published_at: published }),
        ...(valid ? { valid_from: era.from! } : {}),
        ...(valid && era.to !== undefined ? { valid_to: addDays(era.to, -1) } : {}),
        entities: [zone.place],
      });
      const statement = { passage, ...(published === undefined ? {} : { published }) };
      Facts.add(facts.starts, `${zone.id} ${at}`, statement);
      if (old) Facts.add(facts.olds, `${zone.id} ${at - 1}`, statement);
      if (end) Facts.add(facts.ends, `${zone.id} ${at}`, statement);
    }
}

/** The era of a zone on a day: its place in the list. */
export function eraAt(zone: Zone, day: string): number {
  return zone.eras.findIndex(({ to }) => to === undefined || day < to);
}

/** Entries of yearly almanacs: the standard time of a place on a first of January. */
export function tellSnapshots(zones: Zone[], say: Say, facts: Facts, random: Random): void {
  for (const zone of zones)
    for (const year of random.sample(
      Array.from({ length: 60 }, (_, at) => 1966 + at),
      3,
    )) {
      const day = `${year}-01-01`;
      const at = eraAt(zone, day);
      const offset = anyOffset(zone.eras[at]!.seconds, random);
      const passage = say({
        title: `Almanac for ${year}`,
        text: random.pick([
          `Standard times at the beginning of the year: ${zone.place}, ${offset}.`,
          `${zone.place} stands in this edition with ${offset} as its standard time.`,
          `Gazetteer of clocks. ${zone.place}: ${offset} (position of 1 January).`,
        ]),
        published_at: day,
        entities: [zone.place],
      });
      facts.snapshots.push({ zone, day, passage, published: day });
    }
}

function tellSeason(zone: Zone, start: SummerEvent, end: SummerEvent, random: Random): EraText {
  const { place } = zone;
  return random.pick<() => EraText>([
    () => ({
      text:
        `Summer time in ${place} ran from ${anyDate(start.day, random)} to ` +
        `${anyDate(end.day, random)}.`,
    }),
    () => ({
      title: `${place}: summer time ${start.day.slice(0, 4)}`,
      text:
        `Clocks were advanced on ${dayMonth(start.day)} and returned to standard time on ` +
        `${yearOf(end.day) === yearOf(start.day) ? dayMonth(end.day) : british(end.day)}.`,
    }),
  ])();
}

function tellSummer(zone: Zone, { day, kind, minutes }: SummerEvent, random: Random): EraText {
  const { place } = zone;
  const name = shortPlace(place);
  const by = minutes === 60 ? 'an hour' : `${minutes} minutes`;
  const moved = kind === 'start' ? `forward ${by}` : `back ${by}`;
  const period = kind === 'start' ? 'Summer time began' : 'Summer time ended';
  const published = addDays(day, 1 + random.below(5));
  if (minutes === 0)
    return {
      text:
        `${period} in ${place} on ${anyDate(day, random)}. Nobody touched the clocks, since the ` +
        `standard time was changed with it.`,
    };
  const shapes: (() => EraText)[] = [
    () => ({ text: `${period} in ${place} on ${anyDate(day, random)}.` }),
    () => ({ text: `The clocks of ${place} went ${moved} on ${anyDate(day, random)}.` }),
    () => ({
      title: `Clock changes of ${day.slice(0, 4)}: ${place}`,
      text: `${weekday(day)}, ${dayMonth(day)}: clocks ${moved}, as summer time ${kind}s.`,
    }),
    () => ({
      text:
        `Did you oversleep? Clocks in ${place} went ${moved} ${backFrom(published, day)}, ` +
        `since summer time has ${kind === 'start' ? 'begun' : 'ended'}.`,
      published,
    }),
    () => ({
      text:
        `Tomorrow summer time ${kind}s in ${place}. Before going to bed, put clocks ${moved}; ` +
        `offices in ${name} open at their usual hours.`,
      published: addDays(day, -1),
    }),
    () => ({
      title: `Notice to the public in ${name}`,
      text:
        `By order, summer time in ${place} shall ${kind === 'start' ? 'commence' : 'cease'} on ` +
        `${british(day)}.`,
      published: addDays(day, -(8 + random.below(15))),
    }),
  ];
  return random.pick(shapes)();
}

function reviewed(zone: Zone, { day, kind }: SummerEvent, random: Random): EraText {
  const year = day.slice(0, 4);
  const verb = kind === 'start' ? 'introduced' : 'abandoned for the winter';
  return {
    title: `The year in ${shortPlace(zone.place)}`,
    text: random.pick([
      `Review of ${year}. Summer time was ${verb} in ${zone.place} on ${dayMonth(day)}.`,
      `Looking back at ${year}: on ${dayMonth(day)} ${zone.place} saw its summer time ${kind}.`,
    ]),
    published: `${year}-12-31`,
  };
}

/** Starts and ends of summer time; one of five has a second publication, some share one. */
export function tellSummers(zones: Zone[], say: Say, facts: Facts, random: Random): void {
  const state = (zone: Zone, { text, title, published }: EraText, days: string[]): void => {
    const passage = say({
      text,
      ...(title === undefined ? {} : { title }),
      ...(published === undefined ? {} : { published_at: published }),
      entities: [zone.place],
    });
    for (const day of days)
      Facts.add(facts.summers, `${zone.id} ${day}`, {
        passage,
        ...(published === undefined ? {} : { published }),
      });
  };
  for (const zone of zones)
    for (let at = 0; at < zone.summer.length; at += 1) {
      const event = zone.summer[at]!;
      const next = zone.summer[at + 1];
      if (
        event.kind === 'start' &&
        next?.kind === 'end' &&
        next.minutes > 0 &&
        random.next() < 0.3
      ) {
        state(zone, tellSeason(zone, event, next, random), [event.day, next.day]);
        at += 1;
        continue;
      }
      state(zone, tellSummer(zone, event, random), [event.day]);
      if (event.minutes > 0 && random.next() < 0.2)
        state(zone, reviewed(zone, event, random), [event.day]);
    }
}

export function tellPositions(zones: Zone[], say: Say, facts: Facts, random: Random): void {
  for (const zone of zones) {
    const passage = say({
      text: random.pick([
        `The reference point of ${zone.place} is at ${zone.coordinates}.`,
        `${zone.place} lies at ${zone.coordinates}.`,
      ]),
      entities: [zone.place],
    });
    Facts.add(facts.positions, zone.id, { passage });
  }
}
