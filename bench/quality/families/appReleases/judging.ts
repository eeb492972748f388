// Series of dated values of Electron's lines, and the passages that answer for their events.
import { components, type Component, type Release } from './data.js';
import { entityOf, type Statement, type ReleasePassage } from './text.js';

export type Measure = 'release' | 'major' | Component;

export interface Event {
  date: string;
  value: string;
  release: Release;
}

/** The releases of a line and channel, the values of a component in it, or the major versions. */
export interface Series {
  entity: string;
  measure: Measure;
  releases: Release[];
  events: Event[];
}

export function seriesOf(entity: string, measure: Measure, releases: Release[]): Series {
  const valueOf = ({ version, bundles }: Release): string =>
    measure === 'release' || measure === 'major' ? version : bundles[measure];
  const events = releases
    .filter((each, index) => index === 0 || valueOf(releases[index - 1]!) !== valueOf(each))
    .map((release) => ({ date: release.date, value: valueOf(release), release }));
  return { entity, measure, releases, events };
}

/** The values of questions: lines 4 and later, since older ones had parallel development. */
export function allSeries(releases: Release[]): Series[] {
  const lines = new Map<string, Release[]>();
  for (const release of releases)
    if (Number(release.line) >= 4)
      lines.set(entityOf(release), [...(lines.get(entityOf(release)) ?? []), release]);
  const long = [...lines].filter(([, list]) => list.length >= 4);
  const majors = releases.filter(
    ({ version, line }) => version.endsWith('.0.0') && Number(line) >= 2,
  );
  return [
    ...long.map(([entity, list]) => seriesOf(entity, 'release', list)),
    ...long
      .filter(([, list]) => list[0]!.channel === 'stable')
      .flatMap(([entity, list]) => components.map((part) => seriesOf(entity, part, list)))
      .filter(({ events }) => events.length >= 3),
    seriesOf('Electron', 'major', majors),
  ];
}

export const stateAt = ({ events }: Series, day: string): Event | undefined =>
  events.filter(({ date }) => date <= day).at(-1);

const partOf = (measure: Measure): Statement['parts'][number] =>
  measure === 'major' ? 'release' : measure;

const valueIn = ({ measure }: Series, { bundles, version }: Release): string =>
  measure === 'release' || measure === 'major' ? version : bundles[measure];

export class Judge {
  constructor(private readonly passages: ReleasePassage[]) {}

  private *statements(
    series: Series,
    until = '9999',
  ): Generator<[passage: ReleasePassage, Statement]> {
    const part = partOf(series.measure);
    for (const passage of this.passages)
      if ((passage.published_at ?? '') <= until)
        for (const statement of passage.states)
          if (
            (statement.stateAt ?? statement.release.date) <= until &&
            statement.parts.includes(part) &&
            series.releases.includes(statement.release)
          )
            yield [passage, statement];
  }

  /** Passages that state the event: its release, with the value and a date. */
  telling(series: Series, events: Event[], until?: string): Record<string, 1 | 2> {
    const found: Record<string, 1 | 2> = {};
    for (const [{ id }, { release, grade, stateAt: state }] of this.statements(series, until))
      if (state === undefined && events.some((event) => event.release === release))
        found[id] = found[id] === 2 ? 2 : grade;
    return found;
  }

  /** Passages that state the value on a day: grade 2 of the newest release, 1 of older ones. */
  holding(series: Series, day: string, until?: string): Record<string, 1 | 2> {
    const event = stateAt(series, day);
    if (event === undefined) return {};
    const newest = series.releases.filter(({ date }) => date <= day).at(-1);
    const found: Record<string, 1 | 2> = {};
    for (const [{ id }, { release, grade, stateAt: state }] of this.statements(series, until))
      if (valueIn(series, release) === event.value && (state ?? release.date) <= day) {
        const exact = (release === newest || release === event.release) && state === undefined;
        found[id] = exact ? grade : (found[id] ?? 1);
      }
    return found;
  }

  /** Passages that state an older value and not the value on the day. */
  outdated(series: Series, day: string): string[] {
    const event = stateAt(series, day)!;
    const relevant = this.holding(series, day, day);
    const older = [...this.statements(series, day)].filter(
      ([{ id }, { release }]) => !(id in relevant) && valueIn(series, release) !== event.value,
    );
    return [...new Set(older.map(([{ id }]) => id))];
  }

  /** Passages that name a part of a release. */
  naming(release: Release, part: Statement['parts'][number]): Record<string, 2> {
    return Object.fromEntries(
      this.passages
        .filter(({ states }) =>
          states.some((each) => each.release === release && each.parts.includes(part)),
        )
        .map(({ id }) => [id, 2]),
    );
  }
}
