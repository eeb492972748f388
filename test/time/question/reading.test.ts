// Readings of questions: how many of those labelled by hands that the reader was not trained on are
// right, and the fields of single readings.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { formatDay } from '../../../lib/time/instant.js';
import { readOperator } from '../../../lib/time/question/operator.js';
import { blanked, readQuestion, type QuestionReading } from '../../../lib/time/question/reading.js';
import { questionWindow } from '../../../lib/time/question/questionText.js';

const askedAt = '2024-06-15';
const read = (text: string): QuestionReading => readQuestion({ text, askedAt });
const linesOf = <T>(url: URL): T[] =>
  readFileSync(url, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
const labelled = (name: string): URL =>
  new URL(`../../../bench/quality/time/readings/${name}.jsonl`, import.meta.url);

interface Label {
  text: string;
  asked_at: string;
  asks: string;
  order: string;
  n: number | null;
  relation: string;
  time: [string, string] | null;
  clock: string;
}

/** A question, its operator on time and the inclusive days that bound its answer, where they do. */
interface OperatorCase {
  text: string;
  askedAt?: string;
  operator: string;
  from?: string;
  to?: string;
}

/** A time at a distance from a date is a time like any other: its state or what fell within it. */
function isRight({ text, askedAt, operator, from, to }: OperatorCase): boolean {
  const { kind, window, time, now } = readOperator({ text, ...(askedAt ? { askedAt } : {}) });
  const isOffset = operator === 'before_offset';
  const { start, end } = (isOffset && time) || window;
  const isOpen = (now || kind === 'when') && !(isOffset && time);
  const day = (instant: number) =>
    isOpen || !Number.isFinite(instant) ? undefined : formatDay(instant);
  const expected = isOffset ? ['in', 'as-of'] : [operator.replaceAll('_', '-')];
  return expected.includes(kind) && day(start) === from && day(end - 1) === to;
}

const daysOf = ({ time }: QuestionReading): [string, string] | null =>
  time ? [formatDay(time.start), formatDay(time.end - 1)] : null;

describe('the reading of a question', () => {
  it('is right on most questions of hands that it was not trained on', () => {
    const wrong: string[] = [];
    const labels = ['b', 'd', 'e', 'k', 'zb', 'zw'].flatMap((hand) =>
      linesOf<Label>(labelled(hand)).filter((_, at) => at % 4 === 0),
    );
    for (const label of labels) {
      const reading = readQuestion({ text: label.text, askedAt: label.asked_at });
      const { asks, order, relation, clock, n } = reading;
      const seen = [asks, order, n ?? null, relation, clock, daysOf(reading)];
      const wanted = [label.asks, label.order, label.n, label.relation, label.clock, label.time];
      if (JSON.stringify(seen) !== JSON.stringify(wanted)) wrong.push(label.text);
    }
    assert.ok(wrong.length < 0.18 * labels.length, wrong.join('\n'));
  });

  it('gives operators that are right on most of our own cases', () => {
    const cases = linesOf<OperatorCase>(new URL('operators.jsonl', import.meta.url));
    const wrong = cases.filter((each) => !isRight(each)).map(({ text }) => text);
    assert.ok(wrong.length <= 0.15 * cases.length, wrong.join('\n'));
  });

  it('has the kind of answer, the order and the relation', () => {
    for (const [text, asks, order, relation, anchor] of [
      ['Who was mayor of Lund in 1995?', 'thing', 'none', 'at', undefined],
      ['Which laws were passed before 1990?', 'thing', 'none', 'before', undefined],
      ['Which films did she make after 2003?', 'thing', 'none', 'after', undefined],
      ['Who has led the party since 2010?', 'thing', 'none', 'since', undefined],
      ['Who won the cup between 1998 and 2004?', 'thing', 'none', 'between', undefined],
      ['Who was the first governor of Ohio?', 'thing', 'first', 'none', undefined],
      ['What is the latest version of Node.js?', 'thing', 'latest', 'none', undefined],
      ['Who is currently the mayor of Oslo?', 'thing', 'now', 'none', undefined],
      ['Who succeeded Queen Victoria?', 'thing', 'next', 'none', 'Queen Victoria'],
      ['Who was pope before John XXIII?', 'thing', 'previous', 'none', 'John XXIII'],
      ['Who owned the paper when the Titanic sank?', 'thing', 'none', 'at', 'Titanic sank'],
      ['When was the bridge opened?', 'when', 'none', 'none', undefined],
      ['How long did the siege last?', 'how-long', 'none', 'none', undefined],
      ['What is a hash tree?', 'thing', 'none', 'none', undefined],
    ] as const) {
      const reading = read(text);
      assert.deepEqual(
        [reading.asks, reading.order, reading.relation, reading.anchor?.text],
        [asks, order, relation, anchor],
        text,
      );
    }
    assert.equal(read('Who was the third president of Brazil?').n, 3);
    assert.equal(read('Which reports were published in May 2019?').clock, 'published');
    const { shift } = read('Who led the company two years after the merger?');
    assert.deepEqual(shift, { count: 2, unit: 'year' });
  });

  it('takes relative times by the day of asking, in its zone', () => {
    assert.deepEqual(daysOf(read('Who won the race last year?')), ['2023-01-01', '2023-12-31']);
    const timeZone = 'Pacific/Auckland';
    const late = { text: 'What happened yesterday?', askedAt: '2024-06-15T20:00:00Z', timeZone };
    assert.deepEqual(daysOf(readQuestion(late)), ['2024-06-15', '2024-06-15']);
  });

  it('takes no identifier for a time, mostly', () => {
    const labels = linesOf<Label>(labelled('identifiers')).filter((_, at) => at % 4 === 0);
    const right = labels.filter(
      ({ text, asked_at: at, time }) =>
        String(daysOf(readQuestion({ text, askedAt: at }))) === String(time),
    );
    assert.ok(right.length >= 0.85 * labels.length, String(right.length));
  });

  it('has spans of the text, in order', () => {
    const words = 'when who was the mayor before after 1990 in May 3 first next, since? "'.split(
      ' ',
    );
    const texts = fc.oneof(
      fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((each) => each.join(' ')),
      fc.string({ unit: 'binary', maxLength: 80 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const { removed, dates, anchor } = read(text);
        for (const spans of [removed, dates, anchor ? [anchor] : []]) {
          let at = 0;
          for (const { start, end } of spans) {
            assert.ok(at <= start && start < end && end <= text.length);
            at = end;
          }
        }
        for (const date of dates) assert.equal(date.text, text.slice(date.start, date.end));
        assert.equal(blanked(text, [...removed, ...dates]).length, text.length);
      }),
    );
  });

  it('is of the end of a long text', () => {
    const long = `${'He chaired the board in 1871. '.repeat(200)}Who was mayor in 1995?`;
    const reading = read(long);
    assert.ok(long.length > questionWindow);
    const { start, end, binds, interval } = reading.dates.at(-1)!;
    assert.ok(binds);
    assert.equal(new Date(interval.start).getUTCFullYear(), 1995);
    assert.equal(long.slice(start, end), 'in 1995');
  });
});
