// Questions made from facts: their time is answered by the fact, and the library's own parser reads
// it back.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseQuestion, tagText } from '../../../../lib/time/index.js';
import { seededRandom } from '../../../../lib/text/random.js';
import { factsOf } from '../../lib/mining/facts.js';
import { coverage } from '../../lib/mining/overlap.js';
import { writeQuestion } from '../../lib/mining/questions.js';
import { questionTime } from '../../lib/mining/questionTime.js';

const factsIn = (text: string, title?: string) =>
  factsOf({ text, ...(title ? { title } : {}) }, tagText(text).mentions);

describe('mined questions', () => {
  it('facts are the dated sentences, with the words that are neither time, name nor title', () => {
    const [fact, ...others] = factsIn(
      'The mill was quiet. In March 1911 Ada Brook was elected treasurer of the Marsh Mill ' +
        'council. It rained.',
      'Marsh Mill',
    );
    assert.equal(others.length, 0);
    assert.equal(fact!.entity, 'Marsh Mill');
    assert.equal(new Date(fact!.interval.start).toISOString(), '1911-03-01T00:00:00.000Z');
    assert.deepEqual(fact!.keywords, ['elected', 'treasurer', 'council']);
    assert.equal(
      factsIn('In March 1911 the poet Ada Brook was elected treasurer.')[0]!.entity,
      'Ada Brook',
    );
    assert.deepEqual(factsIn('Nothing is dated here, and nothing that is short.', 'Mill'), []);
  });

  it('every requested time is answered by the fact, and parses back to its window', () => {
    const span = fc.tuple(
      fc.integer({ min: -300 * 365, max: 50 * 365 }),
      fc.integer({ min: 1, max: 20 * 365 }),
    );
    fc.assert(
      fc.property(span, fc.nat(), ([day, days], seed) => {
        const fact = { start: day * 864e5, end: (day + days) * 864e5 };
        const { relation, window, words } = questionTime(fact, seededRandom(seed, 'q'));
        assert.ok(
          coverage(fact, window) > 0,
          `${words} does not meet ${new Date(fact.start).toISOString()}`,
        );
        const { constraint } = parseQuestion({ text: `Who kept the mill ${words}?` });
        const read =
          constraint.relation === 'from-to'
            ? 'between'
            : constraint.relation === 'on'
              ? 'in'
              : constraint.relation;
        assert.equal(
          read,
          relation === 'from-to' ? 'between' : relation === 'on' ? 'in' : relation,
          words,
        );
        if (['in', 'on', 'between', 'from-to'].includes(relation))
          assert.deepEqual(constraint.window, window, words);
      }),
      { numRuns: 500 },
    );
  });

  it('wordings vary by the statement, and repeat for a seed', () => {
    const [fact] = factsIn(
      'In 1911 Ada Brook was elected treasurer of the council and secretary of the guild.',
      'Marsh Mill',
    );
    const texts = Array.from(
      { length: 60 },
      (_, i) => writeQuestion(fact!, seededRandom(1, `q${i}`)).text,
    );
    assert.ok(new Set(texts).size > 30);
    assert.ok(
      texts.every(
        (text) => /Marsh Mill/.test(text) && /1[89]\d\d/.test(text) && !/[{}]/.test(text),
      ),
      texts.join('\n'),
    );
    assert.ok(texts.some((text) => /position|office|post/.test(text)));
    assert.equal(
      writeQuestion(fact!, seededRandom(7, 'a')).text,
      writeQuestion(fact!, seededRandom(7, 'a')).text,
    );
  });
});
