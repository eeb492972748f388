// Sentences on tenures of currencies, their introductions, replacements and ends; reports and
// profiles of countries.
import type { FamilyPassage, Random } from '../family.js';
import { addDays, monthYear, quarterOf, season, yearOf } from '../dates.js';
import { capital } from '../wordings.js';
import type { Spell } from './data.js';

export type Shape = (
  spell: Spell,
  day: (date: string) => string,
) => Pick<FamilyPassage, 'title' | 'text'>;
export const tenures: Shape[] = [
  (s, d) => ({
    text: `From ${d(s.from)} to ${d(s.to!)} the ${s.currency} was legal tender in ${s.the}.`,
  }),
  (s, d) => ({
    text:
      `${capital(s.the)} used the ${s.currency} between ${d(s.from)} and ${d(s.to!)}. ` +
      'Notes and coins of other countries circulated only informally.',
  }),
  (s, d) => ({
    title: s.currency,
    text: `Legal tender in ${s.the}; introduced ${d(s.from)}, withdrawn ${d(s.to!)}.`,
  }),
  (s) => ({
    text:
      `The ${s.currency} (${yearOf(s.from)}–${yearOf(s.to!)}) is a former currency of ` +
      `${s.the}. Collectors still trade its banknotes.`,
  }),
  (s, d) => ({
    text:
      `Payments in ${s.the} were made in the ${s.currency} until ${d(s.to!)}; the unit ` +
      `had come into use on ${d(s.from)}.`,
  }),
  (s) => ({
    title: `Money of ${s.the}, ${monthYear(s.from)} to ${monthYear(s.to!)}`,
    text:
      `During this period wages, prices and taxes were reckoned in the ${s.currency}, ` +
      'which all shops had to accept.',
  }),
  (s) => ({
    text:
      `In ${s.the}, the ${s.currency} had a life of some ` +
      `${Math.max(2, yearOf(s.to!) - yearOf(s.from))} years: it appeared in ` +
      `${monthYear(s.from)} and was gone by ${monthYear(addDays(s.to!, 31))}.`,
  }),
];
export const introductions: Shape[] = [
  (s, d) => ({ text: `${capital(s.the)} introduced the ${s.currency} on ${d(s.from)}.` }),
  (s) => ({
    text:
      `The ${s.currency} was put into circulation in ${s.the} in ${season(s.from)}. ` +
      'The central bank had prepared the step for months.',
  }),
  (s) => ({
    title: `Currency of ${s.the}: notes on ${monthYear(s.from)}`,
    text:
      `This month the ${s.currency} became legal tender. Older obligations were ` +
      'converted at a fixed rate.',
  }),
  (s, d) => ({ text: `${capital(d(s.from))}: ${s.currency} becomes legal tender in ${s.the}.` }),
  (s) => ({
    text:
      `Since Q${quarterOf(s.from)} ${yearOf(s.from)} the law of ${s.the} has named the ` +
      `${s.currency} as its unit of money.`,
  }),
  (s) => ({
    text:
      `It was in ${monthYear(s.from)} that the ${s.currency} was adopted by ${s.the}, ` +
      'after a decision of the legislature.',
  }),
];
export const replacements: Shape[] = [
  (s, d) => ({
    text:
      `On ${d(s.from)} the ${s.previous!.currency} was replaced by the ${s.currency} ` +
      `in ${s.the}.`,
  }),
  (s) => ({
    text:
      `${capital(s.the)} abandoned the ${s.previous!.currency} in ${yearOf(s.from)} in ` +
      `favour of the ${s.currency}. Savings had to be exchanged at the banks.`,
  }),
  (s, d) => ({
    title: `Currency reform in ${s.the}`,
    text:
      `The reform of ${d(s.from)} brought in the ${s.currency}. It took the place of ` +
      `the ${s.previous!.currency}.`,
  }),
  (s) => ({
    text:
      `A changeover from the ${s.previous!.currency} to the ${s.currency} took place ` +
      `in ${s.the} in ${monthYear(s.from)}.`,
  }),
];
export const endings: Shape[] = [
  (s, d) => ({ text: `The ${s.currency} ceased to be legal tender in ${s.the} on ${d(s.to!)}.` }),
  (s, d) => ({
    text:
      `Shops in ${s.the} could refuse the ${s.currency} after ${d(s.to!)}. Banks kept ` +
      'exchanging it for some time.',
  }),
  (s) => ({
    title: `Withdrawal of the ${s.currency}`,
    text: `In ${s.the} the unit lost its status as legal tender in ${monthYear(s.to!)}.`,
  }),
  (s) => ({
    text:
      `${yearOf(s.to!)} was the last year in which the ${s.currency} was accepted as ` +
      `money in ${s.the}.`,
  }),
];

/** Reports of a change with a date of publication, some of them a year later. */
export function newsOf(spell: Spell, random: Random): Omit<FamilyPassage, 'id'> {
  const { the, currency, from } = spell;
  return random.pick([
    {
      title: `${capital(the)} changes its money`,
      text:
        `As of this week the ${currency} is legal tender in ${the}. Queues formed at ` +
        'the banks.',
      published_at: addDays(from, 2),
    },
    {
      title: `New currency for ${the}`,
      text: `The ${currency}, which ${the} adopted last year, has been received calmly.`,
      published_at: `${yearOf(from) + 1}-0${2 + random.below(7)}-11`,
    },
    { text: `Starting today, people in ${the} pay in the ${currency}.`, published_at: from },
    {
      title: 'Monetary affairs',
      text: `Next month ${the} will go over to the ${currency}, the ministry of finance confirmed.`,
      published_at: addDays(`${from.slice(0, 8)}01`, -12),
    },
  ]);
}

export const profiles: ((
  the: string,
  currency: string,
  year: number,
) => Omit<FamilyPassage, 'id'>)[] = [
  (the, currency, year) => ({
    title: `${capital(the)}: country profile ${year}`,
    text:
      `Currency: ${currency}. Visitors should carry some cash; cards are taken in the ` +
      'larger towns.',
  }),
  (the, currency) => ({
    title: `Travel notes: ${the}`,
    text: `The local currency is the ${currency}. It may not be exported in large amounts.`,
  }),
  (the, currency) => ({
    text:
      `Invoices to customers in ${the} are currently issued in the ${currency}, the ` +
      `country's legal tender.`,
  }),
];
