// What each statement says for and against its passage, as `explain` shows it: names and words,
// values, times by the window of the question, and publications, with a weight of one for each
// feature.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Corpus, hybrid, type Passage } from '../../../lib/index.js';
import { featureNames, featureSigns } from '../../../lib/facts/features/features.js';
import { modelOf } from '../../../lib/facts/ranking/model.js';
import { temporaryFolder } from '../../store/fixtures.js';
import { weightsOf } from '../tables.js';

type Given = string | Omit<Passage, 'id'>;
interface Case {
  /** By letter. */
  passages: Record<string, Given>;
  /** By question: passages best first, with what tells them apart, in hundredths. */
  asked: Record<string, string[]>;
}

/** What depends on the encoder or on lengths alone. */
const untold = /^(?:bias|cosine|scan|length|passageLength|order|exactForm|nameInPassage)/;

const cases: Record<string, Case> = {
  'names that stand in place of others': {
    passages: {
      a: 'then the harbour of Grell handled 390 ships',
      b: 'then the harbour of Tannau handled 380 ships',
      c: 'then the harbour handled 370 ships',
      d: 'then Grell harbour and tannau',
      e: { title: 'Harbours of Tannau', text: 'then the harbour sent 390 ships to Grell' },
      f: 'Then Tannau grew. Then it sent ships to Grell. Then to Lohr. Then Ulm went.',
    },
    asked: {
      'How many ships did the harbour of Tannau handle?': [
        'e, nameOverlap 50, rarityMissing -78, titleAsked 100',
        'b, nameOverlap 50',
        'f, nameOverlap 50, rarityMissing -167, typeMissing -100',
        'd, nameOverlap 50, rarityMissing -178, typeMissing -100',
        'c, nameMissing -9, pairConflict -100, sibling -50',
        'a, nameMissing -9, pairConflict -100, sibling -50, substituted -100',
      ],
      'Did Ida Rowe sail to Tannau?': [
        'b, nameOverlap 10',
        'f, nameOverlap 10',
        'e, nameExtra -5, nameOverlap 5, substituted -100, titleAsked 50',
        'd, nameOverlap 10, substituted -100',
        'c, nameMissing -9',
        'a, nameMissing -9, substituted -100',
      ],
    },
  },
  'names by their use elsewhere': {
    passages: {
      a: 'Safari gained tabs.',
      b: 'they use Safari and the Mill of Grell',
      c: 'a mill had the tabs of safari on iOS',
      d: { title: 'commander 2.9.0', text: 'it mends a fault in the tabs' },
    },
    asked: {
      'Which tabs had Safari?': [
        'a, nameOverlap 30, typeMissing -100',
        'c, nameExtra -77, nameOverlap 7, sibling -30',
        'b, kindMissing -100, nameOverlap 30',
        'd, nameMissing -4, sibling -30, typeMissing -100',
      ],
      'Which mill had tabs on commander?': [
        'd, kindMissing -85, nameOverlap 70, titleAsked 100, typeMissing -100',
        'c, nameMissing -15, sibling -70, substituted -100',
        'b, nameMissing -15, rarityMissing -100, sibling -70, substituted -100',
        'a, kindMissing -85, nameMissing -15, sibling -70, typeMissing -100',
      ],
    },
  },
  'titles and versions': {
    passages: {
      a: { title: 'Send 0.15.1', text: 'it mends a fault' },
      b: { title: 'Express 4.15.1', text: 'it takes Send 0.15.1' },
      c: 'it takes Send 0.15.0-rc.1',
    },
    asked: {
      'Which version of Send was out?': [
        'a, ofTitleAlone 100, titleAsked 100',
        'c',
        'b, titleSibling -100',
      ],
    },
  },
  'versions within others': {
    passages: {
      d: 'then Grell 12.3 came with masts',
      e: 'then Grell 5 came with Tannau 12',
      f: 'mime-db of 120 masts',
    },
    asked: {
      'What masts did Grell 12 have?': [
        'd, nameOverlap 38, valueMissing -20, valueShare 80',
        'e, kindMissing -100, nameOverlap 38, valueConflict -100, valueMissing -100',
        'f, nameMissing -6, sibling -37, substituted -100, valueMissing -100',
      ],
    },
  },
  'what is missing of words, names and values': {
    passages: {
      a: 'then ships of Tannau carried 40 masts',
      b: 'then boats of Tannau carried 40 masts',
      c: 'then ships of Grell carried 40 masts',
      d: 'then ships of Tannau carried 50 masts',
      e: 'then Corpus Christi fell on a Thursday in Tannau',
      f: 'a public holiday follows a population',
    },
    asked: {
      'Did ships of Tannau carry 40 masts?': [
        'a, nameOverlap 36, valueShare 100',
        'b, nameOverlap 36, rarityMissing -100, valueShare 100',
        'd, nameOverlap 36, valueConflict -100, valueMissing -100',
        'c, nameMissing -6, pairConflict -100, sibling -36, substituted -100, valueShare 100',
        'e, nameOverlap 36, rarityMissing -275, valueMissing -100',
        'f, nameMissing -6, rarityMissing -275, sibling -36, valueMissing -100',
      ],
      'Which public holiday fell on a Thursday in Tannau?': [
        'f, nameMissing -6, rarityMissing -91, typeMissing -100',
        'b, kindMissing -150, nameOverlap 18, rarityMissing -91',
        'e, kindMissing -150, nameOverlap 18, pairConflict -100, substituted -100',
        'a, kindMissing -150, nameOverlap 18, rarityMissing -91',
        'd, kindMissing -150, nameOverlap 18, rarityMissing -91',
        'c, kindMissing -150, nameMissing -6, rarityMissing -91, substituted -100',
      ],
    },
  },
  'times before, in and after a window': {
    passages: {
      a: 'The mill stood in 1930.',
      b: 'The mill stood in May 1940.',
      c: 'The mill stood from 1935 to 1950.',
      d: 'The mill stood until 1942.',
      e: 'The mill stood in the 1940s.',
      f: 'The mill stood in 1953.',
      g: 'The mill stood.',
    },
    asked: {
      'Did the mill stand in 1940?': [
        'b',
        'e, coarse -46, overhang -90',
        'c, span -94',
        'd',
        'g, undated -100',
        'a, beforeOfFigure -100',
        'f, gap -166, outside -100',
      ],

      'Has the mill stood since 1940?': [
        'e, equal 100',
        'b, equal 100',
        'd',
        'f',
        'c, span -94',
        'g, undated -100',
        'a, beforeOfFigure -100',
      ],
      'Did the mill stand after 1940?': [
        'e, overhang -10',
        'c, span -94',
        'd',
        'f',
        'g, undated -100',
        'a, beforeOfFigure -100',
        'b, beforeOfFigure -100',
      ],
      'Did the mill stand before 1940?': [
        'c, span -94',
        'd',
        'a',
        'e, outside -100',
        'g, undated -100',
        'b, gap -53, outside -100',
        'f, gap -169, outside -100',
      ],

      'What did the mill do in 1940?': [
        'b',
        'e, coarse -46, overhang -90',
        'c, span -94',
        'd',
        'g, undated -100',
        'a, gap -156, outside -100',
        'f, gap -166, outside -100',
      ],
      'Who owned the mill in 1930 or in 1953?': [
        'a',
        'f',
        'd',
        'e, outside -100',
        'b, outside -100',
        'g, undated -100',
        'c, outside -100, span -94',
      ],
    },
  },
  'where a time comes from': {
    passages: {
      a: 'Ida Rowe was born in 1853 and died in 1927.',
      b: 'Ida Rowe sailed in 1880. She came back.',
      c: 'Ida Rowe sailed faster than in 1880.',
      d: { title: 'Ida Rowe in 1880', text: 'She sailed.' },
      e: { text: 'Ida Rowe sailed.', validFrom: '1880-01-01', validTo: '1881-01-01' },
      f: { text: 'Ida Rowe joined in 1870 and left in 1880.' },
    },
    asked: {
      'When was Ida Rowe born?': [
        'a',
        'd, ofTitleAlone 100, rarityMissing -66, titleAsked 100',
        'b, rarityMissing -66',
        'f, rarityMissing -66',
        'c, rarityMissing -66',
        'e, rarityMissing -66, span -23, typeMissing -100',
      ],
      'What did Ida Rowe do in 1880?': [
        'd, equal 100, ofTitle 100, titleAsked 100',
        'b, equal 100',
        'c, equal 100',
        'e, span -23',
        'f, equal 100, later -100',
        'a, gap -192, outside -100',
      ],
    },
  },
  'publications and what they restate': {
    passages: {
      a: { text: 'Tannau harbour handled 390 ships on 31 March 2011.', publishedAt: '2011-05-20' },
      b: { text: 'Tannau harbour handled 425 ships on 31 March 2011.', publishedAt: '2012-06-02' },
      c: { text: 'Tannau harbour handled 500 ships in 2012.', publishedAt: '2013-01-05' },
      d: {
        title: 'Lohr Abbey',
        text: 'The abbey has a tower of 41 metres and two bells.',
        publishedAt: '2011-05-20',
      },
      e: {
        title: 'Lohr Abbey',
        text: 'The abbey has a tower of 44 metres and three bells.',
        publishedAt: '2012-06-02',
      },
      f: { text: 'Ships pay in advance.', publishedAt: '2012-06-02' },
    },
    asked: {
      'How many ships did Tannau harbour handle?': [
        'c, nameOverlap 50',
        'b, nameOverlap 50',
        'f, nameMissing -9, rarityMissing -167, sibling -50, typeMissing -100',
        'd, nameMissing -9, rarityMissing -267, sibling -50',
        'e, nameMissing -9, rarityMissing -267, sibling -50',
      ],
      'How many ships did Tannau harbour handle as of June 2012?': [
        'b, nameOverlap 50',
        'f, nameMissing -9, rarityMissing -167, sibling -50, typeMissing -100',
        'e, nameMissing -9, rarityMissing -267, sibling -50',
        'd, nameMissing -9, rarityMissing -267, sibling -50',
        'c, laterReport -100, nameOverlap 50, overhang -50',
      ],
      'How high is the tower of the abbey?': [
        'e, titleAsked 50',
        'b, rarityMissing -185',
        'a, rarityMissing -185',
        'c, rarityMissing -185',
        'f, rarityMissing -185, typeMissing -100',
      ],
    },
  },
  'neighbours and events': {
    passages: {
      a: 'Anna Wirth was replaced by Karl Rau as mayor of Tannau in 1950.',
      b: 'Karl Rau was replaced by Ines Holm as mayor of Tannau in 1964.',
      c: 'On 9 May 1957 the owners closed the mill.',
    },
    asked: {
      'Who was the mayor of Tannau after Karl Rau?': [
        'b, nameOverlap 38',
        'a, before -100, nameOverlap 38',
        'c, before -100, nameMissing -6, rarityMissing -100, sibling -37, typeMissing -100',
      ],
      'Who was the mayor of Tannau when the mill closed?': [
        'a, nameOverlap 38',
        'c, nameMissing -6, rarityMissing -100, sibling -37, typeMissing -100',
        'b, gap -146, nameOverlap 38, outside -100',
      ],
    },
  },
  initials: {
    passages: {
      d: 'She was prime minister of the United Kingdom until 2019.',
      e: { title: 'Bureau of Labor Statistics', text: 'Prices rose in May 2021.' },
    },
    asked: {
      'Who was UK prime minister in 2018?': [
        'd, before -100, nameOverlap 75',
        'e, gap -112, nameMissing -17, outside -100, rarityMissing -137, sibling -75',
      ],
      'What did the BLS report?': [
        'e, nameOverlap 88, titleAsked 100, typeMissing -100',
        'd, nameMissing -26, sibling -87, substituted -100',
      ],
    },
  },
};

