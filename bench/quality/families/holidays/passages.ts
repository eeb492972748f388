// Sentences on public holidays: single days, months of a calendar, substitutes, moved days,
// introductions and ends, and customs without dates.
import { addDays, anyDay, capital, monthName, yearOf } from '../dates.js';
import type { Random } from '../family.js';
import type { Change, Holiday, Move } from './data.js';

export interface Note {
  text: string;
  title?: string;
  published?: string;
}

const weekday = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleString('en', { weekday: 'long', timeZone: 'UTC' });
const dayMonth = (date: string): string => `${Number(date.slice(8))} ${monthName(date)}`;

type Shape = (holiday: Holiday, random: Random) => Note;

const dayShapes: Shape[] = [
  ({ country, name, date }, random) => ({
    text: `In ${country}, ${name} ${date < '2026' ? 'fell' : 'falls'} on ${anyDay(date, random)}, a ${weekday(date)}.`,
  }),
  ({ country, name, date }) => ({
    text: `${date} (${weekday(date).slice(0, 3)}): ${name}, ${country}`,
  }),
  ({ country, name, date }, random) => ({
    text: `Banks and public offices in ${country} stay closed on ${anyDay(date, random)} on account of ${name}.`,
    published: addDays(date, -10 - random.below(60)),
  }),
  ({ country, name, date }) => ({
    title: `Public holidays ${yearOf(date)}: ${country}`,
    text: `${name} is on ${weekday(date)}, ${dayMonth(date)}. Timetables for Sundays apply to trains and buses.`,
  }),
  ({ country, name, date }, random) => ({
    text: `${capital(country)} keeps ${name} on ${dayMonth(date)} this year. Travel agencies report more bookings than usual.`,
    published: `${yearOf(date)}-0${1 + random.below(2)}-0${1 + random.below(9)}`,
  }),
  ({ country, name, date }) => ({
    text: `Tomorrow is ${name} in ${country}. Shops open again the day after.`,
    published: addDays(date, -1),
  }),
  ({ country, name, date }) => ({
    text: `${name} was celebrated all over ${country} today, in fair weather for the most part.`,
    published: date,
  }),
  ({ country, name, date }, random) => ({
    text: `The strike in ${country} was called off before ${anyDay(date, random)}, so that trains ran on ${name}. Both sides will meet again next week.`,
    published: addDays(date, 1 + random.below(4)),
  }),
  ({ country, name, date }) => ({
    title: `${name} ${yearOf(date)}`,
    text: `For ${country}, the date was set down in the official calendar as ${monthName(date)} ${Number(date.slice(8))}.`,
  }),
];

const substituteShapes: Shape[] = [
  ({ country, name, date }, random) => ({
    text: `As ${name} fell on a weekend or another holiday, people in ${country} had ${weekday(date)}, ${anyDay(date, random)}, off instead.`,
  }),
  ({ country, name, date }) => ({
    title: `Substitute days in ${country}, ${yearOf(date)}`,
    text: `${name}: substitute on ${dayMonth(date)}.`,
  }),
  ({ country, name, date }, random) => ({
    text: `${capital(country)} makes up for ${name} with a day off on ${anyDay(date, random)}.`,
    published: addDays(date, -20 - random.below(20)),
  }),
];

/** A single holiday, ordinary or substitute. */
export function dayNote(holiday: Holiday, random: Random): Note {
  const substitute = holiday.name.endsWith(' (observed)');
  const plain = { ...holiday, name: holiday.name.replace(' (observed)', '') };
  return random.pick(substitute ? substituteShapes : dayShapes)(plain, random);
}

const ordinal = (day: number): string => {
  const suffix = /1\d$/.test(`${day}`) ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[day % 10];
  return `${day}${suffix ?? 'th'}`;
};

/** The holidays of one month of a country. */
export function monthNote(days: Holiday[], random: Random): Note {
  const [{ country, date }] = days as [Holiday];
  const list = days.map((each) => `${each.name} on the ${ordinal(Number(each.date.slice(8)))}`);
  const month = `${monthName(date)} ${yearOf(date)}`;
  return random.next() < 0.5
    ? { text: `Days off in ${country} in ${month}: ${list.join(', ')}.` }
    : { title: `${capital(country)}, ${month}`, text: `Public holidays: ${list.join('; ')}.` };
}

