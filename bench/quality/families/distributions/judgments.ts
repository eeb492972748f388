// Judgments of the family `distributions`: the passages that state a fact, a state or an order.
import { daysBetween } from '../dates.js';
import type { FamilyBuilder } from '../familyBuilder.js';
import { graded, type Grades } from '../questions.js';
import type { Facts, Release, Status } from './data.js';

export type State = 'stable' | 'lts' | 'devel';

export const distance = (one: string, other: string): number => Math.abs(daysBetween(one, other));

/** Finds the passages that state a fact, a state or an order. */
export class Judge {
  constructor(
    readonly family: FamilyBuilder,
    readonly releases: Release[],
    readonly facts: Facts,
    readonly pages: Status[],
    readonly changes: { id: string; text: string }[],
  ) {}

  /** Passages that state a fact; grade 1 where they state it roughly. */
  telling(release: Release, fact: string): Grades {
    const { entity, distro } = release;
    const found = this.facts.get(`${entity} ${fact}`) ?? [];
    const date =
      fact === 'release' || fact === 'created'
        ? release[fact]
        : release.ends.find(([phase]) => phase === fact)?.[1];
    const name = (distro === 'Ubuntu' ? entity.slice(7) : entity).replace('.', '\\.');
    const named = new RegExp(`(?<![\\d.])${name}(?!\\.?\\d)`);
    const corrected = this.changes.filter(
      ({ text }) => date && text.includes(date) && named.test(text),
    );
    return {
      ...graded(
        1,
        found.filter(({ exact }) => !exact).map(({ id }) => id),
      ),
      ...graded(
        2,
        found.filter(({ exact }) => exact).map(({ id }) => id),
      ),
      ...graded(
        1,
        corrected.map(({ id }) => id),
      ),
      ...graded(
        2,
        corrected.filter(({ text }) => text.includes(entity)).map(({ id }) => id),
      ),
    };
  }

  /** Passages that state the codename of a release; grade 1 in passing. */
  naming(release: Release): Grades {
    const { label, codename } = release;
    const both = this.family.passages.filter(
      ({ text }) => text.includes(codename) && text.includes(label),
    );
    return {
      ...graded(
        1,
        both.map(({ id }) => id),
      ),
      ...this.telling(release, 'codename'),
    };
  }

  /** Passages that state that a release was the newest, or the next, on a day. */
  showing(release: Release, state: State, day: string, until = '9999'): Grades {
    const relevant = this.telling(release, state === 'devel' ? 'created' : 'release');
    const own = this.releases.filter(({ distro }) => distro === release.distro);
    const next = own[own.indexOf(release) + 1];
    if (state === 'stable' && next?.release && until === '9999')
      for (const id of this.order(release, next)) relevant[id] ??= 1;
    for (const page of this.pages)
      if (page[state] === release && this.shows(page, state, release))
        relevant[page.id] = distance(page.published, day) < 60 ? 2 : 1;
    for (const { id, published_at: published = '', text, title } of this.family.passages) {
      if (id in relevant && published > until) delete relevant[id];
      if (id in relevant && state === 'lts' && !`${title} ${text}`.includes('LTS'))
        relevant[id] = 1;
    }
    return relevant;
  }

  /** Passages that state that one release directly preceded another. */
  order(before: Release, after: Release): string[] {
    const evidence = Object.keys(this.telling(after, 'release'));
    const pages = this.pages.filter(({ stable }) => stable === after).map(({ id }) => id);
    return [...evidence, ...pages].filter((id) => this.names(id, before) && this.names(id, after));
  }

  names(id: string, { label, codename }: Release): boolean {
    const { text } = this.family.passages.find((passage) => passage.id === id)!;
    return text.includes(label) || text.includes(codename);
  }

  shows({ id }: Status, state: State, release: Release): boolean {
    const { text } = this.family.passages.find((passage) => passage.id === id)!;
    return this.names(id, release) && (state !== 'lts' || text.includes('LTS'));
  }

  /** Passages up to the day of asking that state an earlier newest release. */
  outdated(release: Release, state: State, relevant: Grades, asked: string): string[] {
    const key = state === 'devel' ? 'created' : 'release';
    const older = this.releases.filter(
      (one) =>
        one.distro === release.distro &&
        one[key] &&
        one[key] < release[key] &&
        (state !== 'lts' || one.lts),
    );
    const evidence = older.flatMap((one) => Object.keys(this.telling(one, key)));
    const pages = this.pages.filter(
      (page) =>
        page.distro === release.distro &&
        page.published <= asked &&
        page[state] &&
        page[state] !== release,
    );
    return [...new Set([...evidence, ...pages.map(({ id }) => id)])].filter(
      (id) => !(id in relevant),
    );
  }
}