describe('shares of features', () => {
  const folder = temporaryFolder();
  let ranker: string;
  before(() => {
    ranker = folder.path('weights.json');
    const features = Object.fromEntries(
      featureNames.map((name, f) => [name, featureSigns[f] === 0 ? 1 : featureSigns[f]!]),
    );
    const weights = weightsOf({
      features,
      clock: [1],
      series: [-40, 80],
      relevance: { logOdds: 1, similarity: 0, coverage: 0 },
    });
    writeFileSync(ranker, JSON.stringify(modelOf('test', weights)));
  });

  for (const [name, { passages, asked }] of Object.entries(cases))
    it(`tell of ${name}`, async () => {
      await using corpus = await Corpus.open(folder.path(name));
      await corpus.add(
        Object.entries(passages).map(([id, given]) => ({
          id,
          ...(typeof given === 'string' ? { text: given } : given),
        })),
      );
      for (const [text, expected] of Object.entries(asked)) {
        const { evidence } = await hybrid({ corpus, ranker }).run(
          { text, askedAt: '2020-01-01' },
          { k: 20 },
        );
        const told = evidence.map(({ shares }) =>
          Object.entries(shares!)
            .filter(([feature]) => !untold.test(feature))
            .map(([feature, share]) => `${feature} ${Math.round(100 * share)}`)
            .sort(),
        );
        // What all of them have tells nothing.
        const found = told.map((own, at) => [
          evidence[at]!.id,
          ...own.filter((each) => !told.every((others) => others.includes(each))),
        ]);
        assert.deepEqual(
          found.map((each) => each.join(', ')),
          expected,
          text,
        );
      }
    });
});
