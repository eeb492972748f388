// The bench's classing of failures: each class on a case made for it, and that the features it
// calls time's are the ranker's.
import assert from 'node:assert/strict';
import { blame, blameOfAnswer, lostBy, type Failure } from '../../../bench/quality/blame.js';
import { parseQuestion } from '../../../lib/time/index.js';
import type { Evidence } from '../../../lib/index.js';

const evidence = (id: string, score: number, extra: Partial<Evidence> = {}): Evidence => ({
  id,
  rank: 1,
  score,
  scores: {},
  text: `passage ${id}`,
  ...extra,
});
const question = (text: string) => parseQuestion({ text, askedAt: '2020-01-01' });
const failure = (change: Partial<Failure> = {}): Failure => ({
  question: question('Who kept the lighthouse in 1908?'),
  answers: ['Ilse Marn'],
  ranking: [
    evidence('w', 0.9, { title: 'Lighthouse', scores: { temporal: 0.6 } }),
    evidence('r', 0.5, { title: 'Lighthouse', scores: { temporal: 0.6 } }),
  ],
  right: [{ id: 'r', text: 'passage r' }],
  wasCandidate: true,
  ...change,
});
const ranked = (first: Partial<Evidence>, right: Partial<Evidence>): Partial<Failure> => ({
  ranking: [evidence('w', 0.9, first), evidence('r', 0.6, right)],
});

describe('blame', () => {
  it('a first passage that has the answer was judged wrong, whatever else', () => {
    assert.equal(
      blame(failure({ ...ranked({ text: 'Ilse Marn kept it.' }, {}), wasCandidate: false })),
      'judgement',
    );
    assert.equal(
      blame(failure(ranked({ title: 'Ilse Marn' }, { title: 'Lighthouse' }))),
      'otherPage',
    ); // a title alone is no statement
  });

  it('a year that no constraint took is the question processing', () => {
    const asked = question('Who kept the lighthouse in 1908?');
    assert.equal(blame(failure({ question: { ...asked, constraints: [] } })), 'constraint');
    assert.equal(
      blame(
        failure({
          question: {
            ...asked,
            constraints: asked.constraints.map((each) => ({ ...each, binds: false })),
          },
        }),
      ),
      'constraint',
    );
    assert.equal(
      blame(
        failure({
          question: {
            ...asked,
            text: 'Since 1850 it has burned. Who kept the lighthouse in 1908?',
          },
        }),
      ),
      'constraint',
    );
    for (const text of [
      'Who kept it in the early 1990s?',
      'Who kept it between Nov 1918 and Jul 1919?',
      'Who kept it before Mar 1811?',
      'Who kept it?',
      'Who kept it in the 1840s?',
    ]) {
      assert.equal(blame(failure({ question: question(text) })), 'samePage', text);
    }
  });

  it('what was no candidate, or was cut, is the retrieval', () => {
    assert.equal(blame(failure({ wasCandidate: false })), 'retrieval');
    assert.equal(blame(failure({ ranking: [evidence('w', 0.9)] })), 'cut');
  });

  it('a lower time is the ranking by time, by what the right passage says of it', () => {
    const first = { scores: { temporal: 1 } };
    const right = { scores: { temporal: 0.5 } };
    assert.equal(
      blame(
        failure(
          ranked(first, { ...right, dates: [{ start: 0, end: 1, granularity: 'year' }] as never }),
        ),
      ),
      'relation',
    );
    assert.equal(
      blame(failure(ranked(first, { ...right, text: 'built in May 1908' }))),
      'relation',
    ); // dated, though its best sentence is not
    assert.equal(blame(failure(ranked(first, right))), 'undated');
  });

  it('where relevance makes most of the gap it is relevance', () => {
    const relevance = ranked(
      { title: 'A', scores: { temporal: 0.6 } },
      { title: 'A', scores: { temporal: 0.55 } },
    );
    assert.equal(blame(failure(relevance)), 'samePage');
    assert.equal(blame(failure(ranked({ title: 'B' }, { title: 'A' }))), 'otherPage');
    assert.equal(blame(failure(ranked({}, {}))), 'otherPage');
  });

  it('shares of a ranker are told apart into time, form and the rest', () => {
    const of = (score: number, outside: number, cosine: number, length = 0): Evidence =>
      evidence('x', score, {
        shares: { bias: score - outside - cosine - length, outside, cosine, length },
      });
    assert.equal(lostBy(of(7, 3, 1), of(6, 1, 2)), 'time');
    assert.equal(lostBy(of(7, 3, 1), of(6, 3, 0)), 'relevance');
    assert.equal(lostBy(of(7, 1, 1), of(6, 2, 0)), 'relevance');
    assert.equal(lostBy(of(7, 1, 1, 2), of(6, 0.5, 1, 0)), 'form');
  });

  it('wrong answers are the retrieval, the form or the reader', () => {
    const of = (given: string, rightAmongFive: boolean, f1 = 0) =>
      blameOfAnswer({ rightAmongFive, f1, given, answers: ['Ilse Marn'] });
    assert.equal(of('Ilse Marn of Arda', false), 'retrieval');
    assert.equal(of('Ilse Marn of Arda', true), 'format');
    assert.equal(of('Marn', true), 'format');
    assert.equal(of('Tomas Orel', true), 'reader');
    assert.equal(of('', true), 'reader');
  });
});
