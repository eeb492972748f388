// Perturbed questions keep their answer, by an oracle that walks the line of time instead of
// comparing ends, and read back as the constraint they were made for.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { conditions, relations } from '../../../lib/time/constraint.js';
import { parseQuestion } from '../../../lib/time/index.js';
import {
  perturbQuestion,
  type DatedQuestion,
  type PerturbedQuestion,
  type PerturbOptions,
} from '../lib/index.js';

const day = 86_400_000;
const at = (year: number, month = 1, date = 1): number => Date.UTC(year, month - 1, date);
const iso = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

interface Stretch {
  start: number;
  end: number;
}

/**
 * The pieces of a stretch between all instants at which anything changes, in order, each with the
 * answers that hold there.
 */
function walk(
  stretch: Stretch,
  states: readonly Stretch[],
): { piece: Stretch; holders: number[] }[] {
  const cuts = [...states, stretch]
    .flatMap(({ start, end }) => [start, end])
    .filter((cut) => cut >= stretch.start && cut <= stretch.end);
  const sorted = [...new Set(cuts)].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => {
    const piece = { start: sorted[index]!, end };
    const inside = Number.isFinite(piece.start)
      ? Number.isFinite(end)
        ? (piece.start + end) / 2
        : piece.start + 1
      : end - 1;
    return {
      piece,
      holders: states.flatMap((state, holder) =>
        state.start <= inside && inside < state.end ? [holder] : [],
      ),
    };
  });
}

/** Whether state 0, and it alone, answers: by walking to the deciding piece. */
function answers(
  { condition, relation, interval }: PerturbedQuestion,
  states: readonly Stretch[],
): boolean {
  const { start, end } = interval;
  const open: Record<string, Stretch> = {
    'as of': { start: -Infinity, end },
    until: { start: -Infinity, end },
    by: { start: -Infinity, end },
    before: { start: -Infinity, end: start },
    after: { start: end, end: Infinity },
    since: { start, end: Infinity },
    around: { start: 2 * start - end, end: 2 * end - start },
  };
  const pieces = walk(open[relation] ?? { start, end }, states);
  const only = (holders: readonly number[]): boolean => holders.length === 1 && holders[0] === 0;
  if (relation === 'as of' && condition === 'none')
    return walk({ start, end }, states).every(({ holders }) => only(holders));
  const held = pieces.filter(({ holders }) => holders.length > 0);
  if (condition === 'none' || relation === 'around')
    return held.length > 0 && held.every(({ holders }) => only(holders));
  const deciding = condition === 'first' || condition === 'earliest' ? held[0] : held.at(-1);
  return deciding !== undefined && only(deciding.holders);
}

const contents = [
  'Who was the keeper of the light',
  'Who owned the old mill',
  'Which team did Ada Brook play for',
  'When did the ferry run',
  "Who is Ann Field's deputy",
  'What was the name of the inn',
];

