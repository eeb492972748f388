// Question parsing by a model: accepted parts, and rejected words that the question lacks.
import assert from 'node:assert/strict';
import { parseQuestionWithModel } from '../../../lib/papers/mrag/decompose.js';
import { scripted } from '../../reading/doubles.js';

const text = 'Who was the last owner of the mill built in 1790 before 1902?';
const take = (answer: unknown) =>
  parseQuestionWithModel(
    scripted(() => answer),
    { text, askedAt: '2020-01-01' },
  );
const parts = (over: object) => ({
  mainContent: 'Who was the last owner of the mill built in 1790?',
  constraint: 'before 1902',
  condition: 'last',
  ...over,
});

describe('parseQuestionWithModel', () => {
  it('takes the words from the model and the dates from the tagger', async () => {
    const said = await take(parts({}));
    assert.ok('parsed' in said);
    const { mainContent, constraint, constraints } = said.parsed;
    assert.equal(mainContent, 'Who was the last owner of the mill built in 1790?');
    assert.deepEqual(
      [constraint.relation, constraint.condition, constraint.text, constraint.window!.end],
      ['before', 'last', 'before 1902', Date.UTC(1902, 0)],
    );
    assert.deepEqual(
      constraints.map(({ binds }) => binds),
      [false, true],
    );
  });

  it('accepts another date than the rules, and none', async () => {
    const other = await take(
      parts({ mainContent: 'Who was the last owner of the mill', constraint: 'in 1790' }),
    );
    assert.ok(
      'parsed' in other &&
        other.parsed.constraint.text === 'in 1790' &&
        other.parsed.constraint.binds,
    );
    const none = await take(parts({ constraint: '', condition: 'none' }));
    assert.ok(
      'parsed' in none &&
        none.parsed.constraint.relation === 'none' &&
        none.parsed.constraints.filter(({ binds }) => binds).length === 1,
    );
  });

  it('rejects words that the question lacks', async () => {
    const refused = async (answer: unknown): Promise<string> => {
      const said = await take(answer);
      return 'unusable' in said ? said.unusable : 'parsed';
    };
    assert.match(await refused(parts({ mainContent: 'Who owned the barn?' })), /"owned"/);
    assert.match(await refused(parts({ mainContent: ' ' })), /no main content/);
    assert.match(await refused(parts({ constraint: 'before the war' })), /no date/);
    assert.match(await refused(parts({ condition: 'oldest' })), /does not fit/);
    assert.match(await refused('As a language model I would rather not.'), /text without JSON/);
  });

  it('passes errors of the model and the signal on', async () => {
    const broken = scripted(() => Promise.reject(new Error('no such host')));
    await assert.rejects(parseQuestionWithModel(broken, { text }), { code: 'ERR_MODEL_FAILED' });
    await assert.rejects(
      parseQuestionWithModel(
        scripted(() => parts({})),
        { text },
        {},
        AbortSignal.abort(),
      ),
      { code: 'ERR_ABORTED' },
    );
  });
});
