// What is asserted holds: states whose end is known to lie before the time asked for, by metadata
// or by text, are no answers for it, and evidence says when they held.
import assert from 'node:assert/strict';
import { Corpus, hybrid, type Passage } from '../../lib/index.js';
import { seededRandom } from '../../lib/kit.js';
import { temporaryFolder } from '../store/fixtures.js';

const places = 'Tannau Lohr Grell Brinn Haslach Ottersberg Velm Marn Kessing Roda'.split(' ');
const bodies = (
  'Mill Museum Theatre Harbour Library School Hospital Chapel Station Bakery ' +
  'Prison Dairy Zoo Circus Brewery Bank Quarry Abbey Inn Foundry'
).split(' ');
const given = 'Ida Karl Ines Otto Ruth Paul Vera Hugo Clara Emil'.split(' ');
const family = 'Rau Holm Wirth Brandt Adler Keller Lang Rowe Sonn Pohl'.split(' ');

/** Four ways to state that an office ended, of 50 houses each. */
const forms: ((house: string, name: string, from: number, to: number) => Partial<Passage>)[] = [
  (house, name, from, to) => ({
    text: `${name} is the director of ${house}.`,
    validFrom: `${from}-03-01`,
    validTo: `${to}-02-28`,
  }),
  (house, name, from, to) => ({
    text: `${name} was the director of ${house} from ${from} to ${to}.`,
  }),
  (house, name, _, to) => ({ text: `${name} was the director of ${house} until ${to}.` }),
  (house, name, from, to) => ({
    text: `The director of ${house} from March ${from} to February ${to} was ${name}.`,
    publishedAt: `${to}-05-01`,
  }),
];

describe('ended states', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  const facts: { house: string; name: string; from: number; to: number; form: number }[] = [];
  before(async () => {
    const random = seededRandom(7);
    corpus = await Corpus.open(folder.path('ended.asof'));
    const passages: Passage[] = [];
    for (let form = 0; form < forms.length; form += 1)
      for (const body of bodies.slice(5 * form, 5 * form + 5))
        for (const place of places) {
          const house = `${place} ${body}`;
          const name = `${given[random.below(10)]!} ${family[random.below(10)]!}`;
          const from = 1985 + random.below(15);
          const to = from + 3 + random.below(12);
          facts.push({ house, name, from, to, form });
          passages.push({ id: house, text: '', ...forms[form]!(house, name, from, to) });
        }
    await corpus.add(passages);
  });
  after(() => corpus.close());

  it('ended by what they say, though they are published on the next day', async () => {
    const own = await Corpus.open(folder.path('nextDay.asof'));
    await own.add([
      {
        id: 'first',
        text: 'Ann Bell ran the Lohr mill from 1931 to 1940.',
        publishedAt: '1941-01-01',
      },
      {
        id: 'second',
        text: 'Bob Cole has run the Lohr mill since 1940.',
        publishedAt: '1942-03-01',
      },
    ]);
    const text = 'Who runs the Lohr mill now?';
    const { evidence } = await hybrid({ corpus: own }).run({ text, askedAt: '2026-11-30' });
    const { state, window } = evidence.find(({ id }) => id === 'first')!.validity!;
    assert.deepEqual([state, window!.end], ['ended', Date.UTC(1941, 0, 1)]);
    await own.close();
  });

  it('ended by their metadata, though only their publication says since when', async () => {
    await using own = await Corpus.open(folder.path('toll.asof'));
    await own.add([
      { id: 'three', text: 'The toll of the bridge is 3 crowns.', publishedAt: '2020-01-01' },
      {
        id: 'five',
        text: 'The toll of the bridge is 5 crowns.',
        publishedAt: '2022-01-01',
        validTo: '2022-12-31',
      },
    ]);
    const ask = (askedAt: string) =>
      hybrid({ corpus: own }).run({ text: 'What is the toll of the bridge?', askedAt });
    const after = await ask('2024-05-01');
    const { state, window, bounded } = after.evidence.find(({ id }) => id === 'five')!.validity!;
    assert.deepEqual([state, window!.end, bounded], ['ended', Date.UTC(2023, 0, 1), ['from']]);
    assert.doesNotMatch(after.answer?.text ?? '', /5/);
    const then = await ask('2022-06-01');
    assert.match(then.answer?.text ?? '', /^5/);
    assert.equal(then.answer?.validity?.state, 'holds');
  });

  it('are never asserted of now or of a later year, in 200 of 200', async () => {
    const system = hybrid({ corpus });
    const asserted: string[] = [];
    for (const [at, { house }] of facts.entries()) {
      const text =
        at % 2 === 0
          ? `Who is the current director of ${house}?`
          : `Who was the director of ${house} as of 2020?`;
      const { answer, unanswered } = await system.run({ text, askedAt: '2024-05-01' });
      if (answer || unanswered === undefined) asserted.push(`${text} ${answer?.text}`);
    }
    assert.deepEqual(asserted, []);
  });

  it('answer for the time in which they held, with that time', async () => {
    const system = hybrid({ corpus });
    let right = 0;
    const known = facts.filter(({ form }) => form !== 2);
    for (const { house, name, from, to } of known) {
      const text = `Who was the director of ${house} as of June ${from + 1}?`;
      const { answer, evidence } = await system.run({ text, askedAt: '2024-05-01' });
      const { validity } = evidence[0]!;
      const isRight = answer?.text.includes(name) && answer.validity?.state === 'holds';
      const [start, end] = [validity?.window?.start ?? 0, validity?.window?.end ?? 0];
      const years = [new Date(start).getUTCFullYear(), new Date(end - 1).getUTCFullYear()];
      if (isRight && years[0] === from && years[1] === to) right += 1;
    }
    assert.ok(right >= 0.95 * known.length, `${right} of ${known.length}`);
  });

  it('are named where a question is left unanswered', async () => {
    await using own = await Corpus.open(folder.path('own.asof'));
    await own.add([
      {
        id: 'rau',
        text: 'Karl Rau is mayor of Tannau.',
        validFrom: '2003-05-01',
        validTo: '2013-02-28',
      },
      {
        id: 'holm',
        text: 'Ines Holm is mayor of Tannau.',
        validFrom: '2015-05-01',
        validTo: '2018-04-30',
      },
    ]);
    const ask = (text: string) => hybrid({ corpus: own }).run({ text, askedAt: '2024-05-01' });
    const { unanswered } = await ask('Who was mayor of Tannau as of 3 May 2014?');
    assert.match(
      unanswered!,
      /ended on 2013-02-28 \(rau\)\. The next one begins on 2015-05-01 \(holm\)\.$/,
    );
    const now = await ask('Who is the mayor of Tannau now?');
    assert.match(
      now.unanswered!,
      /: it ended on 2018-04-30\. The last one before ended on 2018-04-30 \(holm\)\.$/,
    );
    assert.equal(now.evidence[0]!.validity?.state, 'ended');
    const then = await ask('Who was mayor of Tannau in 2010?');
    assert.equal(then.answer?.text, 'Karl Rau');
    assert.equal(then.answer?.validity?.state, 'holds');
  });
});
