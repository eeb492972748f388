// asof time tag and asof time question: JSON lines in, JSON lines out, in order and in time; faults by line number.
import assert from 'node:assert/strict';
import { asof } from './spawn.js';

const lines = (text: string): unknown[] => text.trim().split('\n').map((line) => JSON.parse(line) as unknown);

describe('asof time', () => {
  it('tags the times of texts', async () => {
    const { code, stdout } = await asof(['time', 'tag'], { input: '{"id":7,"text":"He was born in 1950 in Ulm."}\n{"id":"b","text":"No date."}\n' });
    assert.equal(code, 0);
    const [first, second] = lines(stdout) as { id: unknown; mentions: Record<string, unknown>[] }[];
    assert.equal(first!.id, 7);
    assert.deepEqual(Object.keys(first!.mentions[0]!), ['start', 'end', 'text', 'relation', 'start_iso', 'end_iso', 'granularity', 'timex_type', 'timex_value']);
    assert.deepEqual([first!.mentions[0]!['start_iso'], first!.mentions[0]!['end_iso'], first!.mentions[0]!['granularity']], ['1950-01-01', '1950-12-31', 'year']);
    assert.deepEqual(second, { id: 'b', mode: 'narrative', mentions: [], timex: [] });
  });

  it('takes questions apart', async () => {
    const { code, stdout } = await asof(['time', 'question'], { input: '{"id":"q","question":"Who was the UK prime minister as of 6 May 2021?","asked_at":"2026-01-01"}\n' });
    assert.equal(code, 0);
    assert.deepEqual(lines(stdout), [{
      id: 'q', main_content: 'Who was the UK prime minister?', constraint_text: 'as of 6 May 2021', condition: 'none', relation: 'as of',
      start_iso: '2021-05-06', end_iso: '2021-05-06', window_start: null, window_end: '2021-05-06', granularity: 'day',
    }]);
  });

  it('reports faulty lines and goes on with the others', async () => {
    const input = Buffer.concat([
      Buffer.from('{"id":1,"text":"1950"}\nnone\n{"id":2}\n'), Buffer.from('{"id":3,"text":"\xff"}\n', 'latin1'),
      Buffer.from('{"id":4,"text":"x","ref":"the other day"}\n\n{"id":5,"text":"\\ud800"}\n{"id":6,"text":"1960"}'),
    ]);
    const { code, stdout, stderr } = await asof(['time', 'tag'], { input });
    assert.equal(code, 1);
    assert.deepEqual(lines(stdout).map((line) => (line as { id: number }).id), [1, 6]);
    assert.deepEqual([...stderr.matchAll(/^asof: \(standard input\):(\d+): Expected/gm)].map((match) => match[1]), ['2', '3', '4', '5', '7']);
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
    const input = Array.from({ length: 3000 }, (_, id) => JSON.stringify({ id, text: `in ${1900 + (id % 100)}` })).join('\n');
    const { stdout } = await asof(['time', 'tag'], { input });
    assert.deepEqual(lines(stdout).map((line) => (line as { id: number }).id), Array.from({ length: 3000 }, (_, id) => id));
  });

  it('names its two commands and refuses another mode', async () => {
    const [group, wrong, mode] = await Promise.all([asof(['time']), asof(['time', 'tga']), asof(['time', 'tag', '--mode', 'x'], { input: '' })]);
    assert.deepEqual([group!.code, wrong!.code, mode!.code], [2, 2, 2]);
    assert.match(group!.stdout, /time tag[^]*time question/);
    assert.match(wrong!.stderr, /Did you mean time tag\?/);
    assert.match(mode!.stderr, /--mode must be automatic, news, narrative, received "x"/);
  });
});
