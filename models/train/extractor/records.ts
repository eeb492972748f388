// Labelled passages and questions of the benchmark builder (Re3 appendix A) over made-up records of
// every style: forecasts, counts, contests, generic; in years of one split.
import { re2Benchmark } from '../../../packages/evaluation/lib/re2/benchmark.js';
import type { PassageTruth } from '../../../packages/evaluation/lib/re2/passages.js';
import type { Re2Question } from '../../../packages/evaluation/lib/re2/question.js';
import type { Re2Record } from '../../../packages/evaluation/lib/re2/records.js';
import type { Re2Schema } from '../../../packages/evaluation/lib/re2/schema.js';
import { seededRandom, type Random } from '../../../lib/text/random.js';
import { civilFromDays, dayMilliseconds, daysFromCivil } from '../../../lib/time/civil.js';
import { parseInstant } from '../../../lib/time/instant.js';
import type { Example } from './example.js';
import { anyDay, isHeldOut, noLabel, type TimeLabel } from './expressions.js';
import { name } from './names.js';

const columns = { entity: 'entity', date: 'date' };
const measures = (
  'collisions|visitors|applications|water level|price|members|arrivals|tonnes landed|' +
  'share price|wait'
).split('|');
/** A measure, sometimes with a name that contains a number: "cases of Tralou-19". */
function thing(random: Random): string {
  const plain = random.pick(measures);
  return random.next() < 0.4
    ? random.pick([
        `${plain} of ${name(random, false)}-${1 + random.below(99)}`,
        `${name(random, false)}-${1 + random.below(40)} ${plain}`,
      ])
    : plain;
}

const skies = 'sunny|rainy|partly cloudy|snowy|windy|foggy|thundery|clear|overcast|hazy'.split('|');

interface Kind {
  schema: Re2Schema;
  values: (random: Random, heldOut: boolean) => string[][];
}

const numberBelow = (random: Random, most: number): string => String(random.below(most));
const kinds: readonly ((random: Random) => Kind)[] = [
  () => ({
    schema: {
      ...columns,
      published: 'published',
      style: 'weather',
      attributes: [
        { column: 'sky', role: 'conditions', told: 'day' },
        { column: 'high', role: 'high', unit: ['°F', '°C', ' degrees'], told: 'day' },
        { column: 'low', role: 'low', unit: ['°F', ' degrees'] },
      ],
    },
    values: (random) => [[random.pick(skies), numberBelow(random, 100)], [numberBelow(random, 60)]],
  }),
  (random) => ({
    schema: {
      ...columns,
      published: 'published',
      style: 'counts',
      attributes: [
        { column: 'count', name: [thing(random), thing(random)], cumulative: random.next() < 0.6 },
        { column: 'more', name: [thing(random), thing(random)] },
      ],
    },
    values: (of) => [[numberBelow(of, 100_000)], [numberBelow(of, 3000)]],
  }),
  () => ({
    schema: {
      ...columns,
      style: 'scores',
      attributes: [
        { column: 'winner', role: 'winner', told: 'match' },
        { column: 'loser', role: 'loser', told: 'match' },
        { column: 'score', role: 'score', told: 'match' },
      ],
    },
    values: (random, heldOut) => [
      [
        name(random, heldOut),
        name(random, heldOut),
        `${random.below(7)}-${random.below(7)} ${random.below(7)}-${random.below(7)}`,
      ],
    ],
  }),
  (random) => ({
    schema: {
      ...columns,
      ...(random.next() < 0.5 ? { published: 'published' } : {}),
      style: 'generic',
      attributes: [
        { column: 'a', name: random.pick(measures), told: 'both' },
        { column: 'b', name: random.pick(measures), told: 'both' },
        { column: 'c', name: random.pick(measures) },
      ],
    },
    values: (of) => [[numberBelow(of, 5000), numberBelow(of, 90)], [numberBelow(of, 300_000)]],
  }),
];

