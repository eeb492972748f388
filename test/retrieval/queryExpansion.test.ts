// Query expansion: the choice of the term against its definition, and systems over a made-up
// tournament whose questions never name the round.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AsOfError, Corpus, hybrid, type Passage } from '../../lib/index.js';
import {
  chooseExpansion,
  commonTerms,
  type Expansion,
} from '../../lib/retrieval/queryExpansion.js';
import { englishAnalyzer } from '../../lib/text/analyzer.js';
import { lowercaseWords } from '../../lib/text/pieces.js';
import type { WordVectors } from '../../lib/vectors/wordVectors.js';
import { temporaryFolder } from '../store/fixtures.js';

const given = [
  'Ada',
  'Bea',
  'Cleo',
  'Dora',
  'Edda',
  'Fay',
  'Gwen',
  'Hilda',
  'Ines',
  'Jutta',
  'Kaja',
  'Lena',
  'Mona',
  'Nora',
  'Orla',
  'Pia',
];
const family = [
  'Ahlberg',
  'Brandt',
  'Corvin',
  'Dumas',
  'Engel',
  'Falk',
  'Gruber',
  'Champion',
  'Ivanova',
  'Jansen',
  'Keller',
  'Lund',
  'Moreau',
  'Novak',
  'Olsen',
  'Petrov',
];
const rounds = ['round of 16', 'quarterfinal', 'semifinal', 'final'];

/**
 * Every match of a knock-out of sixteen: the first of each pair wins, who is rotated by the year.
 */
function tournament(place: string, year: number): Passage[] {
  let left = given.map((name, i) => `${name} ${family[(i + year) % 16]!}`);
  return rounds.flatMap((round) => {
    const pairs = left.flatMap((player, i) =>
      i % 2 === 0 ? [[player, left[i + 1]!] as const] : [],
    );
    left = pairs.map(([winner]) => winner);
    return pairs.map(([winner, loser], i) => ({
      id: `${place}-${year}-${round}-${i}`,
      text: `At the ${place} squash tournament ${winner} beat ${loser} in the ${round} by 3 games to ${i % 3}.`,
      publishedAt: `${year}-05-20`,
    }));
  });
}

