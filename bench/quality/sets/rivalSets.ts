// Questions of our own about one of several subjects, each with passages of the others that tell the same of the very time asked about: what the
// ranker learns that a perfect time does not make up for another name. Made anew from a seed, in large and in small corpora; it measures nothing.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom, type Random } from '../../../lib/text/random.js';
import type { PassageLine, RankerQuestion, RankerSet } from './rankerSets.js';

const towns = (
  'Aldersea,Upper Selden,Lower Selden,Corvale,Fenwick,Great Harrow,Little Harrow,Istvan,Kirrin Bay,Kirrin Hill,Lomond,Mardale,Nether Stow,' +
  'Over Stow,Pellar,Quennell'
).split(',');
const firms = (
  'Halvor Steel,Halvor Glass,Ostrander,Brack & Lowe,Merel Foods,Merel Textiles,Tavistock Rail,Ulbrich,Zenner,Corran Shipping,Corran Energy,Dalby,' +
  'Ellery Motors,Ellery Paper,Gant,Hexley'
).split(',');
const clubs = (
  'Ashby Wanderers,Ashby Albion,Marlow Wanderers,Marlow Albion,Tern Valley,Redmoor Athletic,Redmoor Harriers,Stainby,Thorley Athletic,' +
  'Thorley Harriers,Wexcombe,Yarm Park,Yarm Green,Bellister,Crail,Dunning'
).split(',');
const given = 'Anna Boris Celia David Elena Frank Gwen Heinz Irma Jakob Kaja Louis Marta Noah Olive Priya Quentin Rosa Simon Tilda'.split(' ');
const families = 'Abbot Becker Cordes Denholm Egger Fabian Grieve Hartog Imrie Janssen Kessler Lorne Mallory Nevin Osgood Penrose Rusk Stroud Tennant'
  .split(' ');

/** Something that one value after another holds of a subject. */
interface Property {
  /** "mayor" of "the mayor of S". */
  noun: string;
  /** Numbers begin with what is asked of them. */
  asks: string;
  value: (draw: Random) => string;
}

const person = (draw: Random): string => `${draw.pick(given)} ${draw.pick(families)}`;
const office = (noun: string): Property => ({ noun, asks: 'Who', value: person });
const amount = (noun: string, unit: string, by: number): Property => ({
  noun, asks: 'What', value: (draw) => `${(Math.floor(draw.next() * 90) + 10) * by} ${unit}`,
});
const kinds: readonly (readonly [readonly string[], readonly Property[]])[] = [
  [towns, [office('town clerk'), office('chief of police'), amount('parking fee', 'cents', 5), amount('birth rate', 'per thousand', 1)]],
  [firms, [office('managing director'), office('treasurer'), amount('workforce', 'people', 40), amount('dividend', 'pence', 2)]],
  [clubs, [office('head coach'), office('president'), amount('season ticket price', 'pounds', 3), amount('membership', 'people', 20)]],
];

const year = 365.25 * 86_400_000;

/** A large corpus of all subjects, and small ones of a few. */
export function rivalSets(work: string): RankerSet[] {
  const few = [0, 1, 2, 3].map((at) =>
    kinds.map(([subjects, properties]) => [subjects.slice(at * 4, at * 4 + 3), properties.slice(at % 2, (at % 2) + 3)] as const));
  return [rivalSet(work, 'rivals', kinds, 400, 1), ...few.map((some, at) => rivalSet(work, `rivals-few-${at}`, some, 60, at + 2))];
}

interface Told {
  subject: string;
  property: Property;
  value: string;
  start: number;
  end: number;
}

function rivalSet(work: string, name: string, of: typeof kinds, most: number, seed: number): RankerSet {
  const draw = seededRandom(seed, name);
  const folder = join(work, name);
  const passages: PassageLine[] = [];
  const histories = of.flatMap(([subjects, properties]) =>
    properties.map((property) => subjects.map((subject) => historyOf(subject, property, draw))));
  const add = (told: Told, line: Omit<PassageLine, 'id'>): string => {
    passages.push({ id: `${name}-${passages.length}`, ...line, text: draw.next() < 0.3 ? `${line.text} ${draw.pick(asides)}` : line.text });
    return passages.at(-1)!.id;
  };
  const ids = new Map<Told, string>();
  for (const told of histories.flat(2)) ids.set(told, add(told, lasting(told, draw)));
  const questions: RankerQuestion[] = [];
  for (const history of histories.flat()) {
    for (const asked of history.slice(0, 3)) {
      const { subject, property, value, start, end } = asked;
      const at = start + (0.2 + 0.6 * draw.next()) * (end - start);
      const question = questionOf(asked, at, draw);
      // Of that very time: the same of others, and something else of the same.
      const then = histories.flat(2).filter((each) => each.subject !== subject === (each.property === property) && each.start <= at && at < each.end);
      for (const rival of draw.shuffled(then.filter((each) => each.property === property)).slice(0, 2)) add(rival, ofThen(rival, at, draw));
      for (const rival of draw.shuffled(then.filter((each) => each.subject === subject)).slice(0, draw.below(2))) add(rival, ofThen(rival, at, draw));
      questions.push({
        id: `${name}-q${questions.length}`, text: question, answers: [value], right: [ids.get(asked)!], group: subject, weight: 0.5,
        // What tells the same value of it at another time may do.
        unjudged: ({ title = '', text }) => [value, subject, property.noun].every((each) => `${title} ${text}`.includes(each)),
      });
    }
  }
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'passages.jsonl'), `${passages.map((passage) => JSON.stringify(passage)).join('\n')}\n`);
  }
  return { name, family: 'rivals', folder, trains: true, questions: draw.shuffled(questions).slice(0, most) };
}

