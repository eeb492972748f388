// The ONNX reader with the real runtime on a double whose logits are those of the token alone: best
// spans and their probability against sums by hand, windows, "no answer", models with and without
// token types, faults of folders named. Skipped where onnxruntime-node is not installed.
import assert from 'node:assert/strict';
import type { ErrorCode } from '../../../lib/errors.js';
import {
  onnxReader,
  type OnnxReader,
  type OnnxReaderOptions,
} from '../../../lib/models/onnx/onnxReader.js';
import { readPassages } from '../../../lib/reading/reader.js';
import {
  positions,
  readerBytes,
  runtimeIsInstalled,
  writeDouble,
  type Folder,
  type ReaderParts,
} from './double.js';
import { failsWith } from '../../failsWith.js';
import { temporaryFolder } from '../../store/fixtures.js';

const { exp } = Math;
type FolderSettings = Omit<Extract<OnnxReaderOptions, { path: string }>, 'path'>;

describe('models: the ONNX reader', () => {
  const root = temporaryFolder();
  const open: OnnxReader[] = [];
  let count = 0;
  /** From "spain" to "born", where both are. */
  const parts: ReaderParts = {
    starts: { '[CLS]': -3, a: 0, the: 0, born: 0, spain: 2 },
    ends: { '[CLS]': -2, born: 5 },
  };
  const reader = async (
    given: Partial<ReaderParts> = {},
    files: Folder['files'] = {},
    options: FolderSettings = {},
  ): Promise<OnnxReader> => {
    const path = writeDouble(root.path(String((count += 1))), {
      files: { 'onnx/model.onnx': readerBytes({ ...parts, ...given }), ...files },
    });
    const opened = await onnxReader({ path, ...options });
    open.push(opened);
    return opened;
  };
  const near = (found: number | undefined, expected: number): void =>
    assert.ok(Math.abs(found! - expected) < 1e-5, `${found} for ${expected}`);

  before(function () {
    if (runtimeIsInstalled()) return;
    console.log('      onnxruntime-node is not installed: the ONNX reader is not tested');
    this.skip();
  });
  afterEach(() => Promise.all(open.splice(0).map((each) => each.close())));

  const question = 'the king';

  it('gives the span of the highest sum over all texts, with its softmax', async () => {
    const { read } = await reader();
    const texts = ['A king.', '', 'The Spain  was\nBorn; in', 'a born'];
    const found = await read(question, texts);
    assert.equal(found!.text, 2);
    assert.equal(texts[2]!.slice(found!.start, found!.end), 'Spain  was\nBorn');
    // "The … Born", "Spain … Born", "Born"; of the last text "a born" and "born".
    near(found!.probability, exp(7) / (exp(7) + 4 * exp(5) + exp(-5)));
  });

  it('adds what the token types say to the passage only', async () => {
    const { read } = await reader({ typed: 1 });
    const found = await read('the born', ['the spain born']);
    assert.deepEqual([found!.start, found!.end], [4, 14]);
    near(found!.probability, exp(8) / (exp(8) + 2 * exp(6) + exp(-5)));
  });

  it('finds a span anywhere in a long text, and counts each span once', async () => {
    // 12 tokens: three special, two of the question, windows of seven, which share three.
    assert.equal(positions, 12);
    const { read } = await reader({}, {}, { batchSize: 2 });
    for (let at = 0; at < 30; at += 1) {
      const words = new Array<string>(40).fill('a');
      words.splice(at, 2, 'spain', 'born');
      const found = await read(question, [words.join(' ')]);
      assert.deepEqual([found!.start, found!.end], [2 * at, 2 * at + 10], `at ${at}`);
      // Tokens 0 to 5 have most context in the first window, 6 to 9 in the second, and so on.
      const endOf = (start: number): number => 4 * Math.max(0, Math.floor((start - 2) / 4)) + 7;
      const starts = Array.from({ length: at + 2 }, (_, start) => start).filter(
        (start) => at + 1 < endOf(start),
      );
      near(found!.probability, exp(7) / (exp(7) + (starts.length - 1) * exp(5) + exp(-5)));
    }
  });

  it('gives no span where "no answer" has more, in the window that has least of it', async () => {
    const sure = await reader({ starts: { ...parts.starts, '[CLS]': 9.5 } });
    assert.equal(await sure.read(question, ['the spain born']), undefined);
    assert.equal(await sure.read(question, []), undefined);
    assert.equal(await sure.read(question, ['', ' ']), undefined);
    const unsure = await reader({ starts: { ...parts.starts, '[CLS]': 8.5 } });
    const found = await unsure.read(question, ['the spain born']);
    near(found!.probability, exp(7) / (exp(7) + 2 * exp(5) + exp(6.5)));
  });

  it('is the reader of extract: a probable span, else what the first passage states', async () => {
    const passages = [
      { id: '1', text: 'The king was in Spain.' },
      { id: '2', text: 'A passage. The Spain was born in 1944.' },
    ];
    const read = async (given: Partial<ReaderParts>, leastConfidence?: number) => {
      const options = { reader: await reader(given), leastConfidence };
      return readPassages({ text: 'Who was born?' }, passages, options);
    };
    const span = await read({});
    // "The" has more context in the window before, which has no "born".
    near(span.answer!.spanConfidence, exp(7) / (exp(7) + exp(5) + exp(-5)));
    assert.deepEqual(
      { ...span.answer, spanConfidence: 0 },
      {
        text: 'Spain was born',
        spanConfidence: 0,
        sentence: 'The Spain was born in 1944.',
        evidence: ['2'],
      },
    );
    assert.match(String(span.notes['by']), /^onnx-bert-8-/);
    const statement = { text: passages[0]!.text, sentence: passages[0]!.text, evidence: ['1'] };
    assert.deepEqual((await read({}, 0.9)).answer, statement);
    const none = { starts: { ...parts.starts, '[CLS]': 9.5 } };
    assert.deepEqual((await read(none, 0)).answer, statement);
  });

  it('reads with a byte-level tokenizer, without token types', async () => {
    const letters = [...'Ġabcdefghijklmnopqrstuvwxyz.QÃ©'];
    const vocabulary = ['<s>', '<pad>', '</s>', '<unk>', ...letters];
    const special = vocabulary.slice(0, 4).map((content, id) => ({
      ...{ id, content, single_word: false, lstrip: false, rstrip: false },
      ...{ normalized: false, special: true },
    }));
    const tokenizer = {
      version: '1.0',
      added_tokens: special,
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true },
      post_processor: {
        type: 'RobertaProcessing',
        sep: ['</s>', 2],
        cls: ['<s>', 0],
        trim_offsets: true,
        add_prefix_space: false,
      },
      decoder: { type: 'ByteLevel' },
      model: {
        type: 'BPE',
        unk_token: null,
        continuing_subword_prefix: '',
        vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
        merges: [],
      },
    };
    const config = {
      model_type: 'roberta',
      max_position_embeddings: 34,
      pad_token_id: 1,
      type_vocab_size: 1,
    };
    const { read } = await reader(
      { vocabulary, starts: { Q: 4, '<s>': 0 }, ends: { z: 4, '<s>': 0 } },
      { 'config.json': config, 'tokenizer.json': tokenizer, 'tokenizer_config.json': null },
    );
    const text = 'a long text was here before é Qaétz was named.';
    const found = await read('who.', ['é é.', text]);
    assert.equal(text.slice(found!.start, found!.end), 'Qaétz');
    near(found!.probability, exp(8) / (exp(8) + 1));
  });

  it('names what is wrong with a folder', async () => {
    const cross = writeDouble(root.path('cross'), { output: 'logits' });
    const encoder = writeDouble(root.path('encoder'));
    for (const path of [cross, encoder])
      await assert.rejects(
        onnxReader({ path }),
        failsWith('ERR_INVALID_INPUT', /start and end logits.*received.*onnxReranker\(\)/),
      );
    const cases: [Partial<ReaderParts>, Folder['files'], ErrorCode, RegExp][] = [
      [{}, { 'config.json': null }, 'ERR_NOT_FOUND', /config\.json/],
      [{}, { 'onnx/model.onnx': 'text' }, 'ERR_INVALID_INPUT', /ONNX model, the runtime refused/],
    ];
    for (const [given, files, code, pattern] of cases)
      await assert.rejects(reader(given, files), failsWith(code, pattern));
    // Of exports with other names the first output has the starts.
    const { read } = await reader({ outputs: ['output_0', 'output_1'] });
    assert.equal((await read(question, ['the spain born']))!.start, 4);
  });

  it('is named by its architecture and a hash of what changes its spans', async () => {
    const first = await reader();
    const others = [await reader({ starts: {} }), await reader({}, {}, { maxTokens: 8 })];
    assert.match(first.id, /^onnx-bert-8-[0-9a-f]{16}$/);
    assert.equal(new Set([first, ...others].map(({ id }) => id)).size, 3);
    assert.equal((await reader({}, {}, { threads: 2, batchSize: 3 })).id, first.id);
  });

  it('refuses what is no option, no question and no text', async () => {
    for (const wrong of [null, {}, { path: '' }, { path: 'a', batchSize: 0 }])
      await assert.rejects(
        onnxReader(wrong as never),
        failsWith('ERR_INVALID_ARGUMENT', /Expected/),
      );
    const { read } = await reader();
    await assert.rejects(read(1 as never, ['a']), failsWith('ERR_INVALID_ARGUMENT', /question/));
    await assert.rejects(
      read('a', ['a', 1] as never),
      failsWith('ERR_INVALID_ARGUMENT', /texts\[1\]/),
    );
  });

  it('rejects at an abort and after closing', async () => {
    await assert.rejects(
      reader({}, {}, { signal: AbortSignal.abort() }),
      failsWith('ERR_ABORTED', /signal/),
    );
    const controller = new AbortController();
    const mine = await reader();
    const texts = new Array<string>(20_000).fill('spain');
    const long = mine.read(question, texts, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await assert.rejects(long, failsWith('ERR_ABORTED', /signal/));
    const waiting = mine.read(question, texts);
    await Promise.all([
      mine.close(),
      assert.rejects(waiting, failsWith('ERR_CLOSED', /reader.*onnxReader\(\)/)),
    ]);
    await assert.rejects(mine.read(question, ['a']), failsWith('ERR_CLOSED', /closed/));
  });
});
