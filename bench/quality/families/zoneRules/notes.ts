// The release notes of the tz database as passages, and questions about what they say on places.
import type { FamilyPassage, FamilyQuestion, Random } from '../family.js';
import { graded, QuestionCollector } from '../questions.js';
import type { NewsItem, Zone } from './data.js';
import { askedToday, chosen, selection } from './selection.js';
import { news, type Context } from './wordings.js';

/** Places by which questions ask, with the words that name them in the notes. */
const topics: Record<string, RegExp> = {
  'Morocco': /\bMorocc|\bCasablanca\b/,
  'Egypt': /\bEgypt|\bCairo\b/,
  'Fiji': /\bFiji/,
  'Palestine': /\bPalestin|\bGaza\b|\bHebron\b|\bWest Bank\b/,
  'Iran': /\bIran/,
  'Jordan': /\bJordan(?!\s+[A-Z])/,
  'Turkey': /\bTurk(?:ey|ish)\b|\bIstanbul\b/,
  'Samoa': /(?<!American )\bSamoa|\bApia\b/,
  'North Korea': /\bNorth Korea|\bPyongyang\b/,
  'Brazil': /\bBrazil/,
  'Chile': /\bChile/,
  'Paraguay': /\bParagua|\bAsunci/,
  'Mongolia': /\bMongolia|\bUlaanbaatar\b|\bHovd\b/,
  'Haiti': /\bHaiti|\bPort-au-Prince\b/,
  'Cuba': /\bCuba|\bHavana\b/,
  'Israel': /\bIsrael|\bJerusalem\b/,
  'Syria': /\bSyria|\bDamascus\b/,
  'Lebanon': /\bLeban|\bBeirut\b/,
  'Mexico': /\bMexic/,
  'Tonga': /\bTonga/,
  'Kazakhstan': /\bKazakh|\bAlmaty\b|\bQyzylorda\b|\bQostanay\b/,
  'Argentina': /\bArgentin/,
  'Namibia': /\bNamibia|\bWindhoek\b/,
  'Hong Kong': /\bHong Kong\b/,
  'Libya': /\bLibya/,
  'Venezuela': /\bVenezuela|\bCaracas\b/,
};

export interface Note {
  day: string;
  entities: string[];
  passage: string;
}

/** Says the items; entities are the topics and the places of zones that an item names. */
export function tellNotes(
  items: NewsItem[],
  zones: Zone[],
  say: (passage: Omit<FamilyPassage, 'id'>) => string,
): Note[] {
  const places = zones.map(({ place, country }): [string, RegExp] => {
    const alone = zones.filter((zone) => zone.country === country).length === 1;
    const names = [place.split(', ')[0]!, ...(alone ? [country] : [])];
    return [place, new RegExp(`\\b(?:${names.join('|')})\\b`)];
  });
  const named: [string, RegExp][] = [...Object.entries(topics), ...places];
  return items.map(({ release, day, text }) => {
    const spaced = text.replaceAll('_', ' ');
    const matched = named.flatMap(([name, words]) => (words.test(spaced) ? [name] : []));
    const entities = [...new Set(matched)];
    const title = `tz database release notes, ${release}`;
    return { day, entities, passage: say({ text, title, published_at: day, entities }) };
  });
}

export function askNotes(told: Note[], random: Random): FamilyQuestion[] {
  const collector = new QuestionCollector<Context>('note', random);
  const counts: [FamilyQuestion['class'], number][] = [
    ['latest', 3],
    ['first', 3],
    ['last_before', 5],
    ['first_after', 4],
    ['in', 5],
    ['between', 4],
    ['since', 3],
  ];
  for (const [operator, count] of counts)
    collector.ask(count, news[operator]!, () => {
      const topic = random.pick(Object.keys(topics));
      const members = told.filter(({ entities }) => entities.includes(topic));
      if (members.length < 3) return undefined;
      const select = selection(operator, random.pick(members).day, random);
      const days = [...new Set(members.map(({ day }) => day).filter(select.admits))].sort();
      const found = chosen(operator, days);
      const relevant = members.filter(({ day }) => found.includes(day));
      if (relevant.length === 0 || relevant.length > 6) return undefined;
      return {
        context: { place: topic, time: select.time, other: '' },
        draft: {
          key: `${operator} ${topic}`,
          class: operator,
          ...askedToday(operator),
          entity: topic,
          answers: [],
          relevant: graded(
            2,
            relevant.map(({ passage }) => passage),
          ),
        },
      };
    });
  return collector.questions;
}
