// Wordings of questions on figures of price indexes: names of the measures, and questions by
// operator on time.
import { monthName } from '../dates.js';
import type { FamilyQuestion, Random } from '../family.js';
import type { Measure } from './data.js';

type Wording = (noun: string, time: string) => string;

export const nouns: Record<Measure, ((name: string) => string)[]> = {
  yearly: [
    (name) => `the annual change in ${name}`,
    (name) => `the year-on-year rate for ${name}`,
    (name) => `the twelve-month change of ${name}`,
    (name) => `the yearly increase of ${name}`,
  ],
  monthly: [
    (name) => `the monthly change in ${name}`,
    (name) => `the month-on-month rate for ${name}`,
    (name) => `the change of ${name} from the month before`,
  ],
  level: [
    (name) => `the price index of ${name}`,
    (name) => `the index level for ${name}`,
    (name) => `the index, in points, of ${name}`,
  ],
  quarter: [
    (name) => `the quarterly average of ${name} against the year before`,
    (name) => `the average yearly change of ${name} over the quarter`,
  ],
  annual: [
    (name) => `the annual average change in ${name}`,
    (name) => `the whole-year change of ${name}`,
  ],
};

const plain = (noun: string): string => noun.replace(/^the /, '');
const and = (time: string): string => time.replace('..', 'and');
const to = (time: string): string => time.replace('..', 'to');

export const phrases: Record<Exclude<FamilyQuestion['class'], 'first' | 'undated'>, Wording[]> = {
  as_of: [
    (noun, time) => `As of ${time}, what was ${noun} by the newest figure?`,
    (noun, time) => `${plain(noun)} as of ${time}`,
    (noun, time) => `What figure for ${noun} was known on ${time}?`,
    (noun, time) => `On ${time}, where did ${noun} stand according to the data out by then?`,
    (noun, time) => `What would a reader on ${time} have given as ${noun}?`,
    (noun, time) => `I want ${noun} with the information available at ${time}.`,
  ],
  current: [
    (noun) => `What is ${noun} at present?`,
    (noun) => `current ${plain(noun)}`,
    (noun) => `How high is ${noun} right now?`,
    (noun) => `Could you tell me ${noun} as it stands today?`,
    (noun) => `${plain(noun)} now`,
    (noun) => `Where does ${noun} stand?`,
  ],
  latest: [
    (noun) => `What is the latest figure for ${noun}?`,
    (noun) => `most recent ${plain(noun)}`,
    (noun) => `newest reading of ${noun}, please`,
    (noun) => `What did the last report give as ${noun}?`,
    (noun) => `latest data: ${plain(noun)}`,
    (noun) => `I am looking for the most recent number for ${noun}.`,
  ],
  last_before: [
    (noun, time) => `What was the last figure for ${noun} published before ${time}?`,
    (noun, time) => `${plain(noun)}, last report before ${time}`,
    (noun, time) => `Before ${time}, what had most recently been reported as ${noun}?`,
    (noun, time) => `Which number for ${noun} had come out just before ${time}?`,
    (noun, time) => `final reading of ${noun} made known prior to ${time}`,
    (noun, time) => `Give me ${noun} from the last release ahead of ${time}.`,
  ],
  first_after: [
    (noun, time) => `What was the first figure for ${noun} published after ${time}?`,
    (noun, time) => `next ${plain(noun)} released after ${time}`,
    (noun, time) => `After ${time}, what did the next report give as ${noun}?`,
    (noun, time) => `Which number for ${noun} came out first once ${time} had passed?`,
    (noun, time) => `${plain(noun)}: first publication following ${time}`,
    (noun, time) => `I need the next reading of ${noun} that appeared after ${time}.`,
  ],
  in: [
    (noun, time) => `What was ${noun} in ${time}?`,
    (noun, time) => `${plain(noun)} ${time}`,
    (noun, time) => `In ${time}, what did ${noun} amount to?`,
    (noun, time) => `Please look up ${noun} for ${time}.`,
    (noun, time) => `How large was ${noun} in ${time}?`,
    (noun, time) => `for ${time} I need ${noun}`,
  ],
  between: [
    (noun, time) => `How did ${noun} develop between ${and(time)}?`,
    (noun, time) => `${plain(noun)} from ${to(time)}`,
    (noun, time) => `What values did ${noun} have from ${to(time)}?`,
    (noun, time) => `Between ${and(time)}, what were the readings of ${noun}?`,
    (noun, time) => `List ${noun} for each month from ${to(time)}.`,
    (noun, time) => `figures between ${and(time)} for ${noun}`,
  ],
  before_date: [
    (noun, time) => `What was ${noun} ${time}?`,
    (noun, time) => `${plain(noun)} ${time}`,
    (noun, time) => `Going ${time}: how large was ${noun}?`,
    (noun, time) => `How did ${noun} look ${time}?`,
    (noun, time) => `I would like to compare with ${noun} ${time}.`,
    (noun, time) => `${time}, what was ${noun}?`,
  ],
  since: [
    (noun, time) => `Which figures for ${noun} have come out since ${time}?`,
    (noun, time) => `${plain(noun)} reports since ${time}`,
    (noun, time) => `Since ${time}, what has been reported on ${noun}?`,
    (noun, time) => `What has ${noun} been since ${time}, by the reports that appeared?`,
    (noun, time) => `any news on ${noun} since ${time}`,
    (noun, time) => `I was away from ${time}; what did they publish on ${noun} since?`,
  ],
  when: [
    (noun, time) => `When was ${noun} for ${time} published?`,
    (noun, time) => `${plain(noun)} ${time} release date`,
    (noun, time) => `On what day did the figure of ${noun} for ${time} come out?`,
    (noun, time) => `Publication date of ${noun}, ${time}?`,
    (noun, time) => `Which day brought the news of ${noun} in ${time}?`,
    (noun, time) => `Since when has ${noun} for ${time} been known?`,
  ],
};

