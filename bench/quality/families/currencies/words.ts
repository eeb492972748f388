// The wordings of the questions about currencies, by operator on time, and expressions of time.
import type { Random } from '../family.js';
import { american, british, monthYear } from '../dates.js';

export interface Words {
  /** The country, with its article. */
  x: string;
  c: string;
  /** An expression of time. */
  t: string;
}

export const asOf = [
  (w: Words) => `What was legal tender in ${w.x} ${w.t}?`,
  (w: Words) => `currency ${w.x} ${w.t}`,
  (w: Words) => `${w.t}, which money did people in ${w.x} pay with?`,
  (w: Words) => `I need the currency that was in use in ${w.x} ${w.t}.`,
  (w: Words) => `Could you tell me in which unit prices were quoted in ${w.x} ${w.t}?`,
  (w: Words) => `${w.t}: official currency of ${w.x}`,
  (w: Words) => `Name the notes and coins that had to be accepted in ${w.x} ${w.t}`,
];
export const current = [
  (w: Words) => `What is the current currency of ${w.x}?`,
  (w: Words) => `Which money do I pay with in ${w.x}?`,
  (w: Words) => `legal tender ${w.x} now`,
  (w: Words) => `What do shops in ${w.x} accept these days?`,
  (w: Words) => `Please tell me today's official currency in ${w.x}.`,
  (w: Words) => `I am travelling to ${w.x} next week and wonder which currency is in use there`,
  (w: Words) => `currency used at present in ${w.x}`,
];
export const latest = [
  (w: Words) => `What is the newest currency of ${w.x}?`,
  (w: Words) => `latest currency adopted by ${w.x}`,
  (w: Words) => `Which unit of money did ${w.x} introduce most recently?`,
  (w: Words) => `What did ${w.x} switch to in its last change of currency?`,
  (w: Words) => `most recent monetary changeover in ${w.x}, to which currency?`,
  (w: Words) => `Tell me the last currency that came into use in ${w.x}.`,
];
export const first = [
  (w: Words) => `What was the first currency of ${w.x}?`,
  (w: Words) => `earliest recorded legal tender of ${w.x}`,
  (w: Words) => `Which money did ${w.x} start out with?`,
  (w: Words) => `Of all the currencies ${w.x} has had, which one is the oldest?`,
  (w: Words) => `I'd like to know the original currency of ${w.x}`,
  (w: Words) => `${w.x} - first legal tender on record`,
];
export const lastBefore = [
  (w: Words) => `What did ${w.x} use before the ${w.c}?`,
  (w: Words) => `predecessor of the ${w.c} in ${w.x}`,
  (w: Words) => `Which currency was replaced by the ${w.c} in ${w.x}?`,
  (w: Words) => `Until the ${w.c} arrived, what was the money of ${w.x}?`,
  (w: Words) => `I want to know which unit the ${w.c} took over from in ${w.x}.`,
  (w: Words) => `last currency of ${w.x} prior to the ${w.c}`,
];
export const firstAfter = [
  (w: Words) => `What came after the ${w.c} in ${w.x}?`,
  (w: Words) => `successor of the ${w.c}, ${w.x}`,
  (w: Words) => `Which currency followed the ${w.c} as legal tender of ${w.x}?`,
  (w: Words) => `Once the ${w.c} had gone, what did ${w.x} pay with?`,
  (w: Words) => `What was the next currency of ${w.x} when it gave up the ${w.c}?`,
  (w: Words) => `By what was the ${w.c} superseded in ${w.x}?`,
];
export const inPeriod = [
  (w: Words) => `Which currency did ${w.x} introduce in ${w.t}?`,
  (w: Words) => `new currency ${w.x} ${w.t}`,
  (w: Words) => `In ${w.t} ${w.x} got new money. What is it called?`,
  (w: Words) => `What became legal tender in ${w.x} in ${w.t}?`,
  (w: Words) => `Name of the unit adopted by ${w.x} during ${w.t}`,
  (w: Words) => `${w.t} currency reform ${w.x}: which unit was brought in?`,
];
export const between = [
  (w: Words) => `Which currency was in use in ${w.x} ${w.t}?`,
  (w: Words) => `${w.t}, what did people in ${w.x} pay with?`,
  (w: Words) => `legal tender of ${w.x} ${w.t}`,
  (w: Words) => `What money circulated in ${w.x} ${w.t}?`,
  (w: Words) => `I have receipts from ${w.x} ${w.t}. In which currency are they?`,
  (w: Words) => `Wages in ${w.x} ${w.t}: paid in which currency?`,
];
export const since = [
  (w: Words) => `Which currency has ${w.x} used since ${w.t}?`,
  (w: Words) => `legal tender in ${w.x} since ${w.t}`,
  (w: Words) => `Since ${w.t}, what have people in ${w.x} been paying with?`,
  (w: Words) => `What has been the money of ${w.x} from ${w.t} on?`,
  (w: Words) => `Starting ${w.t} ${w.x} has had a new currency; which?`,
  (w: Words) => `the currency that ${w.x} has had ever since ${w.t}`,
];
export const whenFrom = [
  (w: Words) => `When did ${w.x} introduce the ${w.c}?`,
  (w: Words) => `${w.c} introduction date ${w.x}`,
  (w: Words) => `Since when has the ${w.c} been legal tender in ${w.x}?`,
  (w: Words) => `In what year was the ${w.c} adopted by ${w.x}?`,
  (w: Words) => `Date on which ${w.x} went over to the ${w.c}`,
  (w: Words) => `I need to know when people in ${w.x} began to pay in the ${w.c}.`,
];
export const whenTo = [
  (w: Words) => `When did the ${w.c} stop being legal tender in ${w.x}?`,
  (w: Words) => `${w.c} ${w.x} withdrawn when`,
  (w: Words) => `Until when could you pay in the ${w.c} in ${w.x}?`,
  (w: Words) => `What was the last day of the ${w.c} in ${w.x}?`,
  (w: Words) => `how long was the ${w.c} valid in ${w.x}, until what date`,
  (w: Words) => `At what time did ${w.x} give up the ${w.c}?`,
];

export const events: [string, string][] = [
  ['when the Berlin Wall fell', '1989-11-09'],
  ['at the time of the first moon landing', '1969-07-20'],
  ['when the Chernobyl reactor exploded', '1986-04-26'],
  ['when Lehman Brothers collapsed', '2008-09-15'],
  ['on the day of the Brexit referendum', '2016-06-23'],
  ['when World War II ended in Europe', '1945-05-08'],
];
export const absent = [
  'Catalonia',
  'Hawaii',
  'Tibet',
  'Bavaria',
  'Somaliland',
  'Quebec',
  'Transnistria',
  'Zanzibar',
  'Corsica',
  'Prussia',
  'Abkhazia',
];

export const dateForms = (date: string): string[] =>
  [british, american, monthYear].map((form) => form(date)).concat(date, date.slice(0, 4));
/** "as of 2 March 1999", "in March 1999" and others. */
export function momentOf(date: string, random: Random): string {
  return random.pick([
    `as of ${british(date)}`,
    `on ${american(date)}`,
    `in ${monthYear(date)}`,
    `on ${date}`,
    `at the beginning of ${monthYear(date)}`,
    `back in ${monthYear(date)}`,
  ]);
}
