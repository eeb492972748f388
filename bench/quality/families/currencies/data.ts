// The passages of the family of currencies: tenures from the data of the CLDR, facts of other kinds
// about the same countries.
import { readFileSync } from 'node:fs';
import type { FamilyPassage, Random } from '../family.js';
import { addDays, american, british, yearOf } from '../dates.js';
import { capital } from '../wordings.js';
import {
  endings,
  introductions,
  newsOf,
  profiles,
  replacements,
  tenures,
  type Shape,
} from './sentences.js';

const readJson = (...path: string[]): unknown => JSON.parse(readFileSync(path.join('/'), 'utf8'));

export interface Spell {
  country: string;
  /** With its article, for sentences. */
  the: string;
  currency: string;
  from: string;
  to?: string | undefined;
  previous?: Spell;
  next?: Spell;
}
export type Part = 'tenure' | 'from' | 'to' | 'profile' | 'history';
interface Statement {
  spell: Spell;
  part: Part;
}
export interface CurrencyPassage extends FamilyPassage {
  statements: Statement[];
}
export type Countries = Map<string, Spell[]>;
interface Unit {
  _from?: string;
  _to?: string;
  _tender?: string;
}
interface Supplemental {
  supplemental: {
    currencyData: { region: Record<string, Record<string, Unit>[]> };
    territoryInfo: Record<string, Record<'_population' | '_literacyPercent' | '_gdp', string>>;
    weekData: { firstDay: Record<string, string> };
  };
}
interface English {
  main: {
    en: {
      numbers: { currencies: Record<string, Record<string, string>> };
      localeDisplayNames: { territories: Record<string, string> };
    };
  };
}

const formerNames: Record<string, string> = {
  CS: 'Serbia and Montenegro',
  YU: 'Yugoslavia',
  SU: 'Soviet Union',
  DD: 'East Germany',
  AN: 'Netherlands Antilles',
  YD: 'South Yemen',
  ZR: 'Zaire',
};
const skipped = new Set(['ZZ', 'EU', 'BU', 'TP']);
const articles = [
  'United ',
  'Bahamas',
  'Netherlands',
  'Philippines',
  'Gambia',
  'Maldives',
  'Comoros',
  'Soviet ',
  'Central ',
  'Dominican R',
  'Canary ',
  'Palestinian ',
  'Isle ',
];
const weekdays: Record<string, string> = { mon: 'Monday', sun: 'Sunday', sat: 'Saturday' };
const dayForms = [british, american, (date: string) => date];

const withThe = (name: string): string =>
  name.endsWith(' Islands') || articles.some((start) => name.startsWith(start))
    ? `the ${name}`
    : name;

/** The names of countries as prose has them, by region code. */
function namesOf(english: English): Map<string, string> {
  const { territories } = english.main.en.localeDisplayNames;
  return new Map(
    Object.entries({ ...territories, ...formerNames }).map(([code, name]) => [
      code,
      name
        .replace(' & ', ' and ')
        .replace(/ SAR China| \(Burma\)/, '')
        .replace(' - ', '-'),
    ]),
  );
}

