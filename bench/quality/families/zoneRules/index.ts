// Clocks of places: made sentences on standard time and summer time, and the release notes of the
// tz database as written.
import type { FamilyDefinition, FamilyPassage } from '../family.js';
import { backgrounds } from './background.js';
import { newsOf, zonesOf } from './data.js';
import { askNotes, tellNotes } from './notes.js';
import { Facts, tellEras, tellPositions, tellSnapshots, tellSummers } from './passages.js';
import { ZoneQuestions } from './questions.js';

/** Places with summer time in some years only. */
const irregular = [
  'Africa/Cairo',
  'Africa/Tunis',
  'Africa/Algiers',
  'Africa/Khartoum',
  'America/Bahia',
  'America/Bogota',
  'America/Lima',
  'America/Montevideo',
  'America/Port-au-Prince',
  'America/Sao_Paulo',
  'Asia/Amman',
  'Asia/Baghdad',
  'Asia/Dhaka',
  'Asia/Hong_Kong',
  'Asia/Karachi',
  'Asia/Manila',
  'Asia/Seoul',
  'Asia/Shanghai',
  'Asia/Taipei',
  'Asia/Tehran',
  'Australia/Brisbane',
  'Australia/Perth',
  'Indian/Mauritius',
  'Pacific/Apia',
  'Pacific/Efate',
  'Pacific/Fiji',
  'Pacific/Rarotonga',
  'Pacific/Tongatapu',
];

export const zoneRules: FamilyDefinition = {
  name: 'zoneRules',
  description: 'Standard time and summer time of places, and news of the tz database',
  sources: [{ registry: 'Debian', package: 'tzdata', license: 'public domain' }],
  build(folders, random) {
    const zones = zonesOf(folders[0]!);
    const summers = zones.filter(({ id }) => irregular.includes(id));
    const passages: FamilyPassage[] = [];
    const say = (passage: Omit<FamilyPassage, 'id'>): string => {
      const id = `z-${passages.length + 1}`;
      passages.push({ id, ...passage });
      return id;
    };
    const facts = new Facts();
    tellEras(zones, say, facts, random);
    const moving = zones.filter(({ eras }) => eras.length > 2);
    tellSnapshots(random.sample(moving, 60), say, facts, random);
    tellSummers(summers, say, facts, random);
    tellPositions(random.sample(zones, 90), say, facts, random);
    const notes = tellNotes(newsOf(folders[0]!), zones, say);
    for (const { text } of backgrounds) {
      const passage = say({ text, title: 'On timekeeping', entities: ['timekeeping'] });
      Facts.add(facts.positions, text, { passage });
    }
    const asked = new ZoneQuestions(zones, summers, facts, passages, random).questions();
    return { passages, questions: [...asked, ...askNotes(notes, random)] };
  },
};
