// asof time tag, asof time question and asof time tuple: JSON lines in, JSON lines out, in order
// and in time; faults by line number.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { asof } from './spawn.js';
import { assertEach } from '../assertEach.js';

const lines = (text: string): unknown[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

describe('asof time', () => {
  it('tags the times of texts', async () => {
    const { code, stdout } = await asof(['time', 'tag'], {
      input: '{"id":7,"text":"He was born in 1950 in Ulm."}\n{"id":"b","text":"No date."}\n',
    });
    assert.equal(code, 0);
    const [first, second] = lines(stdout) as { id: unknown; mentions: Record<string, unknown>[] }[];
    assert.equal(first!.id, 7);
    assert.deepEqual(Object.keys(first!.mentions[0]!), [
      'start',
      'end',
      'text',
      'relation',
      'start_iso',
      'end_iso',
      'granularity',
      'timex_type',
      'timex_value',
    ]);
    assert.deepEqual(
      [
        first!.mentions[0]!['start_iso'],
        first!.mentions[0]!['end_iso'],
        first!.mentions[0]!['granularity'],
      ],
      ['1950-01-01', '1950-12-31', 'year'],
    );
    assert.deepEqual(second, { id: 'b', mode: 'narrative', mentions: [], timex: [] });
  });

  it('takes questions apart', async () => {
    const { code, stdout } = await asof(['time', 'question'], {
      input:
        '{"id":"q","question":"Who was the UK prime minister as of 6 May ' +
        '2021?","asked_at":"2026-01-01"}\n',
    });
    assert.equal(code, 0);
    assert.deepEqual(lines(stdout), [
      {
        id: 'q',
        main_content: 'Who was the UK prime minister?',
        constraint_text: 'as of 6 May 2021',
        condition: 'none',
        relation: 'as of',
        start_iso: '2021-05-06',
        end_iso: '2021-05-06',
        window_start: null,
        window_end: '2021-05-06',
        granularity: 'day',
        constraints: [
          {
            constraint_text: 'as of 6 May 2021',
            relation: 'as of',
            start_iso: '2021-05-06',
            end_iso: '2021-05-06',
            window_start: null,
            window_end: '2021-05-06',
            granularity: 'day',
            clock: 'content',
            binds: true,
          },
        ],
        asks: 'thing',
        order: 'none',
        n: null,
        anchor: null,
        shift: null,
      },
    ]);
  });

  it('says which member of a series is asked for', async () => {
    const input =
      '{"id":1,"question":"Who followed Karl Rau as mayor of Tannau?"}\n' +
      '{"id":2,"question":"Who was the third mayor of Tannau?"}\n';
    const { stdout } = await asof(['time', 'question'], { input });
    const [next, third] = lines(stdout) as Record<string, unknown>[];
    assert.deepEqual(
      [next!['order'], next!['anchor']],
      ['next', { text: 'Karl Rau', kind: 'name' }],
    );
    assert.deepEqual([third!['order'], third!['n'], third!['asks']], ['nth', 3, 'thing']);
  });

  it('takes questions apart by the parts of a decade that a data set has', async () => {
    const input = '{"id":1,"question":"Who was born in the early 1930s?"}\n';
    const ends = (stdout: string) =>
      lines(stdout).map((line) => (line as { end_iso: string }).end_iso);
    assert.deepEqual(ends((await asof(['time', 'question'], { input })).stdout), ['1933-12-31']);
    assert.deepEqual(
      ends((await asof(['time', 'question', '--parts-of-decade', '3,7'], { input })).stdout),
      ['1932-12-31'],
    );
    assert.equal((await asof(['time', 'question', '--parts-of-decade', '7,3'], { input })).code, 2);
  });

  it('gives the one time of each text', async () => {
    const input =
      '{"id":1,"text":"In late August it rose. On August 25, 2022, it ' +
      'fell.","ref":"2022-09-01"}\n{"id":2,"text":"Long ago."}\n';
    const { code, stdout } = await asof(['time', 'tuple'], { input });
    assert.equal(code, 0);
    assert.deepEqual(lines(stdout), [
      { id: 1, year: 2022, month: 8, day_of_month: 25 },
      { id: 2, year: null, month: null, day_of_month: null },
    ]);
    const asked = await asof(['time', 'tuple', '--kind', 'query'], {
      input: '{"id":1,"text":"Who led it last year?","ref":"2022-09-01"}\n',
    });
    assert.deepEqual(lines(asked.stdout), [{ id: 1, year: 2021, month: null, day_of_month: null }]);
    assert.equal((await asof(['time', 'tuple', '--extractor', 'guess'], { input })).code, 2);
    assert.equal((await asof(['time', 'tuple', '--kind', 'document'], { input })).code, 2);
  });

  it('reports invalid lines and continues with the others', async () => {
    const input = Buffer.concat([
      Buffer.from('{"id":1,"text":"1950"}\nnone\n{"id":2}\n'),
      Buffer.from('{"id":3,"text":"\xff"}\n', 'latin1'),
      Buffer.from(
        '{"id":4,"text":"x","ref":"the other ' +
          'day"}\n\n{"id":5,"text":"\\ud800"}\n{"id":6,"text":"1960"}',
      ),
    ]);
    const { code, stdout, stderr } = await asof(['time', 'tag'], { input });
    assert.equal(code, 1);
    assertEach(lines(stdout), (line) => (line as { id: number }).id, [1, 6]);
    assert.deepEqual(
      [...stderr.matchAll(/^asof: \(standard input\):(\d+): Expected/gm)].map((match) => match[1]),
      ['2', '3', '4', '5', '7'],
    );
  });

  it('answers a writer that waits for the answer', async () => {
    let answered = '';
    const { code } = await asof(['time', 'question'], {
      started: (child) => {
        child.stdin!.write('{"id":1,"question":"Who led in 1990?"}\n');
        child.stdout!.once('data', (text: string) => {
          answered = text;
          child.stdin!.end();
        });
      },
    });
    assert.equal(code, 0);
    assert.match(answered, /"id":1/);
  });

  it('keeps the order over many batches', async () => {
    const input = Array.from({ length: 3000 }, (_, id) =>
      JSON.stringify({ id, text: `in ${1900 + (id % 100)}` }),
    ).join('\n');
    const { stdout } = await asof(['time', 'tag'], { input });
    assert.deepEqual(
      lines(stdout).map((line) => (line as { id: number }).id),
      Array.from({ length: 3000 }, (_, id) => id),
    );
  });

  it('skips any number of invalid lines', async () => {
    const input = Array.from({ length: 600 }, (_, id) =>
      id % 2 ? '{"text":' : JSON.stringify({ id, text: 'in 1990' }),
    ).join('\r\n');
    const { code, stdout, stderr } = await asof(['time', 'tag'], { input });
    assert.equal(code, 1);
    assert.deepEqual(
      lines(stdout).map((line) => (line as { id: number }).id),
      Array.from({ length: 300 }, (_, at) => 2 * at),
    );
    assert.equal(
      stderr.match(/^asof: \(standard input\):\d+: Expected a JSON object on one line/gm)?.length,
      300,
    );
  });

  it('refuses ids that it cannot return unchanged; null without an id', async () => {
    const input =
      '{"id":9007199254740993,"text":"x"}\n{"id":{"a":1},"text":"x"}\n{"id":true,"text":"x"}\n' +
      '{"text":"x"}\n{"id":"9007199254740993","text":"x"}\n{"id":1.5,"text":"x"}';
    const { code, stdout, stderr } = await asof(['time', 'tag'], { input });
    assert.equal(code, 1);
    assert.deepEqual(
      lines(stdout).map((line) => (line as { id: unknown }).id),
      [null, '9007199254740993', 1.5],
    );
    assert.deepEqual(
      [...stderr.matchAll(/^asof: \(standard input\):(\d+): Expected "id"/gm)].map(
        (match) => match[1],
      ),
      ['1', '2', '3'],
    );
  });

  it('prints nothing for nothing', async () => {
    for (const input of ['', '\n', '\r\n\r\n', '\ufeff']) {
      assert.deepEqual(await asof(['time', 'question'], { input }), {
        code: 0,
        stdout: '',
        stderr: '',
      });
    }
  });

  it('ends quietly when its reader goes, and is interrupted while it waits', async () => {
    const endless = (child: ChildProcess): void => {
      const write = (): void =>
        void (
          child.stdin!.writable &&
          child.stdin!.write(
            '{"id":1,"text":"in 1950"}\n'.repeat(1000),
            (fault) => fault ?? write(),
          )
        );
      child.stdout!.once('data', () => child.stdout!.destroy());
      write();
    };
    const gone = await asof(['time', 'tag'], { started: endless });
    assert.deepEqual([gone.code, gone.stderr], [0, '']);
    const interrupted = await asof(['time', 'tag'], {
      started: (child) => {
        child.stdin!.write('{"id":1,"text":"in 1950"}\n');
        child.stdout!.once('data', () => child.kill('SIGINT'));
      },
    });
    assert.deepEqual(
      [interrupted.code, interrupted.stderr, lines(interrupted.stdout).length],
      [130, 'asof: interrupted\n', 1],
    );
  });

  it('names its commands and refuses another mode', async () => {
    const [group, wrong, mode] = await Promise.all([
      asof(['time']),
      asof(['time', 'tga']),
      asof(['time', 'tag', '--mode', 'x'], { input: '' }),
    ]);
    assert.deepEqual([group.code, wrong.code, mode.code], [2, 2, 2]);
    assert.match(group.stdout, /time tag[^]*time question/);
    assert.match(wrong.stderr, /Did you mean time tag\?/);
    assert.match(mode.stderr, /--mode must be one of automatic, news, narrative, received "x"/);
  });
});
