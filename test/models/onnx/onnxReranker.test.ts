// The ONNX reranker with the real runtime on a cross-encoder's double: scores against the float64
// oracle, pairs that are too long, faults of folders named. Skipped where onnxruntime-node is not
// installed; the thread's states are tested with the encoder's.
import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../lib/errors.js';
import {
  onnxReranker,
  type OnnxReranker,
  type OnnxRerankerOptions,
} from '../../../lib/models/onnx/onnxReranker.js';
import { rerankTexts } from '../../../lib/vectors/reranker.js';
import { pairOracle, positions, runtimeIsInstalled, writeDouble, type Folder } from './double.js';
import { failsWith } from '../../failsWith.js';
import { temporaryFolder } from '../../store/fixtures.js';

type FolderSettings = Omit<Extract<OnnxRerankerOptions, { path: string }>, 'path'>;

describe('vectors: the ONNX reranker', () => {
  const root = temporaryFolder();
  const open: OnnxReranker[] = [];
  let count = 0;
  const folder = (given: Folder = {}): string =>
    writeDouble(root.path(String((count += 1))), { output: 'logits', ...given });
  const reranker = async (
    options: FolderSettings = {},
    given: Folder = {},
  ): Promise<OnnxReranker> => {
    const opened = await onnxReranker({ path: folder(given), ...options });
    open.push(opened);
    return opened;
  };
  const close = (found: ArrayLike<number>, expected: readonly number[]): void => {
    assert.equal(found.length, expected.length);
    expected.forEach((value, i) =>
      assert.ok(Math.abs(found[i]! - value) < 1e-5, `text ${i}: ${found[i]} for ${value}`),
    );
  };
  const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit));

  before(function () {
    if (runtimeIsInstalled()) return;
    console.log(
      '      onnxruntime-node is not installed: the ONNX reranker is not tested ' +
        '(ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node)',
    );
    this.skip();
  });
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

  const query = 'the king of spain';
  const texts = [
    'born in 1944',
    'spain',
    '',
    'the king was born',
    'Unheard words',
    'a passage',
    'born in 1944',
  ];

  it("gives the oracle's scores for pairs, whatever shares a batch", async () => {
    const logits = texts.map((text) => pairOracle(query, text)[0]!);
    assert.ok(Math.max(...logits) - Math.min(...logits) > 0.1, 'the double tells texts apart');
    for (const batchSize of [1, 2, 16]) {
      close(await (await reranker({ batchSize, activation: 'none' })).score(query, texts), logits);
      close(await rerankTexts(await reranker({ batchSize }), query, texts), logits.map(sigmoid));
    }
    const { score } = await reranker({ batchSize: 2 });
    const many = Array.from({ length: 41 }, (_, i) => texts[i % texts.length]!);
    const [forward, backward] = await Promise.all([
      score(query, many),
      score('a passage of spain', many),
    ]);
    close(
      forward,
      many.map((text) => sigmoid(pairOracle(query, text)[0]!)),
    );
    close(
      backward,
      many.map((text) => sigmoid(pairOracle('a passage of spain', text)[0]!)),
    );
    assert.equal((await score(query, [])).length, 0);
  });

  it('takes two classes as the margin of the relevant one', async () => {
    const margins = texts.map((text) => {
      const [no, yes] = pairOracle(query, text, 2) as [number, number];
      return yes - no;
    });
    close(
      await (await reranker({ activation: 'none' }, { classes: 2 })).score(query, texts),
      margins,
    );
    close(await (await reranker({}, { classes: 2 })).score(query, texts), margins.map(sigmoid));
    close(
      await (await reranker({ positive: 0 }, { classes: 2 })).score(query, texts),
      margins.map((margin) => sigmoid(-margin)),
    );
  });

  it('truncates the longer text of a long pair, and both equally if both are long', async () => {
    // 12 tokens: three special, nine of text
    const { score } = await reranker({ activation: 'none' });
    const nine = 'the king of spain was born in 1944 :';
    const words = nine.split(' ');
    const first = (many: number): string => words.slice(0, many).join(' ');
    const cases: [string, string, string, string][] = [
      ['king', `${nine} a`, 'king', first(8)],
      [`${nine} a`, 'king', first(8), 'king'],
      [nine, nine, first(4), first(5)],
      [`${nine} a`, nine, first(5), first(4)],
      [first(4), nine, first(4), first(5)],
      ['', `${nine} a`, '', nine],
    ];
    assert.equal(positions, 12);
    for (const [asked, text, readAsked, readText] of cases)
      close(await score(asked, [text]), pairOracle(readAsked, readText));
    close(
      await (await reranker({ activation: 'none', maxTokens: 6 })).score(nine, [nine]),
      pairOracle(first(1), first(2)),
    );
  });

  it('gives all token types one where the model tells none apart', async () => {
    const config = {
      model_type: 'bert',
      hidden_size: 8,
      max_position_embeddings: positions,
      type_vocab_size: 1,
    };
    const { score } = await reranker({ activation: 'none' }, { files: { 'config.json': config } });
    assert.ok(
      Math.abs((await score(query, ['spain']))[0]! - pairOracle(query, 'spain')[0]!) > 1e-4,
    );
  });

  it('is named by its architecture and a hash of what changes its scores', async () => {
    const ids = [];
    for (const [options, given] of [
      [{}, {}],
      [{ activation: 'none' }, {}],
      [{ maxTokens: 5 }, {}],
      [{ positive: 0 }, {}],
      [{}, { seed: 8 }],
    ] as [FolderSettings, Folder][]) {
      const { id } = await reranker(options, given);
      assert.match(id, /^onnx-bert-8-[0-9a-f]{16}$/);
      ids.push(id);
    }
    assert.equal(new Set(ids).size, ids.length);
    assert.equal((await reranker({ threads: 2, batchSize: 3 })).id, ids[0]);
  });

  it('names what is wrong with a folder', async () => {
    const cases: [Folder, ErrorCode, RegExp][] = [
      [{ files: { 'config.json': null } }, 'ERR_NOT_FOUND', /config\.json/],
      [
        { output: 'last_hidden_state' },
        'ERR_INVALID_INPUT',
        /one or two logits.*last_hidden_state of \[1, 5, 8\].*onnxEncoder/,
      ],
      [{ classes: 3 }, 'ERR_INVALID_INPUT', /one or two logits.*\[1, 3\]/],
      [
        { files: { 'tokenizer.json': tokenizerWithoutPairs() } },
        'ERR_INVALID_INPUT',
        /how two texts are put together/,
      ],
    ];
    for (const [given, code, pattern] of cases)
      await assert.rejects(reranker({}, given), failsWith(code, pattern));
  });

  it('refuses what is no option, no question and no text', async () => {
    for (const wrong of [
      null,
      {},
      { path: '' },
      { path: 'a', activation: 'softmax' },
      { path: 'a', positive: 2 },
      { path: 'a', batchSize: 0 },
    ]) {
      await assert.rejects(
        onnxReranker(wrong as never),
        failsWith('ERR_INVALID_ARGUMENT', /Expected/),
      );
    }
    const { score } = await reranker();
    await assert.rejects(score(1 as never, ['a']), failsWith('ERR_INVALID_ARGUMENT', /query/));
    await assert.rejects(
      score('a', ['a', 1] as never),
      failsWith('ERR_INVALID_ARGUMENT', /texts\[1\]/),
    );
  });

  it('rejects at an abort and after closing, also while it opens', async () => {
    await assert.rejects(
      reranker({ signal: AbortSignal.abort() }),
      failsWith('ERR_ABORTED', /signal/),
    );
    const opening = new AbortController();
    const started = reranker({ signal: opening.signal });
    setTimeout(() => opening.abort(), 5);
    // it may have been quicker
    await started.then(() => undefined, failsWith('ERR_ABORTED', /signal/));
    const controller = new AbortController();
    const mine = await reranker({}, { layers: 200 });
    const long = mine.score(query, new Array<string>(5000).fill('spain'), {
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), 5);
    await assert.rejects(long, failsWith('ERR_ABORTED', /signal/));
    const waiting = mine.score(query, new Array<string>(5000).fill('spain'));
    await Promise.all([
      mine.close(),
      assert.rejects(waiting, failsWith('ERR_CLOSED', /reranker.*onnxReranker\(\)/)),
    ]);
    await assert.rejects(mine.score(query, ['a']), failsWith('ERR_CLOSED', /closed/));
  });
});

/** The double's tokenizer with a template for single texts only. */
function tokenizerWithoutPairs(): object {
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: { type: 'BertPreTokenizer' },
    decoder: null,
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ Sequence: { id: 'A', type_id: 0 } }],
      pair: [],
      special_tokens: {},
    },
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      vocab: { '[UNK]': 0, a: 1 },
    },
  };
}
