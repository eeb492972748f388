// Timelines of small corpora: order, validity, values, restatements, what is hidden and refused.
import assert from 'node:assert/strict';
import { Corpus, timeline, type Passage, type TimelineEntry } from '../../lib/index.js';
import { temporaryFolder } from '../store/fixtures.js';
import { assertEach } from '../assertEach.js';
import { withCorpus } from '../corpus.js';

const passages: Passage[] = [
  {
    id: 'may',
    text: 'Theresa May was prime minister of the United Kingdom from 13 July 2016 to 24 July 2019.',
  },
  {
    id: 'johnson',
    title: 'Boris Johnson',
    text: 'On 24 July 2019 he became prime minister of the United Kingdom.',
  },
  {
    id: 'johnson-term',
    text:
      'Boris Johnson was prime minister of the United Kingdom from 24 July 2019 to ' +
      '6 September 2022.',
  },
  {
    id: 'sunak',
    text: 'Rishi Sunak became prime minister of the United Kingdom on 25 October 2022.',
    publishedAt: '2022-10-25',
  },
  { id: 'macron', text: 'Emmanuel Macron became president of France on 14 May 2017.' },
  { id: 'street', text: 'The prime minister of the United Kingdom lives in Downing Street.' },
  ...(
    [
      ['2021-03-01', 410],
      ['2021-04-01', 425],
    ] as const
  ).map(([publishedAt, cases]) => ({
    id: `cases-${publishedAt}`,
    text: `On 14 February 2021 Arendal had counted ${cases} cases of measles.`,
    publishedAt,
  })),
  ...[15, 16, 17].map((day) => ({
    id: `cases-of-${day}`,
    text: `On ${day} February 2021 Arendal had counted ${400 + 7 * day} cases of measles.`,
    publishedAt: `2021-02-${day + 1}`,
  })),
];

const day = (instant: number | undefined): string | undefined =>
  instant === undefined ? undefined : new Date(instant).toISOString().slice(0, 10);

