// CSV tables: conformance with RFC 4180, and faults by line.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { readCsv } from '../lib/csv.js';
import type { AsOfError } from '../../../lib/index.js';
import { temporaryFolder } from '../../../test/store/fixtures.js';
import { assertEach } from '../../../test/assertEach.js';

describe('CSV tables', () => {
  const folder = temporaryFolder();

  interface Read {
    rows: Record<string, string>[];
    lines: number[];
    faults: { line: unknown; message: string }[];
  }
  async function read(
    text: string | Uint8Array,
    { name = 'x.csv', delimiter }: { name?: string; delimiter?: string } = {},
  ): Promise<Read> {
    const path = folder.path(name);
    writeFileSync(path, text);
    const faults: Read['faults'] = [];
    const lines: number[] = [];
    const rows: Record<string, string>[] = [];
    const onFault = ({ message, details }: AsOfError): void =>
      void faults.push({ line: details['line'], message });
    for await (const row of readCsv(path, (record, { line }) => (lines.push(line), record), {
      onFault,
      ...(delimiter === undefined ? {} : { delimiter }),
    }))
      rows.push(row);
    return { rows, lines, faults };
  }

  it('reads quotes, doubled quotes, delimiters and line ends inside them', async () => {
    const { rows, lines, faults } = await read(
      'a,b\r\n"x, y","say ""hi"""\r\n"one\r\ntwo",\r\n\r\n,"" \n'.replace('"" \n', '""\n'),
    );
    assert.deepEqual(rows, [
      { a: 'x, y', b: 'say "hi"' },
      { a: 'one\ntwo', b: '' },
      { a: '', b: '' },
    ]);
    assert.deepEqual([lines, faults], [[2, 3, 6], []]);
  });

  it('skips a byte order mark, and needs no line break at the end', async () => {
    assert.deepEqual((await read('\uFEFFa,b\n1,2')).rows, [{ a: '1', b: '2' }]);
    assert.deepEqual((await read('"a"\tb\n1\t"2,3"', { name: 'x.tsv' })).rows, [
      { a: '1', b: '2,3' },
    ]);
    assert.deepEqual((await read('a;b\n1;2,3', { delimiter: ';' })).rows, [{ a: '1', b: '2,3' }]);
  });

  it('reports the faulty line, and reads the others', async () => {
    const { rows, faults } = await read('a,b\n1,2\n1,2,3\n1"x",2\n"1"x,2\n"never,closed\n5,6\n7,8');
    assert.deepEqual(rows, [
      { a: '1', b: '2' },
      { a: '5', b: '6' },
      { a: '7', b: '8' },
    ]);
    assertEach(faults, ({ line }) => line, [3, 4, 5, 6]);
    assert.match(
      faults[0]!.message,
      /x\.csv:3: Expected 2 fields, as the first row has, received 3/,
    );
    assert.match(faults[3]!.message, /every quoted field to be closed/);
  });

  it('reports broken UTF-8 by its line', async () => {
    const { rows, faults } = await read(
      Buffer.concat([Buffer.from('a,b\n1,'), Buffer.from([0xff, 0xfe]), Buffer.from('\n3,4\n')]),
    );
    assert.deepEqual(rows, [{ a: '3', b: '4' }]);
    assertEach(faults, ({ line }) => line, [2]);
    assert.match(faults[0]!.message, /UTF-8/);
  });

  it('rejects a header row with empty or duplicate names, with or without onFault', async () => {
    for (const text of ['a,a\n1,2', 'a,\n1,2', '"a\n1,2'])
      await assert.rejects(read(text), { code: 'ERR_INVALID_INPUT' });
    await assert.rejects(read('a,b', { delimiter: '::' }), { code: 'ERR_INVALID_ARGUMENT' });
    assert.deepEqual((await read('')).rows, []);
  });

  it('reads any table written by RFC 4180', async () => {
    const field = fc.string({
      unit: fc.constantFrom('a', 'é', '"', ',', '\n', ' ', '\t', '7'),
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(field, field), { minLength: 1, maxLength: 8 }),
        async (table) => {
          const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
          const { rows, faults } = await read(
            `a,b\n${table.map(([a, b]) => `${quoted(a)},${quoted(b)}`).join('\n')}\n`,
          );
          assert.deepEqual([rows, faults], [table.map(([a, b]) => ({ a, b })), []]);
        },
      ),
      { numRuns: 60 },
    );
  });
});
