// What published folders of several families say: lengths, pooling, prompts, where the model lies.
// It needs no runtime.
import assert from 'node:assert/strict';
import {
  identity,
  readEncoderFolder,
  type EncoderFolder,
} from '../../../lib/models/onnx/modelFolder.js';
import { writeDouble, type Folder } from './double.js';
import { temporaryFolder } from '../../store/fixtures.js';

describe('vectors: a published model folder', () => {
  const root = temporaryFolder();
  let count = 0;
  const read = (files: NonNullable<Folder['files']> = {}): Promise<EncoderFolder> =>
    readEncoderFolder(writeDouble(root.path(String((count += 1))), { files }), {});

  it('says how many tokens a text may have', async () => {
    const bert = {
      model_type: 'bert',
      hidden_size: 384,
      max_position_embeddings: 512,
      pad_token_id: 0,
    };
    const roberta = {
      model_type: 'xlm-roberta',
      hidden_size: 1024,
      max_position_embeddings: 8194,
      pad_token_id: 1,
    };
    const unlimited = { 'tokenizer_config.json': { model_max_length: 1e30 } };
    const cases: [NonNullable<Folder['files']>, number][] = [
      // MiniLM
      [{ 'config.json': bert, 'sentence_bert_config.json': { max_seq_length: 256 } }, 256],
      [{ 'config.json': bert, ...unlimited }, 512],
      [{ 'config.json': bert, 'sentence_bert_config.json': { max_seq_length: null } }, 512],
      // BGE-M3
      [{ 'config.json': roberta, 'tokenizer_config.json': { model_max_length: 8192 } }, 8192],
      // multilingual E5
      [{ 'config.json': { ...roberta, max_position_embeddings: 514 }, ...unlimited }, 512],
      [
        { 'config.json': { model_type: 'other', hidden_size: 8 }, 'tokenizer_config.json': null },
        512,
      ],
    ];
    for (const [files, expected] of cases)
      assert.equal((await read(files)).maxTokens, expected, JSON.stringify(files));
    assert.equal((await read({ 'config.json': roberta })).padId, 1);
  });

  it('says how to pool: mean where it says nothing', async () => {
    const pooling = (fields: object): Promise<EncoderFolder> =>
      read({ '1_Pooling/config.json': fields });
    assert.equal((await read()).pooling, 'mean');
    assert.equal(
      (await pooling({ pooling_mode_mean_tokens: true, pooling_mode_cls_token: false })).pooling,
      'mean',
    );
    assert.equal(
      (await pooling({ pooling_mode_mean_tokens: false, pooling_mode_cls_token: true })).pooling,
      'cls',
    );
    assert.equal((await pooling({ pooling_mode: 'cls' })).pooling, 'cls');
    assert.equal((await pooling({ pooling_mode: 'lasttoken' })).pooling, 'last');
    assert.equal((await pooling({ pooling_mode_lasttoken: true })).pooling, 'last');
    await assert.rejects(
      pooling({ pooling_mode_mean_tokens: true, pooling_mode_cls_token: true }),
      /mean_tokens.*cls_token|cls_token.*mean_tokens/,
    );
    await assert.rejects(pooling({}), /received none/);
  });

  it(
    'holds the model as onnx/model.onnx or model.onnx, its weights beside it counted in ' +
      'its identity',
    async () => {
      assert.match((await read()).modelFile, /onnx.model\.onnx$/);
      const flat = await read({ 'onnx/model.onnx': null, 'model.onnx': 'graph' });
      assert.match(flat.modelFile, /\d.model\.onnx$/);
      assert.match(await identity(flat, []), /^onnx-bert-8-[0-9a-f]{16}$/);
      const weights = (content: string): Promise<EncoderFolder> =>
        read({ 'onnx/model.onnx': null, 'model.onnx': 'graph', 'model.onnx_data': content });
      const prints = await Promise.all(
        [flat, await weights('a'), await weights('a'), await weights('b')].map((each) =>
          identity(each, []),
        ),
      );
      assert.equal(prints[1], prints[2]);
      assert.equal(new Set(prints).size, 3);
      const variant = await read({
        'onnx/model.onnx_note': 'not a part of it',
        'onnx/model_quantized.onnx': 'other',
      });
      assert.notEqual(await identity(variant, ['other choices']), await identity(variant, []));
      assert.match(
        (await readEncoderFolder(root.path(String(count)), { file: 'onnx/model_quantized.onnx' }))
          .modelFile,
        /model_quantized\.onnx$/,
      );
      await assert.rejects(
        readEncoderFolder(root.path(String(count)), { file: 'model_q4.onnx' }),
        /Expected model_q4\.onnx in/,
      );
      assert.equal(await identity(await read(), []), await identity(variant, []));
    },
  );

  it('may give its prompts no meaning', async () => {
    const prompts = (value: unknown): Promise<EncoderFolder> =>
      read({ 'config_sentence_transformers.json': { prompts: value } });
    for (const none of [null, {}, { query: 1 }])
      assert.deepEqual((await prompts(none)).prefixes, { query: '', passage: '' });
    assert.deepEqual((await prompts({ query: 'q: ', passage: 'p: ', document: 'd: ' })).prefixes, {
      query: 'q: ',
      passage: 'p: ',
    });
  });
});
