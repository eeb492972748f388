// Members of candidates: of any text, and of questions that are asked at the same time, while the
// lexicon of their corpus grows.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../../lib/binding.js';
import { Matches } from '../../../lib/facts/features/matches.js';
import { memberTable } from '../../../lib/facts/members/members.js';
import { exceptNeighbour } from '../../../lib/facts/members/neighbour.js';
import { withNamesOfInitials } from '../../../lib/facts/question/names.js';
import { plainQuestion } from '../../../lib/facts/question/plainQuestion.js';
import { seriesQuestion } from '../../../lib/facts/question/question.js';
import type { PassageStatements } from '../../../lib/statements/statements.js';
import { Corpus, hybrid, type Passage } from '../../../lib/index.js';
import { atOnce } from '../../../lib/runtime/eventLoop.js';
import { temporaryFolder } from '../../store/fixtures.js';
import { encoder, lexicon, statementsOf, type TestPassage } from '../passages.js';

const pieces = [
  ...["Ida's", 'mime-db', 'v1.2', '$1,234', '−3', 'U.S.', '“Yes.”', 'in May 2019', 'Grell. '],
  ...['until 1934', '(x_y)', '@a/b', 'naïve', '漢字', '𝒳', '\n', '1.2aİ', 'ΟΔΟΣ', '\ud835', '\0'],
  ...['Which mill', 'the first', 'after CVE-2019-1204', 'as of 2020', 'ECB', 'latest'],
];
/** Any text, with lone surrogates. */
const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(' ')),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.nat(0xffff), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
);

/** Members as `candidateMembers` makes them, of passages that are no corpus's. */
function membersOf(text: string, passages: readonly PassageStatements[]) {
  const question = seriesQuestion(
    { text: withNamesOfInitials(text, passages, lexicon), askedAt: Date.UTC(2024, 0, 1) },
    {
      idf: (terms) => new Float64Array(terms.length).fill(3),
      rarity: encoder.rarity,
      hasCompound: () => false,
      opensTitle: () => false,
      isCapitalised: () => false,
      isUncommon: () => false,
    },
  );
  const handles = passages.map(({ handle }) => handle);
  const pool = binding.openPool(lexicon.handle, handles, plainQuestion(question, encoder));
  const { weighed, ends } = binding.poolTexts(pool, new Uint32Array());
  const matches = new Matches(
    lexicon,
    passages,
    binding.matchStatements(
      pool,
      new Float64Array(weighed.length).fill(3),
      new Float64Array(question.terms.length).fill(3),
      new Float64Array(passages.length).fill(0.5),
      new Float64Array(ends.length - 1).fill(0.5),
    ),
  );
  binding.compareMatches(matches.columns.handle, exceptNeighbour(question, matches));
  const similarity = new Float64Array(passages.length);
  return atOnce(memberTable(question, matches, { similarity, coverage: similarity }));
}

describe('members of candidates', () => {
  const passage: fc.Arbitrary<TestPassage> = fc.record(
    { text: anyText, title: anyText, publishedAt: fc.constantFrom('2019-05-01', '2022-01-31') },
    { requiredKeys: ['text'] },
  );

  it('are made of any text for any question, and its words slice back to it', () => {
    fc.assert(
      fc.property(fc.array(passage, { maxLength: 3 }), anyText, (given, text) => {
        const passages = given.map(statementsOf);
        const table = membersOf(text, passages);
        assert.ok(table.features.every((value) => !Number.isNaN(value)));
        assert.ok(table.candidate.every((each) => each >= 0 && each < passages.length));
        for (const { record, title, statements } of passages)
          for (const { words, isTitle } of [...statements, { words: title, isTitle: true }])
            for (const { start, end, low } of words) {
              const written = (isTitle ? record.title! : record.text).slice(start, end);
              // In small letters it may take more units than it has.
              assert.ok(written.toLowerCase().startsWith(low), JSON.stringify([written, low]));
            }
      }),
      { numRuns: 500 },
    );
  });

  const folder = temporaryFolder();

  it('are found in a corpus of any texts', async () => {
    const texts = fc.sample(anyText, 80).map((text) => text.toWellFormed());
    await using corpus = await Corpus.open(folder.path('any.asof'));
    await corpus.add(
      texts.map((text, at): Passage => ({ id: `${at}`, text: `x ${text}`, title: texts.at(-at)! })),
    );
    for (const text of texts.slice(0, 40)) {
      const { evidence } = await hybrid({ corpus }).run({ text: `x ${text}` }, { k: 80 });
      assert.ok(evidence.every(({ score }) => score >= 0 && score <= 1));
      assert.ok(evidence.length > 0, text);
    }
  });

  it('are those of each question alone, of questions at the same time', async () => {
    const towns = [
      'Tannau',
      'Grell',
      'Velm',
      'Lohr',
      'Ulm',
      'Adlau',
      'Brant',
      'Hees',
      'Ober',
      'Wied',
    ];
    const offices = ['mayor', 'warden', 'baker', 'miller', 'teacher'];
    // Words of each passage's own, so that the lexicon grows with every passage that is read.
    const passages = Array.from({ length: 200 }, (_, at): Passage => {
      const [town, office] = [towns[at % 10]!, offices[Math.floor(at / 10) % 5]!];
      const [year, name] = [1900 + ((7 * at) % 97), `Ida N${at.toString(36)}el`];
      return {
        id: `p${at}`,
        title: `${office} of ${town}`,
        text:
          `${name} became ${office} of ${town} in ${year}. The q${at}w and the w${at}q of ` +
          `${town} were ${name}'s. In ${year + 5} ${name} left.`,
        publishedAt: `${year + 6}-03-01`,
      };
    });
    const questions = Array.from({ length: 30 }, (_, at) => {
      const [town, office] = [towns[(3 * at) % 10]!, offices[at % 5]!];
      const asked = [
        `Who was the ${office} of ${town} as of ${1910 + 2 * at}?`,
        `Who was the latest ${office} of ${town}?`,
        `Who was ${office} of ${town} after Ida N${at.toString(36)}el?`,
      ][at % 3]!;
      return { text: asked, askedAt: '2020-01-01' };
    });
    const path = folder.path('concurrent.asof');
    {
      await using corpus = await Corpus.open(path);
      await corpus.add(passages);
    }
    const ask = async (corpus: Corpus, question: (typeof questions)[number]) => {
      const result = await hybrid({ corpus }).run(question, { k: 20 });
      const { answer, unanswered, dropped } = result;
      const evidence = result.evidence.map(({ id, score, scores, shares, sentence }) => [
        ...[id, score, scores, shares, sentence],
      ]);
      return { evidence, answer, unanswered, dropped };
    };
    await using together = await Corpus.open(path);
    const concurrent = await Promise.all(questions.map((each) => ask(together, each)));
    assert.ok(concurrent.every(({ evidence }) => evidence.length > 0));
    await using another = await Corpus.open(path);
    for (const [at, question] of questions.entries())
      assert.deepEqual(await ask(another, question), concurrent[at], question.text);
    // Of a lexicon that has grown, in another order.
    for (const [at, question] of [...questions.entries()].reverse())
      assert.deepEqual(await ask(another, question), concurrent[at], question.text);
  });
});
