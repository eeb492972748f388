// The option --time-zone: of texts and questions, of a corpus and a question to it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '../store/fixtures.js';
import { asof } from './spawn.js';

const record = (text: string): Record<string, unknown> =>
  JSON.parse(text) as Record<string, unknown>;

describe('asof --time-zone', () => {
  const folder = temporaryFolder();

  it('tags texts in a zone, and prints its days', async () => {
    const input = '{"id":1,"text":"It rained today. It closed at 9:00 p.m.","ref":"2021-05-05"}\n';
    const tag = async (...options: string[]): Promise<unknown[]> => {
      const { code, stdout } = await asof(['time', 'tag', ...options], { input });
      assert.equal(code, 0);
      const { mentions } = record(stdout) as { mentions: Record<string, unknown>[] };
      return mentions.map(({ start_iso: start, end_iso: end }) => [start, end]);
    };
    const today = ['2021-05-05', '2021-05-05'];
    assert.deepEqual(await tag(), [today, ['2021-05-05T21:00Z', '2021-05-05T21:00Z']]);
    assert.deepEqual(await tag('--time-zone', 'Asia/Tokyo'), [
      today,
      ['2021-05-05T12:00Z', '2021-05-05T12:00Z'],
    ]);
  });

  it('parses questions in a zone', async () => {
    const input = '{"id":1,"question":"What happens today?","asked_at":"2021-05-05T20:00Z"}\n';
    const options = ['--time-zone', 'Asia/Tokyo'];
    const { stdout } = await asof(['time', 'question', ...options], { input });
    const { start_iso: start, window_end: end } = record(stdout);
    assert.deepEqual([start, end], ['2021-05-06', '2021-05-06']);
  });

  it('indexes a corpus of a zone, and asks it in its own or another', async () => {
    const [corpus, file] = [folder.path('corpus'), folder.path('passages.jsonl')];
    const lines = [
      {
        id: 'low',
        text: 'The gauge of Lohr stood at 310 centimetres.',
        published_at: '2021-05-05',
      },
      {
        id: 'high',
        text: 'The gauge of Lohr stood at 344 centimetres.',
        published_at: '2021-05-06T01:00',
        valid_to: '2021-05-08',
      },
    ];
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    const index = ['index', corpus, file, '--time-zone'];
    assert.equal((await asof([...index, 'Asia/Tokyo'])).code, 0);
    const other = await asof([...index, 'Europe/London']);
    assert.equal(other.code, 2);
    assert.match(other.stderr, /Asia\/Tokyo, the time zone that the corpus was created with/);
    assert.equal(
      record((await asof(['info', corpus, '--json'])).stdout)['time_zone'],
      'Asia/Tokyo',
    );
    assert.deepEqual(
      (await asof(['get', corpus, 'low', 'high'])).stdout.trim().split('\n').map(record),
      [lines[0], { ...lines[1], published_at: '2021-05-05T16:00Z' }],
    );
    const text = 'What gauge of Lohr did the report published on 5 May 2021 give?';
    const ask = async (...options: string[]) => {
      const { stdout } = await asof(['ask', corpus, text, '--json', ...options]);
      return record(stdout) as {
        time_zone: string;
        constraint: { start_iso: string };
        evidence: { id: string; published_at: string; time_zone: string }[];
      };
    };
    const own = await ask();
    assert.deepEqual([own.time_zone, own.constraint.start_iso], ['Asia/Tokyo', '2021-05-05']);
    const { id, published_at: published, time_zone: zone } = own.evidence[0]!;
    assert.deepEqual([id, published, zone], ['low', '2021-05-05', 'Asia/Tokyo']);
    // There both are of 5 May but for the first, of 4 May at 11:00.
    const away = await ask('--time-zone', 'America/New_York');
    assert.equal(away.constraint.start_iso, '2021-05-05');
    assert.equal(away.time_zone, 'America/New_York');
    assert.equal(away.evidence[0]!.id, 'high');
  });

  it('refuses a name that is no zone, as wrong usage', async () => {
    const { code, stderr } = await asof(['time', 'tag', '--time-zone', 'Mars'], { input: '' });
    assert.equal(code, 2);
    assert.match(stderr, /--time-zone to be the IANA name of a time zone, .*"?Mars/s);
  });
});
