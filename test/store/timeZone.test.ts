// The time zone of a corpus: kept by its manifest, refused where another is asked for, and kept by
// backups, merges and repairs.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Corpus } from '../../lib/store/corpus.js';
import { fusedVectorColumn } from '../../lib/store/derived/fusedVectorColumn.js';
import { repairCorpus } from '../../lib/store/repair/repair.js';
import { timeEncoder } from '../../lib/models/index.js';
import { staticEncoder } from '../../lib/vectors/staticEncoder.js';
import { fails, hashEncoder, temporaryFolder } from './fixtures.js';

const encoder = hashEncoder();
const passage = { id: 'a', text: 'It rained on 5 May 2021.', publishedAt: '2021-05-06' };
const midnight = Date.parse('2021-05-05T15:00Z');

describe('the time zone of a corpus', () => {
  const folder = temporaryFolder();
  const timeZone = 'Asia/Tokyo';

  async function tokyo(name: string): Promise<Corpus> {
    const corpus = await Corpus.open(folder.path(name), { encoder, timeZone });
    await corpus.add([passage]);
    return corpus;
  }

  it('is UTC by default, which the manifest does not name', async () => {
    for (const [name, options] of [
      ['default', {}],
      ['utc', { timeZone: 'Etc/UTC' }],
    ] as const) {
      await using corpus = await Corpus.open(folder.path(name), { encoder, ...options });
      assert.equal(corpus.timeZone, 'UTC');
      assert.equal(corpus.info().timeZone, 'UTC');
      using snapshot = corpus.snapshot();
      assert.ok(!('timeZone' in snapshot.manifest));
      await corpus.add([passage]);
      assert.equal(corpus.get('a')!.publishedAt, Date.parse('2021-05-06T00:00Z'));
    }
  });

  it('is kept, whether it is named again or not', async () => {
    await (await tokyo('kept')).close();
    for (const options of [{}, { timeZone }, { timeZone: 'asia/tokyo' }, { timeZone: 'Japan' }]) {
      await using corpus = await Corpus.open(folder.path('kept'), { encoder, ...options });
      assert.equal(corpus.timeZone, timeZone);
      assert.equal(corpus.get('a')!.publishedAt, midnight);
      assert.deepEqual(await corpus.add([passage]), { added: 0, replaced: 0, unchanged: 1 });
    }
  });

  it('is refused where it is another, or none', async () => {
    await (await tokyo('refused')).close();
    const path = folder.path('refused');
    for (const other of ['UTC', 'Asia/Seoul'])
      await assert.rejects(
        Corpus.open(path, { encoder, timeZone: other }),
        fails('ERR_INVALID_ARGUMENT', /Asia\/Tokyo, the time zone that .* created with.*Leave it/),
      );
    await (await Corpus.open(folder.path('of-utc'), { encoder })).close();
    await assert.rejects(
      Corpus.open(folder.path('of-utc'), { encoder, timeZone }),
      fails('ERR_INVALID_ARGUMENT', /UTC, the time zone/),
    );
    for (const name of ['Mars/Olympus', '+09:00', 5 as never])
      await assert.rejects(
        Corpus.open(folder.path('none'), { encoder, timeZone: name }),
        fails('ERR_INVALID_ARGUMENT', /timeZone to be the IANA name of a time zone/),
      );
  });

  it('stays with merges and backups', async () => {
    await using corpus = await tokyo('merged');
    await corpus.add([{ ...passage, id: 'b', publishedAt: '2021-05-07' }]);
    await corpus.compact();
    assert.equal(corpus.info().segments, 1);
    await corpus.backup(folder.path('backup'));
    await using copy = await Corpus.open(folder.path('backup'), { encoder });
    assert.equal(copy.timeZone, timeZone);
    assert.deepEqual(copy.info().spans, corpus.info().spans);
    assert.deepEqual(copy.info().spans.published, [midnight, midnight + 86_400_000]);
  });

  it('fuses rows with the days that their texts name', async () => {
    const base = await staticEncoder();
    const by = await timeEncoder(base);
    const passages = ['5 May 2021', '31 October 2021', 'October 2021', '2021', 'the spring'].map(
      (date, at) => ({ id: `p${at}`, text: `It rained in Lohr in ${date}. Nobody came.` }),
    );
    const fused = async (zone: string): Promise<Float32Array> => {
      const path = folder.path(`fused-${zone.replace('/', '-')}`);
      await using corpus = await Corpus.open(path, { encoder: base, timeZone: zone });
      await corpus.add(passages);
      assert.ok((await corpus.fuse(by)) > passages.length);
      using snapshot = corpus.snapshot();
      const { files } = await corpus.derive(
        snapshot,
        fusedVectorColumn(by, { timeZone: snapshot.timeZone }),
      );
      return files[0]!.read('vectors.f32') as Float32Array;
    };
    const utc = await fused('UTC');
    for (const zone of ['Asia/Tokyo', 'America/New_York', 'Europe/London'])
      assert.deepEqual(await fused(zone), utc, zone);
  });

  it('and the fields survive a repair, also of a lost manifest', async () => {
    await (await tokyo('damaged')).close();
    const whole = folder.path('whole');
    await repairCorpus(folder.path('damaged'), whole, { encoder });
    await using repaired = await Corpus.open(whole, { encoder });
    assert.equal(repaired.timeZone, timeZone);
    rmSync(join(folder.path('damaged'), 'manifest'));
    const made = folder.path('made');
    await repairCorpus(folder.path('damaged'), made, { encoder });
    await using corpus = await Corpus.open(made, { encoder });
    assert.equal(corpus.timeZone, timeZone);
    assert.equal(corpus.get('a')!.publishedAt, midnight);
  });
});