/** Four values, one after another; one told by publication alone lasts until the next. */
function historyOf(subject: string, property: Property, draw: Random): Told[] {
  let start = Date.UTC(1960, 0, 1) + draw.next() * 20 * year;
  return Array.from({ length: 4 }, () => {
    const end = start + (3 + draw.next() * 8) * year;
    const told = { subject, property, value: property.value(draw), start, end };
    start = end;
    return told;
  });
}

const asides = [
  'The county paper told it at length.', 'It was much discussed at the time.', 'The archive keeps the minutes.', 'Little else is recorded.',
];
const yearOf = (at: number): number => new Date(at).getUTCFullYear();
const spoken = (at: number): string =>
  new Date(at).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
const monthOf = (at: number): string => new Date(at).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A statement of the whole stretch. */
function lasting({ subject, property: { noun, asks }, value, start, end }: Told, draw: Random): Omit<PassageLine, 'id'> {
  const [from, to] = draw.next() < 0.3 ? [spoken(start), spoken(end)] : [yearOf(start), yearOf(end)];
  if (asks === 'Who') {
    return draw.pick<Omit<PassageLine, 'id'>>([
      { text: `${value} was ${noun} of ${subject} from ${from} to ${to}.` },
      { text: `${value} served ${subject} as ${noun} between ${from} and ${to}.` },
      { text: `From ${from} until ${to}, the ${noun} of ${subject} was ${value}.` },
      { text: `${value} became ${noun} of ${subject} in ${monthOf(start)}.` },
      { text: `${subject} has had ${value} as its ${noun} since ${from}.`, published_at: isoOf(start) },
      { text: `${value} was ${noun} from ${from} to ${to}.`, title: subject },
      { text: `He held the office from ${from} to ${to}.`, title: `${value}, ${noun} of ${subject}` },
      { text: `The ${noun} of ${subject} is ${value}.`, published_at: isoOf(start) },
    ]);
  }
  return draw.pick<Omit<PassageLine, 'id'>>([
    { text: `From ${from} to ${to} the ${noun} of ${subject} was ${value}.` },
    { text: `Between ${from} and ${to}, ${subject} had a ${noun} of ${value}.` },
    { text: `Since ${from} the ${noun} at ${subject} has been ${value}.` },
    { text: `${noun[0]!.toUpperCase()}${noun.slice(1)}, ${from} to ${to}: ${value}.`, title: subject },
    { text: `The ${noun} of ${subject} is ${value}.`, published_at: isoOf(start) },
  ]);
}

/** A statement of that very time. */
function ofThen({ subject, property: { noun, asks }, value }: Told, at: number, draw: Random): Omit<PassageLine, 'id'> {
  return draw.pick<Omit<PassageLine, 'id'>>([
    { text: `In ${yearOf(at)} the ${noun} of ${subject} was ${value}.` },
    { text: asks === 'Who' ? `On ${spoken(at)}, ${value} was ${noun} of ${subject}.` : `On ${spoken(at)} the ${noun} at ${subject} was ${value}.` },
    { text: `As of ${monthOf(at)} the ${noun} of ${subject} was ${value}.` },
    { text: asks === 'Who' ? `In ${yearOf(at)}, ${subject} had ${value} as ${noun}.` : `In ${yearOf(at)}, ${subject} had a ${noun} of ${value}.` },
    { text: `The ${noun} in ${yearOf(at)} was ${value}.`, title: subject },
    { text: `The ${noun} of ${subject} is ${value}.`, published_at: isoOf(at) },
  ]);
}

const isoOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

function questionOf({ subject, property: { noun, asks } }: Told, at: number, draw: Random): string {
  const time = draw.pick([`in ${yearOf(at)}`, `as of ${spoken(at)}`, `on ${spoken(at)}`, `in ${monthOf(at)}`, `as of ${yearOf(at)}`]);
  return draw.pick([
    `${asks} was the ${noun} of ${subject} ${time}?`,
    `${asks} was ${asks === 'Who' ? '' : 'the '}${noun} of ${subject} ${time}?`,
    `${time[0]!.toUpperCase()}${time.slice(1)}, ${asks.toLowerCase()} was the ${noun} of ${subject}?`,
    `${noun} of ${subject} ${time}`.toLowerCase(),
    `${asks} was ${subject}'s ${noun} ${time}?`,
  ]);
}
