// MRAG's published code against ours: its line in recorded numbers, and every golden vector of the
// reference where it is at hand.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binding } from '../../../../lib/binding.js';
import { officialCoefficient } from '../../../../lib/papers/mrag/official/mrag.js';
import {
  stripOrderWord,
  type OfficialConstraint,
  officialMonth,
  officialYears,
} from '../../../../lib/papers/mrag/official/question.js';
import { containsAnswer, answerTokens } from '../../../../lib/text/answerTokens.js';
import { keywordForms, type KeywordType } from '../../../../lib/papers/mrag/keywords/keyword.js';

const vectorsFile = join(
  dirname(fileURLToPath(import.meta.url)),
  '../../../../../shared/reference/mrag_vectors.json',
);
const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;

interface Vectors {
  year_identifier: { text: string; years: number[] | null }[];
  implicit_condition: { question: string; result: [string, 'first' | 'last' | null] }[];
  temporal_coefficient: {
    relation: OfficialConstraint['type'];
    order: 'first' | 'last' | null;
    question_years: number[];
    sentence: string;
    coeff: number;
  }[];
  keyword_score: { text: string; keywords: string[][]; types: KeywordType[]; score: number }[];
  has_answer: { answers: string[]; text: string; has: boolean }[];
  find_month: { text: string; month: number | null }[];
}

describe('the published code of MRAG', () => {
  it('draws one line: 0.6 to 1 over fifty years or the interval, 0.5 outside', () => {
    const at = (
      type: OfficialConstraint['type'],
      order: 'first' | 'last' | undefined,
      asked: number[],
      ...years: number[]
    ): number =>
      rounded(officialCoefficient({ type, years: asked, ...(order ? { order } : {}) }, years));
    assert.deepEqual(
      [
        at('before', 'last', [1981], 1970),
        at('before', 'last', [1981], 1981),
        at('before', 'last', [1981], 1931),
        at('before', 'last', [1981], 1930),
      ],
      [0.912, 1, 0.6, 0.5],
    );
    assert.deepEqual(
      [
        at('before', 'first', [1981], 1931),
        at('after', undefined, [2000], 2025),
        at('after', 'first', [2000], 2025),
      ],
      [1, 0.8, 0.8],
    );
    assert.deepEqual(
      [
        at('between', 'last', [1990, 2000], 1995),
        at('between', 'first', [1990, 2000], 1990),
        at('between', 'last', [1990, 2000], 2001),
      ],
      [0.8, 1, 0.5],
    );
    // The year is chosen before the line is read: 1900 is the first allowed, and lies outside the
    // fifty years.
    assert.equal(at('before', 'first', [1981], 1900, 1970), 0.5);
    assert.equal(officialCoefficient({ type: 'after', years: [2000] }, undefined), 0.5);
  });

  describe('gives the golden vectors', () => {
    let vectors: Vectors;
    before(function () {
      if (!existsSync(vectorsFile)) {
        console.log('      not run: the reference vectors (../shared) are not on this machine');
        this.skip();
      }
      vectors = JSON.parse(readFileSync(vectorsFile, 'utf8')) as Vectors;
    });

    it('years and months', () => {
      for (const { text, years } of vectors.year_identifier)
        assert.deepEqual(officialYears(text) ?? null, years, text);
      for (const { text, month } of vectors.find_month)
        assert.equal(officialMonth(text) ?? null, month, text);
    });

    it('words of order', () => {
      for (const { question, result } of vectors.implicit_condition) {
        const { text, order } = stripOrderWord(question);
        assert.deepEqual([text, order ?? null], result, question);
      }
    });

    it('temporal coefficients', () => {
      for (const {
        relation,
        order,
        question_years,
        sentence,
        coeff,
      } of vectors.temporal_coefficient) {
        const constraint = { type: relation, years: question_years, ...(order ? { order } : {}) };
        assert.equal(
          rounded(officialCoefficient(constraint, officialYears(sentence))),
          rounded(coeff),
          `${order} ${relation} ${question_years.join(' ')}: ${sentence}`,
        );
      }
    });

    it('keyword scores', () => {
      for (const { text, keywords, types, score } of vectors.keyword_score) {
        const forms = keywordForms(
          keywords.map((forms, at) => ({ text: forms[0]!, type: types[at]!, forms })),
        );
        assert.equal(rounded(binding.keywordScores([text], forms)[0]!), rounded(score), text);
      }
    });

    it('answers contained, but for the empty one, which is found nowhere here', () => {
      for (const { answers, text, has } of vectors.has_answer) {
        assert.equal(
          answers.some(
            (answer) => answer === '' || containsAnswer(answerTokens(text), answerTokens(answer)),
          ),
          has,
          text,
        );
      }
    });
  });
});
