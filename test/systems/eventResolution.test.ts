// Questions that name an event in place of a date, resolved from a small corpus.
import assert from 'node:assert/strict';
import {
  Corpus,
  hybrid,
  type AskOptions,
  type Passage,
  type SystemResult,
} from '../../lib/index.js';
import { temporaryFolder } from '../store/fixtures.js';
import { withCorpus } from '../corpus.js';

const passages: Passage[] = [
  { id: 'moe', text: 'Kari Moe was mayor of Lund from 1978 to 1986.' },
  { id: 'dahl', text: 'Per Dahl was mayor of Lund from 1986 to 1994.' },
  { id: 'ruud', text: 'Siri Ruud was mayor of Lund from 1994 to 2003.' },
  { id: 'tower', text: 'The Harbour Tower collapsed on 9 November 1989, after a week of storms.' },
  { id: 'built', text: 'The Harbour Tower was built in 1931 by Anders Lie.' },
  {
    id: 'strike',
    title: 'Ferry strike',
    text: 'The Great Ferry Strike lasted from March 1980 to May 1981. It began at the harbour.',
  },
  {
    id: 'holm',
    title: 'Eva Holm',
    text: 'Eva Holm (1921–1999) wrote novels. She joined the Academy in 1984.',
    publishedAt: '1999-12-01',
  },
  {
    id: 'lie',
    text: 'Anders Lie retired from his firm on 3 June 1996.',
    publishedAt: '1996-06-04',
  },
];

describe('events in place of dates', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  const ask = (
    text: string,
    askedAt = '2024-01-01',
    options: AskOptions = {},
  ): Promise<SystemResult> => hybrid({ corpus }).run({ text, askedAt }, options);
  const told = ({ question: { resolved } }: SystemResult): unknown[] =>
    resolved ? [resolved.asked, resolved.passage] : [];

  it('are asked again with the time and the passage that the corpus has', async () => {
    for (const [text, asked, passage, right] of [
      [
        'Who was mayor of Lund when the Harbour Tower collapsed?',
        'Who was mayor of Lund on 9 November 1989?',
        'tower',
        'dahl',
      ],
      [
        'When the Harbour Tower collapsed, who was mayor of Lund?',
        'On 9 November 1989, who was mayor of Lund?',
        'tower',
        'dahl',
      ],
      [
        'Who was mayor of Lund during the Great Ferry Strike?',
        'Who was mayor of Lund between March 1980 and May 1981?',
        'strike',
        'moe',
      ],
      [
        'Who was mayor of Lund when Eva Holm joined the Academy?',
        'Who was mayor of Lund in 1984?',
        'holm',
        'moe',
      ],
      [
        'Who was mayor of Lund before Eva Holm joined the Academy?',
        'Who was mayor of Lund before 1984?',
        'holm',
        'moe',
      ],
      [
        "Who was mayor of Lund at the time of Eva Holm's death?",
        'Who was mayor of Lund in 1999?',
        'holm',
        'ruud',
      ],
      [
        'Who was mayor of Lund in the year that Anders Lie retired?',
        'Who was mayor of Lund in 1996?',
        'lie',
        'ruud',
      ],
    ] as const) {
      const result = await ask(text);
      assert.deepEqual(told(result), [asked, passage], text);
      assert.equal(result.evidence[0]!.id, right, text);
    }
  });

  it('show the constraint, the event and where it is from', async () => {
    const text = 'Who was mayor of Lund when the Harbour Tower collapsed?';
    const { question, trace } = await ask(text);
    assert.equal(question.text, text);
    assert.equal(question.mainContent, 'Who was mayor of Lund?');
    assert.equal(question.constraint.relation, 'on');
    assert.equal(question.constraint.interval?.start, Date.UTC(1989, 10, 9));
    assert.equal(question.resolved?.phrase, 'when the Harbour Tower collapsed');
    assert.equal(question.resolved?.interval.end, Date.UTC(1989, 10, 10));
    const { notes } = trace.find(({ stage }) => stage === 'resolveEvents')!;
    assert.deepEqual(
      [notes?.['event'], notes?.['start'], notes?.['end'], notes?.['passage']],
      ['when the Harbour Tower collapsed', '1989-11-09', '1989-11-09', 'tower'],
    );
  });

  it('stay as they are where no passage tells of them well enough', async () => {
    for (const text of [
      'Who was mayor of Lund when the Crystal Bridge burned?',
      'Who was mayor of Lund during the Copper Riots?',
    ]) {
      const { question, trace } = await ask(text);
      assert.equal(question.resolved, undefined, text);
      assert.equal(question.constraint.relation, 'none', text);
      const { notes } = trace.find(({ stage }) => stage === 'resolveEvents')!;
      assert.equal(notes?.['unresolved'], 'no passage tells its time');
    }
  });

  it('are told by no passage that the question may not see', async () => {
    const text = 'Who was mayor of Lund when Eva Holm joined the Academy?';
    assert.deepEqual(told(await ask(text, '1999-11-30')), []);
    assert.equal((await ask(text, '1999-12-02')).question.resolved?.passage, 'holm');
    const candidateIds = ['moe', 'dahl', 'ruud'];
    assert.deepEqual(told(await ask(text, '2024-01-01', { candidateIds })), []);
  });

  it('leave other questions and switched-off systems alone', async () => {
    const dated = await ask('Who was mayor of Lund in 1989?');
    assert.equal(dated.question.resolved, undefined);
    assert.equal(dated.trace.find(({ stage }) => stage === 'resolveEvents')?.notes, undefined);
    const off = hybrid({ corpus, events: false });
    assert.ok(!String(off).includes('resolveEvents'));
    assert.equal(off.options['events'], false);
    const result = await off.run({
      text: 'Who was mayor of Lund when the Harbour Tower collapsed?',
    });
    assert.equal(result.question.resolved, undefined);
    assert.throws(
      () => hybrid({ corpus, events: 'no' as never }),
      /Expected events to be true or false/,
    );
  });

  it('are found by words alone for a question with its own vector', async () => {
    const vector = new Float32Array(corpus.encoder.dimensions).fill(1);
    const result = await hybrid({ corpus }).run({
      text: 'Who was mayor of Lund when the Harbour Tower collapsed?',
      vector,
    });
    assert.equal(result.question.resolved?.passage, 'tower');
  });

  it('have days of the time zone of the corpus', async () => {
    const zoned = await Corpus.open(folder.path('zoned'), { timeZone: 'Asia/Tokyo' });
    await zoned.add(passages);
    const { question } = await hybrid({ corpus: zoned }).run({
      text: 'Who was mayor of Lund when the Harbour Tower collapsed?',
    });
    assert.equal(question.resolved?.asked, 'Who was mayor of Lund on 9 November 1989?');
    assert.equal(question.resolved?.interval.start, Date.UTC(1989, 10, 8, 15));
    await zoned.close();
  });
});
