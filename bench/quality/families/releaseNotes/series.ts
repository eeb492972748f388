// The changes of components over the releases: the newest up to a day, the oldest after it.
import type { Random } from '../family.js';
import { topics } from './topics.js';
import type { Entry, Product } from './data.js';

/** The last release that the questions know. */
export const lastDay = '2026-11-12';
export type Change = Series['changes'][number];

export interface Series {
  product: Product;
  name: string;
  /** Entries that name the component; `about` where they name it early. */
  changes: { entry: Entry; about: boolean }[];
}

const isAbout = (text: string, pattern: RegExp): boolean => {
  const at = text.search(pattern);
  return at < 80 || at < text.length / 3;
};

/** The series of the topics; the entries of a series name its component. */
export const seriesOf = (entries: Entry[]): Series[] =>
  topics.map(([product, name, pattern]) => ({
    product,
    name,
    changes: entries
      .filter((entry) => entry.product === product && pattern.test(entry.text))
      .map((entry) => ({ entry, about: isAbout(entry.text, pattern) })),
  }));

/** The changes of a release; none where another release also mentions the component. */
const unambiguous = (release: string | undefined, changes: Change[]): Change[] =>
  changes.some(({ entry }) => entry.published_at !== release) ? [] : changes;

/** The last release up to a day that is about the component. */
export function newest({ changes }: Series, until: string): Change[] {
  const seen = changes.filter(({ entry }) => entry.published_at <= until);
  const release = seen.filter((change) => change.about).at(-1)?.entry.published_at;
  return unambiguous(
    release,
    seen.filter(({ entry }) => entry.published_at >= release!),
  );
}

/** The first release after a day that is about the component. */
export function oldest({ changes }: Series, after = ''): Change[] {
  const seen = changes.filter(({ entry }) => entry.published_at > after);
  const release = seen.find((change) => change.about)?.entry.published_at;
  return unambiguous(
    release,
    seen.filter(({ entry }) => entry.published_at <= release!),
  );
}

/** The changes before some changes. */
export const older = (of: Series, chosen: Change[]): string[] => {
  const from = chosen[0]?.entry.published_at ?? '';
  return of.changes.filter(({ entry }) => entry.published_at < from).map(({ entry }) => entry.id);
};

/** A day between the first and the last change of a component, or some time after it. */
export const dayOf = ({ changes }: Series, random: Random): string => {
  const from = Date.parse(changes[0]!.entry.published_at);
  const to = Date.parse(changes.at(-1)!.entry.published_at) + 200 * 86_400_000;
  const day = new Date(from + random.next() * (to - from)).toISOString().slice(0, 10);
  return day < lastDay ? day : lastDay;
};