/** "Brazilian cruzeiro (BRE)": with the code where the name alone has meant several currencies. */
function currencyName(code: string, names: Record<string, Record<string, string>>): string {
  const name = names[code]?.['displayName-count-one'] ?? names[code]?.['displayName'] ?? code;
  const plain = name.replace(/ \(.*/, '');
  const namesakes = Object.values(names).filter((each) =>
    each['displayName-count-one']?.startsWith(`${plain} (`),
  );
  return namesakes.length > 0 ? `${plain} (${code})` : plain;
}

export function readSpells([core, local, numbers]: string[]): Countries {
  const data = readJson(core!, 'package/supplemental/currencyData.json') as Supplemental;
  const names = namesOf(readJson(local!, 'package/main/en/territories.json') as English);
  const units = (readJson(numbers!, 'package/main/en/currencies.json') as English).main.en.numbers;
  const countries: Countries = new Map();
  for (const [region, list] of Object.entries(data.supplemental.currencyData.region)) {
    const country = names.get(region);
    if (country === undefined || skipped.has(region)) continue;
    const spells: Spell[] = list
      .flatMap((entry) => Object.entries(entry))
      .filter(([, unit]) => unit._tender !== 'false' && unit._from !== undefined)
      .map(([code, { _from: from, _to: to }]) => {
        const currency = currencyName(code, units.currencies);
        return { country, the: withThe(country), currency, from: from!, to };
      })
      .sort((one, other) => one.from.localeCompare(other.from));
    spells.forEach((spell, index) => {
      const next = spells[index + 1];
      if (next === undefined || spell.to === undefined) return;
      if (Math.abs(Date.parse(next.from) - Date.parse(spell.to)) > 400 * 86_400_000) return;
      const around = spells.filter((each) => inForce(each, next.from));
      if (around.some((each) => each !== spell && each !== next)) return;
      spell.next = next;
      next.previous = spell;
    });
    if (spells.length > 0) countries.set(country, spells);
  }
  return countries;
}

export const inForce = (spell: Spell, date: string): boolean =>
  spell.from <= date && date <= (spell.to ?? '9999');

/** The currency of a country on a day, if it is the only one and no change is near. */
export function soleAt(spells: Spell[], date: string, margin = 40): Spell | undefined {
  const around = (spell: Spell): boolean =>
    spell.from <= addDays(date, margin) && addDays(date, -margin) <= (spell.to ?? '9999');
  const [spell, ...others] = spells.filter(around);
  return spell !== undefined && others.length === 0 && inForce(spell, addDays(date, -margin))
    ? spell
    : undefined;
}

export function passagesOf(countries: Countries, random: Random): CurrencyPassage[] {
  const passages: CurrencyPassage[] = [];
  const add = (passage: Omit<FamilyPassage, 'id'>, statements: Statement[]): void => {
    const entities = [...new Set(statements.flatMap(({ spell: s }) => [s.country, s.currency]))];
    passages.push({ id: `a-${passages.length + 1}`, ...passage, entities, statements });
  };
  for (const spells of countries.values()) {
    for (const spell of spells) {
      const { previous } = spell;
      const day = random.pick(dayForms);
      const shape = (shapes: Shape[]): Omit<FamilyPassage, 'id'> => random.pick(shapes)(spell, day);
      const ended = spell.to !== undefined;
      if (ended && random.next() < 0.75) add(shape(tenures), [{ spell, part: 'tenure' }]);
      else add(shape(introductions), [{ spell, part: 'from' }]);
      if (previous !== undefined && random.next() < 0.5)
        add(shape(replacements), [
          { spell, part: 'from' },
          { spell: previous, part: 'to' },
        ]);
      if (ended && random.next() < 0.4) add(shape(endings), [{ spell, part: 'to' }]);
      if (spell.from > '1950' && random.next() < 0.4)
        add(newsOf(spell, random), [{ spell, part: 'from' }]);
    }
    if (spells.length === 1) continue;
    for (const year of random.sample([1994, 1997, 2001, 2005, 2008, 2012, 2016, 2019, 2023], 3)) {
      const date = `${year}-${random.pick(['01-15', '03-08', '06-21', '09-30', '11-12'])}`;
      const spell = soleAt(spells, date);
      if (spell === undefined) continue;
      const profile = random.pick(profiles)(spell.the, spell.currency, year);
      add({ ...profile, published_at: date }, [{ spell, part: 'profile' }]);
    }
    if (spells.length > 2 && random.next() < 0.5) {
      const steps = spells.map(({ currency, from }) => `the ${currency} (${yearOf(from)})`);
      const text =
        `Over time ${spells[0]!.the} has had ${spells.length} units of money. ` +
        `In the order of their introduction: ${steps.join(', ')}.`;
      add(
        { title: `Monetary history of ${spells[0]!.the}`, text },
        spells.map((spell) => ({ spell, part: 'history' as const })),
      );
    }
  }
  return passages;
}

export interface Other {
  passage: FamilyPassage;
  country: string;
  the: string;
  relation: 'population' | 'week' | 'literacy';
  answer: string;
}

/** Undated facts of other kinds about countries. */
export function othersOf([core, local]: string[], countries: Countries, random: Random): Other[] {
  const names = namesOf(readJson(local!, 'package/main/en/territories.json') as English);
  const read = (file: string): Supplemental['supplemental'] =>
    (readJson(core!, 'package/supplemental', file) as Supplemental).supplemental;
  const { firstDay } = read('weekData.json').weekData;
  const list = Object.entries(read('territoryInfo.json').territoryInfo);
  return list.flatMap(([region, info], index): Other[] => {
    const country = names.get(region);
    if (country === undefined || !countries.has(country)) return [];
    const the = withThe(country);
    const fact = (relation: Other['relation'], answer: string, ...texts: string[]): Other => ({
      country,
      the,
      relation,
      answer,
      passage: {
        id: `a-${relation}-${index}`,
        text: capital(random.pick(texts)),
        entities: [country],
      },
    });
    const { _population: population, _literacyPercent: literacy } = info;
    const count = Number(population).toLocaleString('en');
    const start = weekdays[firstDay[region] ?? ''];
    return random.sample(
      [
        fact(
          'population',
          count,
          `about ${count} people live in ${the}. The figure is an estimate.`,
          `${the} has a population of ${count}.`,
          `population of ${the}: ${count}. Money in circulation per head is not recorded.`,
        ),
        fact(
          'literacy',
          `${literacy}`,
          `${literacy} percent of adults in ${the} can read and write.`,
          `the literacy rate of ${the} stands at ${literacy} percent.`,
        ),
        ...(start === undefined
          ? []
          : [
              fact(
                'week',
                start,
                `calendars printed in ${the} begin the week on ${start}.`,
                `in ${the} the week starts on a ${start}; banks are closed on public holidays.`,
              ),
            ]),
      ],
      2,
    );
  });
}