describe('timeline', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  const of = (text: string, askedAt?: string): Promise<TimelineEntry[]> =>
    timeline(corpus, askedAt === undefined ? { text } : { text, askedAt });

  it('gives the members in order, with their own ends or until the next begins', async () => {
    const entries = await of('Who was prime minister of the United Kingdom?');
    assert.deepEqual(
      entries.map(({ start, end, values }) => [day(start), day(end), values]),
      [
        ['2016-07-13', '2019-07-25', ['Theresa May']],
        ['2019-07-24', '2022-09-07', ['Boris Johnson']],
        ['2022-10-25', undefined, ['Rishi Sunak']],
      ],
    );
    assert.ok(entries.every(({ probability }) => probability > 0.5 && probability <= 1));
  });

  it('takes statements of one state together', async () => {
    const [, johnson] = await of('prime minister of the United Kingdom');
    assert.deepEqual([...johnson!.evidence].sort(), ['johnson', 'johnson-term']);
    assert.equal(johnson!.statement, passages[2]!.text);
  });

  it('takes the values of titles, and a title where there is no text', async () => {
    const releases = await Corpus.open(folder.path('releases'));
    try {
      await releases.add(
        [1, 2, 3].map((n) => ({
          id: `release-${n}`,
          title: `commander 2.${n}.0 / 2018-0${n}-03`,
          text: n === 3 ? '' : 'Mends a fault.',
        })),
      );
      const entries = await timeline(releases, { text: 'versions of commander' });
      assert.deepEqual(
        entries.map(({ start, values, statement }) => [day(start), values, statement]),
        [
          ['2018-01-03', ['2.1.0'], 'Mends a fault.'],
          ['2018-02-03', ['2.2.0'], 'Mends a fault.'],
          ['2018-03-03', ['2.3.0'], 'commander 2.3.0 / 2018-03-03'],
        ],
      );
    } finally {
      await releases.close();
    }
  });

  it('reads a list as one member each, however many it has', async () => {
    const heads = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter, at) => ({
      name: `${letter}nna ${letter}olm`,
      from: 1890 + 5 * at,
      to: 1895 + 5 * at,
    }));
    const listed = (list: typeof heads, form: (head: (typeof heads)[number]) => string): string =>
      list.map(form).join('; ');
    const all: Record<string, [string, typeof heads]> = {
      brackets: [
        `Chief executives of Lohr Paper: ${listed(heads.slice(0, 4), ({ name, from, to }) => `${name} (${from}–${to})`)}.`,
        heads.slice(0, 4),
      ],
      words: [
        `The chief executives of Lohr Paper were ${listed(heads.slice(4, 8), ({ name, from, to }) => `${name} from ${from} to ${to}`)}.`,
        heads.slice(4, 8),
      ],
      'times first': [
        `Chief executives of Lohr Paper. ${listed(heads.slice(0, 5), ({ name, from, to }) => `${from}–${to}: ${name}`)}.`,
        heads.slice(0, 5),
      ],
      thirty: [
        `Chief executives of Lohr Paper: ${listed(heads, ({ name, from, to }) => `${name} (${from}–${to})`)}.`,
        heads,
      ],
      table: [
        `Chief executives of Lohr Paper\n\n| name | years |\n| --- | --- |\n${heads
          .slice(0, 6)
          .map(({ name, from, to }) => `| ${name} | ${from}–${to} |`)
          .join('\n')}\n`,
        heads.slice(0, 6),
      ],
    };
    for (const [name, [text, expected]] of Object.entries(all)) {
      await using lists = await Corpus.open(folder.path(name));
      await lists.add([{ id: 'list', text }]);
      const entries = await timeline(lists, { text: 'chief executives of Lohr Paper' });
      assert.deepEqual(
        entries.map(({ start, end, values }) => [
          new Date(start!).getUTCFullYear(),
          new Date(end! - 1).getUTCFullYear(),
          ...values,
        ]),
        expected.map((each) => [each.from, each.to, each.name]),
        name,
      );
    }
  });

  it('does not mind the dates of a question, nor initials of a name', async () => {
    const whole = await of('Who was prime minister of the United Kingdom?');
    const dated = await of('Who was UK prime minister as of 6 May 2021?');
    assertEach(
      dated,
      ({ values }) => values,
      whole.map(({ values }) => values),
    );
  });

  it('lets the newest publication of a time stand, and hides those after asking', async () => {
    const question = 'How many cases of measles had Arendal counted?';
    const at = (entries: readonly TimelineEntry[]): TimelineEntry | undefined =>
      entries.find(({ start }) => day(start) === '2021-02-14');
    const now = at(await of(question))!;
    assert.deepEqual(now.values, ['425']);
    assert.deepEqual(now.supersedes, ['cases-2021-03-01']);
    const before = at(await of(question, '2021-03-15'))!;
    assert.deepEqual(before.values, ['410']);
    assert.deepEqual(before.supersedes, []);
  });

  it('is empty where nothing is stated', async () => {
    const empty = await Corpus.open(folder.path('empty'));
    assert.deepEqual(await timeline(empty, { text: 'prime minister' }), []);
    await empty.close();
  });

  it('refuses what is no question, corpus or option, and stops at a signal', async () => {
    const refused = { code: 'ERR_INVALID_ARGUMENT' };
    await assert.rejects(timeline(corpus, { text: ' ' }), refused);
    await assert.rejects(timeline({} as Corpus, { text: 'a' }), refused);
    await assert.rejects(timeline(corpus, { text: 'a' }, { passages: 0 }), refused);
    await assert.rejects(timeline(corpus, { text: 'a' }, { k: 3 } as never), refused);
    await assert.rejects(timeline(corpus, { text: 'a', askedAt: 'soon' }), refused);
    await assert.rejects(timeline(corpus, { text: 'a' }, { ranker: '/no/such/file' }), {
      code: 'ERR_NOT_FOUND',
    });
    await assert.rejects(timeline(corpus, { text: 'a' }, { signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
  });
});
