// Streaming lines and JSON records: line ends, chunks, broken UTF-8, faults by line, recovery,
// cancellation.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import type { AsOfError } from '../../lib/errors.js';
import { readJsonLines, readLines, stringField } from '../../lib/text/lines.js';
import { temporaryFolder } from '../store/fixtures.js';

describe('lines of files', () => {
  const folder = temporaryFolder();
  let path: string;
  before(() => {
    path = folder.path('input.txt');
  });

  async function linesOf(content: string | Uint8Array): Promise<string[]> {
    writeFileSync(path, content);
    const lines: string[] = [];
    for await (const { text, line } of readLines(path)) {
      lines.push(text);
      assert.equal(line, lines.length);
    }
    return lines;
  }

  it('returns lines without line ends, the last with or without one', async () => {
    assert.deepEqual(await linesOf('a\r\n\nb\r'), ['a', '', 'b']);
    assert.deepEqual(await linesOf(''), []);
    assert.deepEqual(await linesOf('\uFEFFa\n\uFEFFb\n'), ['a', '\uFEFFb']);
  });

  it('returns any text, including characters across chunk boundaries', async () => {
    const long = '\u{1F600}é'.repeat(200_000);
    assert.deepEqual(await linesOf(`x${long}\n${long}`), [`x${long}`, long]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n\uFEFF]/.test(text))),
        async (lines) => {
          assert.deepEqual(await linesOf(lines.map((line) => `${line}\n`).join('')), lines);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('throws the first fault, or reports each and continues', async () => {
    writeFileSync(
      path,
      Buffer.concat([
        Buffer.from('{"id":"a"}\n'),
        Buffer.from([0xc3, 0x28, 0x0a]),
        Buffer.from('[1]\n{"id":7}\n\n{"id":"b"}\n{"id"'),
      ]),
    );
    const read = (record: Record<string, unknown>, where: { file: string; line: number }): string =>
      stringField(record, 'id', where);
    const ids: string[] = [];
    const faults: string[] = [];
    for await (const id of readJsonLines(path, read, {
      onFault: (fault: AsOfError) => faults.push(fault.message),
    }))
      ids.push(id);
    assert.deepEqual(ids, ['a', 'b']);
    assert.deepEqual(
      faults.map((message) => message.slice(path.length)),
      [
        ':2: Expected UTF-8 text, received bytes that are not UTF-8. Convert the file to UTF-8.',
        ':3: Expected a JSON object, received an array of 1.',
        ':4: Expected a string "id", received number 7.',
        ':7: Expected a JSON object on one line, received "{\\"id\\"". Each line must be one ' +
          'whole JSON object.',
      ],
    );
    await assert.rejects(
      async () => {
        for await (const id of readJsonLines(path, read)) assert.equal(id, 'a');
      },
      { code: 'ERR_INVALID_INPUT' },
    );
  });

  it('rejects lone surrogates, and lists the fields of a record', () => {
    const where = { file: 'f', line: 3 };
    assert.throws(() => stringField({ id: '\ud800' }, 'id', where), {
      message: 'f:3: Expected "id" to be Unicode text, received a lone surrogate in it.',
    });
    assert.throws(() => stringField({ ID: 'x' }, 'id', where), {
      message: 'f:3: Expected a string "id", received a record with the fields ID.',
    });
    assert.equal(stringField({ id: null }, 'id', where, 'allowed'), undefined);
  });

  it('passes errors of the reader through unchanged', async () => {
    writeFileSync(path, '{}\n');
    await assert.rejects(async () => {
      for await (const _ of readJsonLines(path, () => {
        throw new TypeError('bug');
      }))
        assert.fail();
    }, TypeError);
    await assert.rejects(
      async () => {
        for await (const _ of readLines(path)) throw new TypeError('bug of the caller');
      },
      { message: 'bug of the caller' },
    );
  });

  it('stops at the signal', async () => {
    await assert.rejects(
      async () => {
        for await (const _ of readLines(path, { signal: AbortSignal.abort() })) assert.fail();
      },
      { code: 'ERR_ABORTED' },
    );
  });
});