/** Questions on the yearly change that name no measure. */
export const direct: Record<'as_of' | 'current' | 'in' | 'before_date', Wording[]> = {
  as_of: [
    (name, time) =>
      `How much more did people pay than a year earlier, as far as known on ${time}: ${name}?`,
    (name, time) => `By how much were ${name} up on the year as of ${time}?`,
    (name, time) => `inflation of ${name} as of ${time}`,
    (name, time) => `On ${time}, how fast were ${name} known to be rising from year to year?`,
  ],
  current: [
    (name) => `How much are ${name} up on the year?`,
    (name) => `Are ${name} higher than a year ago, and by how much?`,
    (name) => `inflation now, ${name}`,
    (name) => `How quickly do ${name} rise these days, compared with last year?`,
  ],
  in: [
    (name, time) => `By how many percent did ${name} rise or fall in the year to ${time}?`,
    (name, time) => `How much dearer or cheaper than a year before were ${name} in ${time}?`,
    (name, time) => `inflation ${time} ${name}`,
    (name, time) => `In ${time}, how did ${name} compare with the same month of the previous year?`,
  ],
  before_date: [
    (name, time) => `How did ${name} compare with the year before, ${time}?`,
    (name, time) => `inflation of ${name} ${time}`,
    (name, time) => `By how much had ${name} risen within twelve months, ${time}?`,
    (name, time) => `${time}: ${name} up or down on the year, and how far?`,
  ],
};

export const revisions: Record<'first' | 'latest', Wording[]> = {
  first: [
    (name, time) => `What was first reported as the yearly change of ${name} in ${time}?`,
    (name, time) => `initial estimate ${name} ${time} year on year`,
    (name, time) => `Which annual rate did the earliest report give for ${name} in ${time}?`,
    (name, time) =>
      `For ${time}, what was the original figure of the yearly change in ${name}, before any revision?`,
    (name, time) => `${name}, ${time}: first published twelve-month change`,
    (name, time) =>
      `How large was the annual change in ${name} for ${time} when it was first announced?`,
  ],
  latest: [
    (name, time) => `What is the final figure of the yearly change in ${name} for ${time}?`,
    (name, time) => `latest revision: ${name} ${time} year on year`,
    (name, time) => `Which annual rate of ${name} for ${time} holds after the last revision?`,
    (name, time) => `${time}, ${name}: most recent version of the twelve-month change`,
    (name, time) => `To what value was the yearly change of ${name} in ${time} last set?`,
    (name, time) =>
      `I need the definitive annual change in ${name} for ${time}, not an early estimate.`,
  ],
};

type Threshold = (name: string, bound: number, year: string) => string;

export const thresholds: Record<'first' | 'latest' | 'when', Threshold[]> = {
  first: [
    (name, bound, year) =>
      `In which month of ${year} did the yearly increase of ${name} first exceed ${bound} percent?`,
    (name, bound, year) => `first month of ${year} with ${name} up more than ${bound}% on the year`,
    (name, bound, year) =>
      `When in ${year} were ${name} for the first time over ${bound} percent above their level of a year before?`,
    (name, bound, year) =>
      `What was the earliest ${year} reading above ${bound} percent for the annual change in ${name}?`,
    (name, bound, year) => `${year}: ${name} pass ${bound}% year on year, first time`,
    (name, bound, year) =>
      `Tell me the first time in ${year} that ${name} rose by more than ${bound} percent within twelve months.`,
  ],
  latest: [
    (name, bound, year) =>
      `Which was the last month of ${year} in which ${name} rose by more than ${bound} percent on the year?`,
    (name, bound, year) => `last time in ${year} that ${name} were over ${bound}% year on year`,
    (name, bound, year) =>
      `What is the most recent ${year} reading above ${bound} percent for the yearly increase of ${name}?`,
    (name, bound, year) =>
      `In ${year}, when did the annual change in ${name} last lie above ${bound} percent?`,
    (name, bound, year) =>
      `latest ${year} month with ${name} more than ${bound}% higher than a year before`,
    (name, bound, year) =>
      `Please name the last month in ${year} with a twelve-month rise of ${name} beyond ${bound} percent.`,
  ],
  when: [
    (name, _, year) => `When did the yearly increase of ${name} peak in ${year}?`,
    (name, _, year) => `${name} ${year} peak month of the annual rate`,
    (name, _, year) => `In what month of ${year} was the annual change in ${name} at its highest?`,
    (name, _, year) => `Which month of ${year} saw the steepest twelve-month rise of ${name}?`,
    (name, _, year) => `date of the highest year-on-year rate for ${name} in ${year}`,
    (name, _, year) => `At what time in ${year} did ${name} climb fastest against the year before?`,
  ],
};

const monthForms: ((month: string) => string)[] = [
  (month) => `${monthName(`${month}-01`)} ${month.slice(0, 4)}`,
  (month) => `${monthName(`${month}-01`)} ${month.slice(0, 4)}`,
  (month) => month,
  (month) => `${month.slice(5)}/${month.slice(0, 4)}`,
  (month) => `${monthName(`${month}-01`).slice(0, 3)} ${month.slice(0, 4)}`,
];

export const sayMonthOf = (month: string, random: Random): string => random.pick(monthForms)(month);
