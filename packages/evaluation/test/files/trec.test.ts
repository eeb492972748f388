// Reading and writing the exchange forms: what is accepted, what is refused and with which line,
// and trec_eval's order.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { AsOfError } from '../../../../lib/errors.js';
import { compareRanked, readQrels, readRun, writeRun } from '../../lib/files/trec.js';
import { temporaryFolder } from '../../../../test/store/fixtures.js';
import { assertEach } from '../../../../test/assertEach.js';

describe('TREC and BEIR files', () => {
  const folder = temporaryFolder();

  function file(content: string | Uint8Array): string {
    const path = folder.path('input.txt');
    writeFileSync(path, content);
    return path;
  }

  async function refusal(reading: Promise<unknown>): Promise<string> {
    const fault = await reading.then(
      () => assert.fail('was accepted'),
      (error: unknown) => error,
    );
    assert.ok(AsOfError.is(fault), String(fault));
    assert.equal(fault.code, 'ERR_INVALID_INPUT');
    return fault.message;
  }

  it('reads TREC judgements with comments, blanks, CRLF and a byte order mark', async () => {
    const qrels = await readQrels(
      file('\uFEFFq1 0 a 1\r\n# a comment\n\nq1\t0\tb\t-1\nq2  0 a  2'),
    );
    assert.deepEqual(
      [...qrels].map(([id, grades]) => [id, ...grades]),
      [
        ['q1', ['a', 1], ['b', -1]],
        ['q2', ['a', 2]],
      ],
    );
  });

  it('reads BEIR judgements with and without their header, ids with blanks included', async () => {
    const rows = 'q 1\tdoc a\t1\nq 1\tdoc b\t0\n';
    assert.deepEqual(
      await readQrels(file(`query-id\tcorpus-id\tscore\n${rows}`)),
      await readQrels(file(rows)),
    );
    assert.equal((await readQrels(file(rows))).get('q 1')?.get('doc a'), 1);
  });

  it('refuses judgements that are none, by file and line', async () => {
    const path = folder.path('input.txt');
    assert.ok(
      (await refusal(readQrels(file('q1 0 a 1\nq1 0 b\n')))).startsWith(
        `${path}:2: Expected TREC judgements`,
      ),
    );
    assert.match(
      await refusal(readQrels(file('q1 0 a one\n'))),
      /:1: Expected a whole number as grade, received "one"/,
    );
    assert.match(await refusal(readQrels(file('q1\ta\t1\nquery-id\tcorpus-id\tscore\n'))), /:2: /);
    assert.match(await refusal(readQrels(file('q1 0 a 0.5\n'))), /"0.5"/);
    assert.match(
      await refusal(readQrels(file('q1 0 a 1\n\nq1 0 a 0\n'))),
      /:3: Expected each document once/,
    );
    assert.match(
      await refusal(readQrels(file(Buffer.from([0x71, 0x0a, 0xff, 0xfe, 0x0a])))),
      /:1: /,
    );
    assert.match(
      await refusal(readRun(file(Buffer.from('q Q0 a 1 1 t\nq Q0 \xe9 2 1 t\n', 'latin1')))),
      /:2: Expected UTF-8 text/,
    );
  });

  it('refuses a run that is none, by file and line', async () => {
    assert.match(await refusal(readRun(file('q1 Q0 a 1 0.5\n'))), /:1: Expected six fields/);
    assert.match(
      await refusal(readRun(file('q1 Q0 a 1 0.5 t\nq1 Q0 b 2 NaN t\n'))),
      /:2: Expected a finite number as score, received "NaN"/,
    );
    assert.match(
      await refusal(readRun(file('q1 Q0 a 1 0.5 t\nq2 Q0 a 1 1 t\nq1 Q0 a 2 0.4 t\n'))),
      /:3: Expected each document once/,
    );
  });

  it('says which file is not there', async () => {
    const fault = await readRun(folder.path('absent')).catch((error: unknown) => error);
    assert.ok(
      AsOfError.is(fault) && fault.code === 'ERR_NOT_FOUND' && fault.message.includes('absent'),
    );
    assert.match(await refusal(readQrels(folder.path())), /a folder/);
  });

  it(
    'orders by score, then by id descending in the order of UTF-8 bytes, whatever the ' +
      'order of the lines',
    async () => {
      const lines = [
        'q Q0 a 1 1.0 t',
        'q Q0 B 2 1.0 t',
        'q Q0 \uFFEE 3 1 t',
        'q Q0 \u{1F600} 4 1 t',
        'q Q0 z 5 2 t',
        'q Q0 ab 6 1 t',
      ];
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray(lines, { minLength: lines.length }),
          async (shuffled) => {
            const { run } = await readRun(file(shuffled.join('\n')));
            assertEach(run.get('q')!, ({ id }) => id, ['z', '\u{1F600}', '\uFFEE', 'ab', 'a', 'B']);
          },
        ),
        { numRuns: 10 },
      );
    },
  );

  it('tells scores apart that are equal in single precision, as trec_eval 9 does', () => {
    const documents = [
      { id: 'b', score: 0.5 },
      { id: 'a', score: 0.5 + 1e-12 },
    ].sort(compareRanked);
    assertEach(documents, ({ id }) => id, ['a', 'b']);
  });

  it('writes a run whose order every reader sees, ties and near ties included', async () => {
    const near = fc.constantFrom(
      0,
      -0,
      1,
      1 + 1e-12,
      1 - 1e-12,
      -1,
      1e-46,
      -1e-46,
      3e38,
      1e300,
      NaN,
      Infinity,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(near, fc.double()), { maxLength: 12 }), async (scores) => {
        const documents = scores.map((score, index) => ({ id: `d${index}`, score }));
        const path = folder.path('run.trec');
        await writeRun(path, new Map([['q', documents]]), 'tag');
        const read = (await readRun(path)).run.get('q') ?? [];
        assertEach(
          read,
          ({ id }) => id,
          documents.map(({ id }) => id),
        );
        read.reduce(
          (previous, { score }) => (assert.ok(Math.fround(score) < previous), Math.fround(score)),
          Infinity,
        );
      }),
      { numRuns: 100 },
    );
  });

  it('leaves scores that fall as they are, and counts the others', async () => {
    const path = folder.path('run.trec');
    assert.equal(
      await writeRun(
        path,
        new Map([
          [
            'q',
            [
              { id: 'a', score: 0.3 },
              { id: 'b', score: 0.1 },
              { id: 'c', score: 0.1 },
            ],
          ],
        ]),
        't',
      ),
      1,
    );
    assert.equal(readFileSync(path, 'utf8').split('\n')[1], 'q Q0 b 2 0.1 t');
  });

  it('refuses to write an id that the form cannot carry', async () => {
    assert.match(
      await refusal(
        writeRun(folder.path('run.trec'), new Map([['q', [{ id: 'a b', score: 1 }]]]), 't'),
      ),
      /without white space.*"a b"/,
    );
    assert.deepEqual(
      readdirSync(folder.path()).filter((name) => name.endsWith('.part')),
      [],
      'no half file stays',
    );
    await assert.rejects(writeRun(folder.path('none', 'run.trec'), new Map(), 't'), {
      code: 'ERR_STORAGE',
      message: /write a run to .*Check the folder/,
    });
  });
});