/** An infinite sequence, reproducible for a seed. */
export async function* benchmarkTexts(
  seed: number,
  heldOut: boolean,
): AsyncGenerator<Example, never> {
  for (let part = 0; ; part += 1) {
    const random = seededRandom(seed, `records ${part}`);
    const { schema, values } = kinds[part % kinds.length]!(random);
    const records = Array.from({ length: 60 }, () =>
      series(random, heldOut, schema.published !== undefined, values),
    ).flat();
    const benchmark = await re2Benchmark(records, schema, {
      seed: seed * 1000 + part,
      masked: 0.45,
    });
    const examples: Example[] = [];
    for (const question of benchmark.questions())
      if (random.next() < 0.7) examples.push(questionExample(question));
    for (const { passage, truth } of benchmark.texts()) {
      if (isHeldOut(Number(truth.date.slice(0, 4))) !== heldOut || random.next() < 0.3) continue;
      const reference = dayOf(passage.published_at);
      examples.push({
        text: passage.text,
        kind: 'passage',
        reference,
        label: passageLabel(truth, reference),
      });
    }
    yield* random.shuffled(examples);
  }
}

/** Records of one entity, each published once or several times around its day. */
function series(
  random: Random,
  heldOut: boolean,
  published: boolean,
  values: Kind['values'],
): Re2Record[] {
  const entity = name(random, heldOut);
  const granularity = random.next() < 0.8 ? 'day' : random.pick(['month', 'year'] as const);
  const facts = Array.from({ length: 1 + random.below(4) }, () => anyDay(random, heldOut));
  return facts.flatMap((day) => {
    const versions = published ? 1 + random.below(3) : 1;
    const { year, month } = civilFromDays(day);
    const first =
      granularity === 'day'
        ? day
        : daysFromCivil({ year, month: granularity === 'month' ? month : 1, day: 1 });
    return Array.from({ length: versions }, () => {
      const at = published ? first - 8 + random.below(16) : first;
      return values(random, heldOut).map(
        (each, group): Re2Record => ({
          entity,
          group,
          date: { day: first, granularity },
          published: at * dayMilliseconds,
          publishedDay: true,
          values: each,
        }),
      );
    }).flat();
  });
}

function passageLabel({ date, form }: PassageTruth, reference: number): TimeLabel {
  const [year, month = 0, day = 0] = date.split('-').map(Number) as [number, number?, number?];
  if (form === 'year' || form === 'year-alone') return { ...noLabel, year, known: 1 };
  if (form === 'month' || form === 'part-of-month' || form === 'month-year')
    return { ...noLabel, year, month, known: 2 };
  if (form === 'yearless') return { year: 0, month, day, known: 3, anchor: 'nearest' };
  if (form === 'weekday-only' || form === 'counted')
    return {
      ...noLabel,
      known: 3,
      anchor: `day ${daysFromCivil({ year, month, day }) - reference}`,
    };
  return { year, month, day, known: day > 0 ? 3 : month > 0 ? 2 : 1, anchor: 'absolute' };
}

function questionExample({ text, asked_at, query_time: time, asks }: Re2Question): Example {
  const reference = dayOf(asked_at);
  return {
    text,
    kind: 'query',
    reference,
    label: time ? timeLabel(time, asks.when!, reference) : noLabel,
  };
}

function timeLabel(
  { start_iso, granularity }: { start_iso: string; granularity: string },
  written: string,
  reference: number,
): TimeLabel {
  const [year, month, day] = start_iso.split('-').map(Number) as [number, number, number];
  if (granularity === 'year') return { ...noLabel, year, known: 1 };
  if (granularity !== 'day') return { ...noLabel, year, month, known: 2 };
  if (written.includes(String(year))) return { year, month, day, known: 3, anchor: 'absolute' };
  const counted =
    /day|tomorrow/.test(written) && !/\b\d{1,2}(?:st|nd|rd|th)?$|^\d+ [A-Z]/.test(written);
  if (counted)
    return {
      ...noLabel,
      known: 3,
      anchor: `day ${daysFromCivil({ year, month, day }) - reference}`,
    };
  return { year: 0, month, day, known: 3, anchor: 'nearest' };
}

function dayOf(iso: string): number {
  return Math.floor(parseInstant(iso, 'start') / dayMilliseconds);
}
