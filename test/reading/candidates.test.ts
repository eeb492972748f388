// Candidates of an answer: leaving sentences unread that cannot hold the best changes nothing.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { candidatesOf, leadingCandidates } from '../../lib/reading/candidates.js';
import { parseQuestion } from '../../lib/time/question/question.js';

describe('leadingCandidates', () => {
  const questions = [
    'Who led the Varn Club in 1934?',
    'Which team did Ann Lee play for from 1930 to 1934?',
    'How many people lived in Varn in June 1950?',
    'When did Karl Rau join the Varn Club?',
    'Who won the Varn Cup before 1940?',
    'Which offices did Ann Lee hold?',
    'Where did Karl Rau live?',
    'Who was the first president of Varn?',
    'Who leads Varn?',
  ];
  const kinds = [
    'person',
    'organisation',
    'number',
    'date',
    'place',
    'role',
    'name',
    'score',
    'version',
  ] as const;
  const word = fc.constantFrom(
    'Ann',
    'Lee',
    'Karl Rau',
    'Varn',
    'Club',
    'Cup',
    'of',
    'the',
    'in 1934',
    'from 1930 to 1934',
    '(1936)',
    'until June 1950',
    ',',
    '.',
    '.\n- ',
    'led',
    'won',
    'beat',
    'as secretary',
    'people',
    '1,200',
    '7-6',
    'team',
    'played for',
    'lived at',
    'president',
    '"The Weir"',
    'and',
    'to',
    'was succeeded by',
    'rose from',
    '(1930–1934)',
    'until 1934, when',
    'now',
  );
  const passages = fc.array(
    fc.record({
      text: fc.array(word, { maxLength: 40 }),
      title: fc.array(word, { maxLength: 3 }),
      winner: fc.nat(30),
    }),
    {
      minLength: 1,
      maxLength: 5,
    },
  );

  it('has all candidates within the margin, and the first of the best', () => {
    fc.assert(
      fc.property(
        passages,
        fc.constantFrom(...questions),
        fc.constantFrom(...kinds),
        fc.constantFrom(0, 2),
        (given, text, kind, margin) => {
          const question = parseQuestion({ text, askedAt: '2020-01-01' });
          const read = given.map(({ text, title, winner }, at) => ({
            id: `${at}`,
            text: text.join(' '),
            ...(title.length > 0 ? { title: title.join(' ') } : {}),
            sentence: text.slice(winner).join(' '),
          }));
          const brief = ({
            text,
            passage,
            sentence,
            span,
            score,
          }: ReturnType<typeof candidatesOf>[number]) => [text, passage.id, sentence, span, score];
          const all = candidatesOf(question, read, kind).map(brief);
          const least =
            Math.max(-Infinity, ...all.map(([, , , , score]) => score as number)) - margin;
          const within = (each: typeof all): typeof all =>
            each.filter(([, , , , score]) => (score as number) >= least);
          assert.deepEqual(
            within(leadingCandidates(question, read, kind, margin).map(brief)),
            within(all),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});
