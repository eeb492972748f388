// Wordings of one series: statements of the name in other words join unless they contradict it, by
// another value for one time that was published at once.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { featureNames, type StatementMatch } from '../../../lib/facts/series/features.js';
import type { SeriesQuestion } from '../../../lib/facts/series/question.js';
import { mergeWordings } from '../../../lib/facts/series/wordings.js';
import { statementsOf, type TestPassage } from './passages.js';

/** Terms: the name, two words of the relation, a value. */
const question = {
  names: [[0]],
  terms: [
    { term: 'grell', name: true, value: false },
    { term: 'price', name: false, value: false },
    { term: 'bread', name: false, value: false },
    { term: '3', name: false, value: true },
  ],
} as unknown as SeriesQuestion;

interface Given extends Partial<TestPassage> {
  /** Bits of the question's terms. Default: all words. */
  matched?: number;
  values: readonly string[];
  nameOverlap?: number;
  valueMissing?: number;
  missing?: number;
}

function matchOf(given: Given): StatementMatch {
  const { matched = 0b111, values, nameOverlap = 1, valueMissing = 0, missing = 0 } = given;
  const passage = statementsOf({ text: 'It rose in 2019.', publishedAt: '2020-01-01', ...given });
  const weights = { nameOverlap, valueMissing, rarityMissing: missing } as Record<string, number>;
  return {
    passage,
    candidate: 0,
    statement: passage.statements[0]!,
    features: Float64Array.from(featureNames, (name) => weights[name] ?? 0),
    matched,
    roles: [],
    isAnchor: false,
    values: new Set(values),
    slots: new Set(values),
  };
}

/** Which of the statements are one series, by their places. */
function merged(...given: Given[]): number[] {
  const matches = given.map(matchOf);
  const found = mergeWordings(question, matches);
  return [...matches.keys()].filter((at) => found.has(matches[at]!));
}

const one: Given = { values: ['5'] };
/** In other words, which say less of the question. */
const other: Given = { values: ['6'], matched: 0b001, missing: 0.5 };

describe('mergeWordings', () => {
  it('keeps apart wordings that give other values for one time', () => {
    assert.deepEqual(merged(one, other), [0]);
    assert.deepEqual(merged(other, one), [1], 'the one that says most leads');
  });

  it('joins wordings that give the same value, or none in common but for other times', () => {
    assert.deepEqual(merged(one, { ...other, values: ['5', '7'] }), [0, 1]);
    assert.deepEqual(merged(one, { ...other, text: 'It rose in 2018.' }), [0, 1]);
    assert.deepEqual(merged(one, { ...other, text: 'It rose in May 2019.' }), [0, 1]);
    assert.deepEqual(merged(one, { ...other, text: 'It rose in 2019, up from 2018.' }), [0]);
    assert.deepEqual(merged(one, { ...other, text: 'Up from 2018, it was 3% in 2019.' }), [0]);
  });

  it('takes a restatement in a later publication for no contradiction', () => {
    assert.deepEqual(merged(one, { ...other, publishedAt: '2020-02-01' }), [0, 1]);
    const { publishedAt: _, ...undated } = matchOf(other).passage.record;
    const match = matchOf(other);
    const unpublished = { ...match, passage: { ...match.passage, record: undated } };
    const first = matchOf(one);
    assert.equal(
      mergeWordings(question, [first, unpublished]).size,
      1,
      'nobody knows which is later',
    );
  });

  it('takes values of one passage for no contradiction', () => {
    const [first, second] = [matchOf(one), matchOf(other)];
    const same = { ...second, passage: first.passage };
    assert.equal(mergeWordings(question, [first, same]).size, 2);
  });

  it('reads the time of the title or the publication where a statement has none', () => {
    const text = 'It rose.';
    const [title, elsewhen] = ['Prices in 2019', 'Prices in 2018'];
    assert.deepEqual(merged(one, { ...other, text, title }), [0]);
    assert.deepEqual(merged(one, { ...other, text, title: elsewhen }), [0, 1]);
    assert.deepEqual(merged({ ...one, text }, { ...other, text }), [0]);
  });

  it('joins statements of the same words without asking for their values', () => {
    assert.deepEqual(merged(one, { ...one, values: ['6'] }, { ...one, values: ['7'] }), [0, 1, 2]);
    // A value of the question is no word of the relation.
    assert.deepEqual(merged(one, { ...one, values: ['6'], matched: 0b1111 }), [0, 1]);
  });

  it('forgives a wording one contradiction in ten, as errors of reading', () => {
    const consistent = Array.from(
      { length: 9 },
      (_, at): Given => ({
        ...other,
        text: `It rose in ${1990 + at}.`,
      }),
    );
    assert.equal(merged(one, ...consistent, other).length, 11);
    assert.equal(merged(one, ...consistent.slice(1), other).length, 1);
  });

  it('joins wordings one after the other: a third must not contradict those that joined', () => {
    const second: Given = { ...other, text: 'It rose in 2018.' };
    const third: Given = { values: ['7'], matched: 0b010, missing: 0.7, text: 'It rose in 2018.' };
    assert.deepEqual(merged(one, third), [0, 1]);
    assert.deepEqual(merged(one, second, third), [0, 1]);
  });

  it('leaves out other names, statements without a value asked for, or that vary in none', () => {
    assert.deepEqual(merged(one, { ...one, nameOverlap: 0.9 }), [0]);
    assert.deepEqual(merged(one, { ...one, nameOverlap: 0.99 }), [0, 1]);
    assert.deepEqual(merged(one, { ...one, valueMissing: 0.2 }), [0]);
    assert.deepEqual(merged(one, { ...one, values: [] }), [0]);
    assert.equal(mergeWordings({ ...question, names: [] }, [matchOf(one)]).size, 0);
    assert.equal(mergeWordings(question, []).size, 0);
  });

  it('does not depend on the order of statements that say differently much', () => {
    const wording = fc.record({
      matched: fc.constantFrom(0b001, 0b011, 0b101, 0b111),
      value: fc.constantFrom('5', '6'),
      year: fc.constantFrom(2018, 2019),
      month: fc.constantFrom('01', '02'),
    });
    fc.assert(
      fc.property(
        fc
          .array(wording, { maxLength: 8 })
          .chain((list) =>
            fc.tuple(
              fc.constant(list),
              fc.shuffledSubarray([...list.keys()], { minLength: list.length }),
            ),
          ),
        ([list, order]) => {
          const matches = list.map(({ matched, value, year, month }) =>
            matchOf({
              matched,
              missing: (7 - matched) / 10,
              values: [value],
              text: `It rose in ${year}.`,
              publishedAt: `2020-${month}-01`,
            }),
          );
          const found = mergeWordings(question, matches);
          const again = mergeWordings(
            question,
            order.map((at) => matches[at]!),
          );
          assert.deepEqual(
            [...again].every((each) => found.has(each)),
            true,
          );
          assert.equal(again.size, found.size);
        },
      ),
    );
  });
});
