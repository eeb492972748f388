// Additions of an iterable that does not go on: the signal and close() end them.
import assert from 'node:assert/strict';
import { Corpus, type Passage } from '../../../lib/index.js';
import { temporaryFolder } from '../fixtures.js';

describe('additions of an iterable that never goes on', () => {
  const folder = temporaryFolder();

  async function* stuck(): AsyncGenerator<Passage> {
    yield { id: 'a', text: 'The mill is open.' };
    await new Promise(() => undefined);
  }

  it('are ended by their signal; the corpus goes on', async () => {
    const corpus = await Corpus.open(folder.path('signal'));
    const controller = new AbortController();
    const adding = corpus.add(stuck(), { signal: controller.signal });
    setImmediate(() => controller.abort());
    await assert.rejects(adding, { code: 'ERR_ABORTED' });
    assert.deepEqual(await corpus.add([{ id: 'b', text: 'The mill is shut.' }]), {
      added: 1,
      replaced: 0,
      unchanged: 0,
    });
    assert.equal(corpus.has('a'), false);
    await corpus.close();
  });

  it('are ended by close, with what they had committed', async () => {
    const corpus = await Corpus.open(folder.path('close'));
    const adding = corpus.add(stuck(), {
      batchSize: 1,
      onProgress: () => setImmediate(() => void corpus.close()),
    });
    await assert.rejects(adding, { code: 'ERR_CLOSED' });
    const again = await Corpus.open(folder.path('close'));
    assert.equal(again.has('a'), true);
    await again.close();
  });
});
