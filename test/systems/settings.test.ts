// Options of systems as plain JSON: numeric options, settings by path, and rejection of settings
// without effect.
import assert from 'node:assert/strict';
import { Corpus, type System } from '../../lib/index.js';
import { createSystem, systemNames } from '../../lib/papers/index.js';
import { numericOptions, optionsAt } from '../../packages/training/lib/tuneOptions.js';
import { needed } from '../reranker.js';
import { temporaryFolder } from '../store/fixtures.js';

describe('settings of systems', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  before(async () => {
    corpus = await Corpus.open(folder.path('corpus'));
  });
  after(() => corpus.close());
  const make = (name: string, settings: Record<string, unknown>): System =>
    createSystem(name, { corpus, ...needed(name), settings });

  it('accepts every number that a system shows', () => {
    for (const name of systemNames) {
      const { options } = createSystem(name, { corpus, ...needed(name) });
      const numbers = numericOptions(options);
      for (const [path, value] of Object.entries(numbers)) {
        const made = make(name, optionsAt(options, { [path]: value }));
        assert.deepEqual(numericOptions(made.options), numbers, `${name} ${path}`);
      }
    }
  });

  it('sets a number by path and keeps the rest of its option', () => {
    const { options } = createSystem('tempralm', { corpus });
    assert.deepEqual(optionsAt(options, { weight: 0.5, 'relevance.semantic': 0.3 }), {
      weight: 0.5,
      relevance: { semantic: 0.3, lexical: 0 },
    });
    assert.deepEqual(make('tempralm', { weight: 0.5 }).options['weight'], 0.5);
    assert.throws(() => optionsAt(options, { 'a.b.c': 1 }), { code: 'ERR_INVALID_ARGUMENT' });
  });

  it('accepts options that are shown in parts, and those of variants', () => {
    assert.equal(make('hybrid', { question: { partsOfDecade: [3, 7] } }).name, 'hybrid');
    assert.deepEqual(
      make('reimplementation+metadata', { metadata: { versions: 'title' } }).options['metadata'],
      { versions: 'title' },
    );
  });

  it('rejects unknown options, and options that are no JSON', () => {
    assert.throws(() => make('tempralm', { wait: 1 }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /options of tempralm .*weight/,
    });
    assert.throws(() => make('dense', { relevance: { semantic: 0.5, lexical: 0.5 } }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.throws(() => make('hybrid', { corpus: {} }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /Pass corpus as an option of its own/,
    });
    assert.throws(() => make('hybrid', [] as never), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /an object of options/,
    });
  });
});
