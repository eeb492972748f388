// Expansion of abbreviations in questions; pronouns and unknown capitals stay unchanged.
import assert from 'node:assert/strict';
import { expandAbbreviations } from '../../lib/text/abbreviations.js';

describe('expandAbbreviations', () => {
  const cases: [string, string][] = [
    ['Who was UK PM?', 'Who was UK PM? United Kingdom prime minister'],
    ['Who led the U.S. in 1970?', 'Who led the U.S. in 1970? United States'],
    ['Who told us?', 'Who told us?'],
    ['Who ran NASA in the USA and the US?', 'Who ran NASA in the USA and the US? United States'],
    ['constructor toString', 'constructor toString'],
    ['', ''],
  ];
  for (const [text, expected] of cases)
    it(JSON.stringify(text), () => assert.equal(expandAbbreviations(text), expected));
});
