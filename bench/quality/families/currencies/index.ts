// Tenures of currencies as legal tender of countries, from the Unicode CLDR, with questions on the
// legal tender of a country at a time.
import type { FamilyDefinition } from '../family.js';
import { othersOf, passagesOf, readSpells } from './data.js';
import { questionsOf } from './questions.js';

export const currencies: FamilyDefinition = {
  name: 'currencies',
  description: 'which currency was legal tender in which country from when to when',
  sources: ['cldr-core', 'cldr-localenames-full', 'cldr-numbers-full'].map((name) => ({
    registry: 'npm',
    package: name,
    version: '48.2.0',
    license: 'Unicode-3.0',
  })),
  build(folders, random) {
    const countries = readSpells(folders);
    const stated = passagesOf(countries, random);
    const others = othersOf(folders, countries, random);
    const questions = questionsOf({ countries, stated, others }, random);
    const passages = stated.map(({ statements: __, ...passage }) => passage);
    return {
      passages: [...passages, ...others.map(({ passage }) => passage)],
      questions,
    };
  },
};
