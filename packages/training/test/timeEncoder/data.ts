// A small world to train a time encoder on: readings of a gauge in towns on days, in several ways
// of writing a date, and questions about them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Passage } from '../../../../lib/index.js';
import type { TimeTriplet } from '../../lib/index.js';
import { random } from '../../../../test/kernels/levels.js';

const towns = [
  'Ashwick',
  'Brambly',
  'Coldham',
  'Denhurst',
  'Elmstead',
  'Fairlea',
  'Grimble',
  'Hartwell',
];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

export interface World {
  passages: Passage[];
  train: TimeTriplet[];
  dev: TimeTriplet[];
}

/** `days` readings of each town; the last two towns are held out. */
export function world(days: number, seed = 1): World {
  const next = random(seed);
  const below = (count: number): number => Math.floor(next() * count);
  const passages: Passage[] = [];
  const triplets = towns.map((town) => {
    const own = Array.from({ length: days }, (_, i) => {
      const [year, month, day] = [2001 + below(12), 1 + below(12), 1 + below(28)];
      const id = `${town}-${i}`;
      const written = [
        `${day} ${months[month - 1]} ${year}`,
        `${months[month - 1]} ${day}, ${year}`,
        `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
      ];
      passages.push({
        id,
        text: `The gauge at ${town} read ${below(90)} on ${written[below(3)]}.`,
      });
      return { id, query: `What did the gauge at ${town} read on ${written[below(3)]}?` };
    });
    return own.map(
      ({ id, query }, i): TimeTriplet => ({
        query,
        positive: id,
        askedAt: '2020-01-01',
        negatives: [
          { id: own[(i + 1) % days]!.id, kind: 'time' },
          { id: `${towns[(towns.indexOf(town) + 1) % 6]}-${i}`, kind: 'entity' },
        ],
      }),
    );
  });
  return { passages, train: triplets.slice(0, 6).flat(), dev: triplets.slice(6).flat() };
}

/** Writes a world's files, and returns the options that name them. */
export function writeWorld(folder: string, days: number): string[] {
  const { passages, train, dev } = world(days);
  const records = (triplets: readonly TimeTriplet[]): object[] =>
    triplets.map(({ askedAt, ...rest }) => ({ ...rest, asked_at: askedAt, query_time: null }));
  const files = { passages, triplets: records(train), dev: records(dev) };
  return Object.entries(files).flatMap(([name, lines]) => {
    const file = join(folder, `${name}.jsonl`);
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return [`--${name}`, file];
  });
}