/** A line of states: gaps and overlaps between them, the first one drawn being the answer. */
const line = fc.record({
  content: fc.constantFrom(...contents),
  first: fc.integer({ min: at(1200) / day, max: at(2000) / day }),
  states: fc.array(
    fc.record({
      gap: fc.integer({ min: -900, max: 2500 }),
      days: fc.integer({ min: 1, max: 6000 }),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  answer: fc.nat(4),
  seed: fc.integer(),
  perQuestion: fc.integer({ min: 1, max: 12 }),
});

function statesOf({
  first,
  states,
  answer,
}: {
  first: number;
  states: { gap: number; days: number }[];
  answer: number;
}): Stretch[] {
  let start = first;
  const all = states.map(({ gap, days }) => {
    const state = { start: (start + gap) * day, end: (start + gap + days) * day };
    start += gap + days;
    return state;
  });
  const chosen = all.splice(answer % all.length, 1);
  return [...chosen, ...all];
}

const times = ({ start, end }: Stretch): { validFrom: string; validTo: string } => ({
  validFrom: iso(start),
  validTo: iso(end - day),
});

function checkReading({ text, condition, relation, interval, window }: PerturbedQuestion): void {
  const { constraint } = parseQuestion({ text });
  assert.deepEqual(
    [constraint.condition, constraint.relation, constraint.interval, constraint.window],
    [condition, relation, interval, window],
    text,
  );
}

describe('perturbation of dated questions', () => {
  it('keeps the answer, and it alone, where the other answers are known', () => {
    fc.assert(
      fc.property(line, ({ content, seed, perQuestion, ...drawn }) => {
        const states = statesOf(drawn);
        const question: DatedQuestion = {
          id: 'q',
          text: `${content}?`,
          ...times(states[0]!),
          others: states.slice(1).map(times),
        };
        for (const perturbed of perturbQuestion(question, {
          seed,
          perQuestion,
          avoidOverlap: seed % 2 === 0,
        })) {
          checkReading(perturbed);
          assert.ok(
            answers(perturbed, states),
            `${perturbed.text} of ${JSON.stringify(states.map(times))}`,
          );
        }
      }),
      { numRuns: 150 },
    );
  });

  it('keeps the answer, whatever others there are, where they are not known', () => {
    fc.assert(
      fc.property(line, ({ content, seed, perQuestion, ...drawn }) => {
        const [state] = statesOf(drawn);
        const others = [
          { start: -Infinity, end: state!.start },
          { start: state!.end, end: Infinity },
        ];
        for (const perturbed of perturbQuestion(
          { id: 'q', text: `${content}?`, ...times(state!) },
          { seed, perQuestion },
        )) {
          checkReading(perturbed);
          assert.ok(answers(perturbed, [state!, ...others]), perturbed.text);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps the answer for every day of its vague ends, and shows none of its years', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1500, max: 1990 }),
        fc.integer({ min: 2, max: 30 }),
        fc.integer(),
        (first, years, seed) => {
          const last = first + years;
          const text = `Who owned the old mill from ${first} to ${last}?`;
          const others = [
            { validFrom: first - 9, validTo: first - 1 },
            { validFrom: last + 1, validTo: last + 8 },
          ].map(({ validFrom, validTo }) => ({
            validFrom: String(validFrom),
            validTo: String(validTo),
          }));
          const before = { start: at(first - 9), end: at(first) };
          const after = { start: at(last + 1), end: at(last + 9) };
          for (const perturbed of perturbQuestion(
            { id: 'q', text, others },
            { seed, perQuestion: 8 },
          )) {
            checkReading(perturbed);
            assert.doesNotMatch(perturbed.text, new RegExp(`\\b(?:${first}|${last})\\b`));
            for (const state of [
              { start: at(first), end: at(last + 1) },
              { start: at(first, 12, 31), end: at(last, 1, 2) },
            ])
              assert.ok(answers(perturbed, [state, before, after]), perturbed.text);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds almost every combination where the answer allows it', () => {
    const made = (question: Omit<DatedQuestion, 'id'>, options: PerturbOptions = {}): Set<string> =>
      new Set(
        perturbQuestion({ id: 'q', ...question }, options).map(
          ({ condition, relation }) => `${condition} ${relation}`,
        ),
      );
    const alone = made({
      text: 'Who was the keeper of the light?',
      validFrom: '1914',
      validTo: '1930',
      others: [],
    });
    assert.equal(alone.size, conditions.length * relations.length);
    const unknown = made({ text: 'Who owned the old mill from 1914 to 1930?' });
    for (const pair of [
      'none as of',
      'none in',
      'none on',
      'none between',
      'none from-to',
      'last as of',
      'last by',
      'latest before',
      'first since',
      'earliest after',
    ])
      assert.ok(unknown.has(pair), pair);
    for (const pair of ['none before', 'none since', 'first as of', 'last after'])
      assert.ok(!unknown.has(pair), pair);
    assert.deepEqual(
      [
        ...made(
          { text: 'Who owned the old mill?', validFrom: '1914', validTo: '1930' },
          { conditions: ['last'], relations: ['by'] },
        ),
      ],
      ['last by'],
    );
    assert.ok(
      [
        ...made({ text: 'Who was the first keeper of the light from 1914 to 1930?', others: [] }),
      ].every((pair) => pair.startsWith('first ')),
    );
  });

  it('is deterministic by seed, differs between seeds, and has distinct ids', () => {
    const question: DatedQuestion = {
      id: 'q7',
      text: 'Who owned the old mill from 1914 to 1930?',
      answers: ['Ada Brook'],
      askedAt: '2001-01-01',
    };
    const first = perturbQuestion(question, { seed: 3, perQuestion: 9 });
    assert.equal(first.length, 9);
    assert.deepEqual(perturbQuestion(question, { seed: 3, perQuestion: 9 }), first);
    assert.notDeepEqual(perturbQuestion(question, { seed: 4, perQuestion: 9 }), first);
    assert.deepEqual(perturbQuestion(question, { seed: 3, perQuestion: 4 }), first.slice(0, 4));
    const all = perturbQuestion(question);
    assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
    for (const { id, originalId, answers: kept, askedAt, interval } of all) {
      assert.match(id, /^q7~[a-z]+-[a-z-]+-(?:year|month|day)$/);
      assert.deepEqual([originalId, kept, askedAt], ['q7', ['Ada Brook'], '2001-01-01']);
      assert.ok(interval.end <= at(2001, 1, 2));
    }
  });

  it('keeps what belongs to the answer and to the run, and drops the times of the answer', () => {
    const kept = {
      answers: ['Ada Brook'],
      goldEvidence: ['Ada Brook owned the old mill from 1914 until 1930.'],
      askedAt: '2001-01-01',
      asRecorded: '2020-06-30',
      excluded: ['d3'],
    };
    const times = { validFrom: '1914', validTo: '1930', others: [{ validFrom: '1931' }] };
    const forms = perturbQuestion(
      { id: 'q', text: 'Who owned the old mill?', ...kept, ...times },
      { perQuestion: 5 },
    );
    assert.equal(forms.length, 5);
    for (const form of forms) {
      const { id, originalId, text, condition, relation, interval, window, ...rest } = form;
      assert.deepEqual(rest, kept, `${id} ${originalId} ${text} ${condition} ${relation}`);
      assert.ok(interval.start < interval.end && (window || relation === 'around'));
    }
  });

  it('refuses questions without a stretch and options out of range', () => {
    const refused = (question: Partial<DatedQuestion>, options: PerturbOptions = {}): void =>
      assert.throws(
        () =>
          perturbQuestion(
            { id: 'q', text: 'Who owned the old mill from 1914 to 1930?', ...question },
            options,
          ),
        {
          code: 'ERR_INVALID_ARGUMENT',
        },
      );
    refused({ text: 'Who owned the old mill?' });
    refused({ text: 'Who owned the old mill after 1914?' });
    refused({ validFrom: '1930', validTo: '1914' });
    refused({ validFrom: 'then' });
    refused({ others: [{ validFrom: '1930', validTo: '1914' }] });
    refused({}, { seed: 0.5 });
    refused({}, { perQuestion: 0 });
    refused({}, { relations: ['at' as 'in'] });
    refused({}, { granularities: ['week' as 'day'] });
  });
});
