// Robustness under temporal perturbation: hybrid on made-up offices with successive holders, worded
// in several ways, with original and perturbed dates. Floors only; bench/quality/compare.ts has
// figures.
import assert from 'node:assert/strict';
import {
  perturbQuestion,
  type AnswerTimes,
  type DatedQuestion,
} from '../../packages/evaluation/lib/perturbation/perturbQuestion.js';
import { Corpus } from '../../lib/store/corpus.js';
import { hybrid } from '../../lib/systems/hybrid.js';
import type { Relation } from '../../lib/time/constraint.js';
import { temporaryFolder } from '../store/fixtures.js';

const offices = [
  'keeper of Aldra Light',
  'warden of Breck Priory',
  'mayor of Cawston Quay',
  'abbot of Dunmere',
  'curator of the Elmet Museum',
  'harbour master of Fane',
  'editor of the Garth Gazette',
  'head of Holm Academy',
];
const given = [
  'Ada',
  'Bruno',
  'Clara',
  'Dario',
  'Edda',
  'Felix',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Karin',
  'Lukas',
];
const family = [
  'Rolfe',
  'Quist',
  'Marden',
  'Tove',
  'Sallow',
  'Wick',
  'Yarrow',
  'Zell',
  'Orme',
  'Pike',
  'Nash',
  'Lund',
];

/**
 * Wordings of a term: both ends, its beginning, a line of a list, or its end in another sentence.
 */
const wordings = [
  (who: string, office: string, from: number, to: number) =>
    `${who} was ${office} from ${from} to ${to}.`,
  (who: string, office: string, from: number) =>
    `In ${from} ${who} became ${office}. The town had known the family for long.`,
  (who: string, _: string, from: number, to: number) => `- ${who} (${from}-${to})`,
  (who: string, office: string, from: number, to: number) =>
    `${who} took over as ${office} in ${from}. Bad health ended the term in ${to}.`,
];

describe('hybrid under perturbed constraints', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  const questions: DatedQuestion[] = [];

  before(async () => {
    corpus = await Corpus.open(folder.path('c'));
    const passages = offices.flatMap((office, o) => {
      const place = office.replace(/^.*? of (?:the )?/, '');
      const starts = Array.from(
        { length: 6 },
        (_, n) => 1880 + 3 * o + 17 * n + ((o * 7 + n * 5) % 6),
      );
      const holds = (n: number): AnswerTimes => ({
        validFrom: String(starts[n]),
        validTo: String(starts[n + 1]! - 1),
      });
      const holders = starts.slice(0, -1).map((from, n) => {
        const who = `${given[(o * 5 + n) % given.length]!} ${family[(o * 3 + n * 7) % family.length]!}`;
        const id = `${place} ${n}`;
        const others = starts
          .slice(0, -1)
          .flatMap((_, other) => (other === n ? [] : [holds(other)]));
        questions.push({
          id,
          text: `Who was the ${office} in ${from + 2}?`,
          answers: [who],
          ...holds(n),
          others,
        });
        return {
          id,
          title: place,
          text: wordings[(o + n) % wordings.length]!(who, office, from, starts[n + 1]! - 1),
        };
      });
      const distractors = [
        {
          id: `${place} lead`,
          title: place,
          text: `${place} lies by the sea. It has had an office of its own since 1880, and the ${office} is paid by the county.`,
        },
        {
          id: `${place} fire`,
          title: place,
          text: `A storm broke the roof in ${starts[2]! + 4}, and in ${starts[3]! + 6} the road was paved.`,
        },
      ];
      return [...holders, ...distractors];
    });
    await corpus.add(passages);
  });
  after(() => corpus.close());

  /** Shares of the questions whose own passage comes first, and among the first three. */
  async function hits(
    questions: readonly { text: string; id: string }[],
  ): Promise<[number, number]> {
    const system = hybrid({ corpus });
    let [first, third] = [0, 0];
    for (const { text, id } of questions) {
      const { evidence } = await system.run({ text, askedAt: '2020-01-01' }, { k: 3 });
      first += Number(evidence[0]?.id === id);
      third += Number(evidence.some((each) => each.id === id));
    }
    return [first / questions.length, third / questions.length];
  }

  it('finds the holder in a year inside the term, from passages with its ends only', async () => {
    const [first, third] = await hits(questions);
    assert.ok(first >= 0.9 && third >= 0.97, `${first} ${third}`);
  });

  for (const relation of [
    'in',
    'on',
    'as of',
    'by',
    'until',
    'before',
    'after',
    'since',
    'between',
    'from-to',
    'around',
  ] as const satisfies readonly Relation[]) {
    it(`keeps them under "${relation}"`, async () => {
      const forms = questions.flatMap((question) =>
        perturbQuestion(
          { ...question, askedAt: '2020-01-01' },
          { seed: 3, perQuestion: 1, relations: [relation] },
        ).map(({ text }) => ({
          text,
          id: question.id,
        })),
      );
      assert.ok(forms.length >= 30, `${forms.length} forms`);
      const [first, third] = await hits(forms);
      // "After 1990" asks for who came then as often as for who held the office at its end.
      const isOpen = relation === 'after' || relation === 'since';
      assert.ok(
        first >= (isOpen ? 0.5 : 0.7) && third >= (isOpen ? 0.8 : 0.95),
        `${first.toFixed(2)} ${third.toFixed(2)} of ${forms.length}`,
      );
    });
  }
});