export function changeNotes({ country, name, kind, from, to }: Change, random: Random): Note[] {
  const introduced: Note[] = [
    { text: `${name} has been a public holiday in ${country} since ${from}.` },
    { text: `In ${from}, people in ${country} had a day off for ${name} for the first time.` },
    {
      text: `From next year on, ${name} will be a public holiday in ${country}, parliament decided.`,
      published: `${from - 1}-0${4 + random.below(5)}-1${random.below(9)}`,
    },
  ];
  const abolished: Note[] = [
    {
      text: `${name} was kept as a public holiday in ${country} for the last time in ${from - 1}.`,
    },
    {
      text: `Since ${from}, ${name} has no longer been on the list of public holidays of ${country}.`,
    },
    {
      text: `This year ${name} is an ordinary working day in ${country} for the first time.`,
      published: `${from}-01-0${2 + random.below(7)}`,
    },
  ];
  const span = from === to ? `in ${from}` : `from ${from} to ${to}`;
  const suspended: Note[] = [
    {
      text: `${capital(country)} did without ${name} as a day off ${span}; afterwards it came back.`,
    },
    { text: `The holiday of ${name} was suspended in ${country} ${span}.` },
  ];
  const once: Note[] = [
    { text: `A day off that came only once: ${name}, ${country}, ${from}.` },
    { text: `In ${from}, ${country} had an extra public holiday, called ${name}.` },
  ];
  return random.sample({ introduced, abolished, suspended, once }[kind], 2);
}

/** A printed calendar with the planned day, and the decision to move it. */
export function moveNotes(
  { country, name, date, planned, decided }: Move,
  random: Random,
): [Note, Note] {
  return [
    {
      title: `Advance calendar ${yearOf(date)}, ${country}`,
      text: `${name} will be on ${anyDay(planned, random)}.`,
      published: addDays(decided, -150 - random.below(100)),
    },
    {
      text: `${name} ${yearOf(date)} will be kept in ${country} on ${anyDay(date, random)} and not, as planned, on ${anyDay(planned, random)}.`,
      published: decided,
    },
  ];
}

const customs: ((country: string, name: string) => string)[] = [
  (country, name) => `Around ${name}, many families in ${country} visit their relatives.`,
  (country, name) => `Schools in ${country} often prepare ${name} for weeks.`,
  (country, name) => `Museums in ${country} tend to open on ${name}, supermarkets do not.`,
  (country, name) =>
    `A survey in ${country} asked who knows why ${name} is kept. Fewer than half did.`,
  (country, name) => `Those who must work on ${name} in ${country} can ask for a higher wage.`,
];

export const customNote = (country: string, name: string, random: Random): Note => ({
  text: random.pick(customs)(country, name),
});

/** Rules without any year, each with a question. */
export const rules: { text: string; question: string; answer: string }[] = [
  {
    text: 'Ascension Day is a Thursday, 39 days after Easter Sunday.',
    question: 'How is the date of Ascension Day determined?',
    answer: '39 days',
  },
  {
    text: 'Corpus Christi comes sixty days after Easter Sunday, always on a Thursday.',
    question: 'how long after Easter is Corpus Christi',
    answer: 'sixty days',
  },
  {
    text: 'Midsummer Day is kept in Sweden and Finland on the Saturday between 20 and 26 June.',
    question: 'On which day of the week is Midsummer Day in Sweden and Finland?',
    answer: 'Saturday',
  },
  {
    text: 'Great Prayer Day, a Danish holiday, was the fourth Friday after Easter.',
    question: 'Which Friday did Danes call Great Prayer Day?',
    answer: 'fourth Friday',
  },
  {
    text: 'Thanksgiving Day is the fourth Thursday of November in the United States.',
    question: 'rule for Thanksgiving in the United States',
    answer: 'fourth Thursday',
  },
  {
    text:
      'In Japan, a holiday that meets a Sunday is made up for on the next day that is no ' +
      'holiday.',
    question: 'What happens in Japan if a holiday meets a Sunday?',
    answer: 'next day',
  },
  {
    text:
      'The equinox days of Japan follow the sun; the exact day is published in February of ' +
      'the year before.',
    question: 'When is it known on which day the Japanese equinox holidays will be?',
    answer: 'February',
  },
  {
    text: "King's Day is moved to the Saturday where 27 April is a Sunday.",
    question: "What if the day of King's Day is a Sunday?",
    answer: 'Saturday',
  },
  {
    text:
      'Matariki follows the rising of the Pleiades, so its Friday wanders between June and ' +
      'July.',
    question: 'Why does Matariki wander from year to year?',
    answer: 'Pleiades',
  },
  {
    text:
      "All Saints' Day of Sweden and Finland is a Saturday between 31 October and 6 " +
      'November, elsewhere it is 1 November.',
    question: "How does All Saints' Day in Finland differ from that of other countries?",
    answer: 'Saturday',
  },
  {
    text: 'Chuseok is the full moon of the eighth lunar month, with a day off before and after.',
    question: 'what kind of date is Chuseok',
    answer: 'eighth lunar month',
  },
  {
    text:
      'Vesak Day and Diwali in Singapore are fixed by the ministry in the spring of the ' +
      'preceding year.',
    question: 'Who fixes the days of Diwali in Singapore?',
    answer: 'ministry',
  },
];