describe('query expansion', () => {
  const similarities = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    fc.double({ min: -1, max: 1, noNaN: true }),
    { minKeys: 2 },
  );

  it('chooses the term with the greatest product of similarity and IDF', () => {
    fc.assert(
      fc.property(
        similarities,
        similarities,
        fc.array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'unknown')), {
          minLength: 1,
          maxLength: 12,
        }),
        (first, second, rows) => {
          const known: Record<string, Record<string, number>> = { first, second };
          const words: Pick<WordVectors, 'has' | 'similarity'> = {
            has: (term) => term in first || term in second,
            similarity: (term, other) => known[term]?.[other],
          };
          const queryTerms = new Set(['first', 'second', 'f']);
          const said = new Map(
            rows
              .flat()
              .map((term) => [term, { texts: rows.filter((row) => row.includes(term)).length }]),
          );
          const chosen: Expansion | undefined = chooseExpansion(
            ['first', 'second'],
            said,
            rows.length,
            queryTerms,
            words,
          );
          let best: { term: string; gain: number } | undefined;
          for (const term of ['a', 'b', 'c', 'd', 'e']) {
            const having = rows.filter((row) => row.includes(term as 'a')).length;
            if (having === 0 || !words.has(term)) continue;
            const gain =
              (((first[term] ?? 0) + (second[term] ?? 0)) / 2) * Math.log(rows.length / having);
            if (gain > (best?.gain ?? 0)) best = { term, gain };
          }
          assert.equal(chosen?.term, best?.term);
        },
      ),
    );
  });

  it(
    'counts the terms of common words as sets of each text would, and finds the word that ' +
      'has one first',
    async () => {
      const analyzer = englishAnalyzer();
      const words = [
        'final',
        'finals',
        'Final',
        "women's",
        'women’s',
        'the',
        'über',
        'e\u0301tude',
        'x2',
        'played',
        'playing',
        '16',
        'semi-final.',
      ];
      await fc.assert(
        fc.asyncProperty(
          fc.array(
            fc.array(fc.constantFrom(...words)).map((each) => each.join(' ')),
            { maxLength: 12 },
          ),
          async (texts) => {
            const said = await commonTerms({ analyzer }, texts);
            const rows = texts.map(
              (text) => new Set(analyzer.analyze(lowercaseWords(text).join(' '))),
            );
            assert.deepEqual(new Set(said.keys()), new Set(rows.flatMap((row) => [...row])));
            for (const [term, { texts: having, surfaceForm }] of said) {
              assert.equal(having, rows.filter((row) => row.has(term)).length, term);
              assert.equal(
                surfaceForm,
                texts.flatMap(lowercaseWords).find((word) => analyzer.analyze(word).includes(term)),
              );
            }
          },
        ),
      );
    },
  );

  describe('in systems', () => {
    const folder = temporaryFolder();
    let corpus: Corpus;
    before(async () => {
      corpus = await Corpus.open(folder.path('corpus'));
      await corpus.add(
        ['Northport', 'Eastwick'].flatMap((place) =>
          [2015, 2016, 2017, 2018].flatMap((year) => tournament(place, year)),
        ),
      );
    });
    after(() => corpus.close());

    const firstThree = async (text: string, askedAt: string): Promise<string[]> =>
      (await hybrid({ corpus }).run({ text, askedAt })).evidence.slice(0, 3).map(({ id }) => id);
    const questions = [
      'Who is the Northport squash champion?',
      'Finalists of the Northport squash',
      'Runner-up in Northport squash',
    ];

    it(
      'find the deciding match by words that no passage has, a player named Champion ' +
        'notwithstanding',
      async () => {
        for (const text of questions) {
          for (const year of [2016, 2018])
            assert.ok(
              (await firstThree(text, `${year}-12-31`)).includes(`Northport-${year}-final-0`),
              text,
            );
        }
      },
    );

    it('note the missing and the expansion terms in the trace', async () => {
      const { trace } = await hybrid({ corpus }).run({
        text: questions[0]!,
        askedAt: '2018-12-31',
      });
      const expansion = trace.find(({ stage }) => stage === 'expandQuery')?.notes?.[
        'expansion'
      ] as Expansion;
      assert.deepEqual([expansion.missing, expansion.term], [['champion'], 'final']);
      assert.ok(expansion.similarity > 0 && expansion.similarity < 1);
    });

    it('change nothing if no term is missing or something else decides', async () => {
      for (const text of [
        'Who played in the Northport squash final?',
        'Whom did Ada Keller beat?',
        'Which physician tops the list of trustworthy newspapers?',
      ]) {
        const [plain, expanded] = [hybrid({ corpus, expansion: false }), hybrid({ corpus })];
        const [expected, received] = await Promise.all(
          [plain, expanded].map(
            async (system) => (await system.run({ text, askedAt: '2018-12-31' })).evidence,
          ),
        );
        if (text.startsWith('Which')) continue; // nothing decides there; it must only not fail
        assert.deepEqual(received, expected, text);
      }
    });

    it('print the stage, and omit it by an option', () => {
      assert.ok(String(hybrid({ corpus })).includes('expandQuery'));
      assert.ok(!String(hybrid({ corpus, expansion: false })).includes('expandQuery'));
    });

    it('reject options out of range', () => {
      for (const expansion of [
        { alike: -1 },
        { alike: NaN },
        { alike: 1.5 },
        { fewest: 1 },
        { fewest: 2.5 },
      ]) {
        assert.throws(
          () => hybrid({ corpus, expansion }),
          (error) => AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT',
        );
      }
    });

    it('answer over an empty corpus', async () => {
      const empty = await Corpus.open(folder.path('empty'));
      const { evidence } = await hybrid({ corpus: empty }).run({ text: questions[0]! });
      assert.deepEqual(evidence, []);
      await empty.close();
    });
  });
});
