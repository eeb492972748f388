// Training texts of the learned temporal extractor as JSON lines { text, heads, split }, two fifths
// of them from the benchmark builder. `heads` is the class of each head, -1 for no loss. usage:
// node --import tsx models/train/extractor/texts.ts --count 240000 --seed 1 --out DIR
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Sentences, type Slots } from '../../../packages/evaluation/lib/re2/grammar.js';
import { seededRandom, type Random } from '../../../lib/text/random.js';
import {
  anchors,
  extractorInput,
  heads,
  headsWidth,
  type HeadName,
} from '../../../lib/models/onnx/timeHeads.js';
import type { Example } from './example.js';
import { benchmarkTexts } from './records.js';
import { anyDay, anyExpression, noLabel, wholeDay, type TimeLabel } from './expressions.js';
import { name } from './names.js';
import { passages, questions } from './sentences.js';

/** Prepositional phrases in place of a time, without which the context alone would indicate one. */
const timeless = (
  'in detail|on average|at all|in general|for free|at home|in the north|on foot|' +
  'in theory|at speed|of late|in full'
).split('|');

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '240000' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const [count, seed, out] = [Number(values.count), Number(values.seed), values.out!];
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'heads.json'), JSON.stringify({ width: headsWidth, heads }));
await write('train', count, false);
await write('dev', Math.round(count / 40), true);

async function write(split: string, texts: number, heldOut: boolean): Promise<void> {
  const file = createWriteStream(join(out, `${split}.jsonl`));
  const random = seededRandom(seed, split);
  const benchmark = benchmarkTexts(seed + (heldOut ? 1_000_003 : 0), heldOut);
  for (let done = 0; done < texts; done += 1) {
    const example =
      random.next() < 0.4 ? (await benchmark.next()).value : sentenceExample(random, heldOut);
    const text = extractorInput(example.text, example.kind, example.reference);
    if (!file.write(`${JSON.stringify({ text, heads: classes(example.label) })}\n`))
      await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

/** The class of each head, in order; unknown components carry no loss. */
function classes({ year, month, day, known, anchor }: TimeLabel): number[] {
  const absolute = anchor === 'absolute' && known > 0;
  const written = absolute || anchor === 'nearest';
  const digit = (place: number): number => (absolute ? Math.floor(year / place) % 10 : -1);
  const at: Record<HeadName, number> = {
    known,
    thousands: digit(1000),
    hundreds: digit(100),
    tens: digit(10),
    ones: digit(1),
    month: written && known > 1 ? month - 1 : -1,
    day: written && known > 2 ? day - 1 : -1,
    anchor: known > 0 ? anchors.indexOf(anchor) : -1,
  };
  return Object.keys(heads).map((head) => at[head as HeadName]);
}

/** Expands a rule; every sixth alternative is reserved for the test split. */
function expanded(
  grammar: Sentences,
  rule: string,
  slots: Slots,
  random: Random,
  heldOut: boolean,
): string {
  const families = grammar.families(rule, slots);
  if (families < 6) return grammar.expand(rule, slots, random);
  for (;;) {
    const family = random.below(families);
    if ((family % 6 === 4) === heldOut) return grammar.expand(rule, slots, random, family);
  }
}

function sentenceExample(random: Random, heldOut: boolean): Example {
  const kind = random.next() < 0.4 ? 'query' : 'passage';
  const reference = kind === 'query' || random.next() < 0.8 ? anyDay(random, heldOut) : undefined;
  const slots = (): Slots => ({
    entity: name(random, heldOut),
    other: name(random, heldOut),
    number: random.pick([
      String(100 + random.below(9900)),
      String(1000 + random.below(1100)),
      `${1 + random.below(99)},${100 + random.below(900)}`,
    ]),
    small: String(1 + random.below(60)),
  });
  const create = kind === 'query' ? question : passage;
  const { text, label } = create(random, heldOut, reference, slots);
  return { text: random.next() < 0.05 ? text.toUpperCase() : text, kind, reference, label };
}

/** Dated fields of a record, which are not the text's time. */
function fields(random: Random, heldOut: boolean): string[] {
  const labels = random
    .shuffled(['Born', 'Died', 'Opened', 'Closed', 'Started', 'Ended', 'Moved', 'Wed'])
    .slice(0, 1 + random.below(3));
  return labels.map(
    (label) =>
      `${label}: ${wholeDay(anyDay(random, heldOut), random).when}, ${name(random, heldOut)}.`,
  );
}

type SlotFactory = () => Slots;
type LabelledText = { text: string; label: TimeLabel };

function question(
  random: Random,
  heldOut: boolean,
  reference: number | undefined,
  slots: SlotFactory,
): LabelledText {
  if (random.next() < 0.1)
    return { text: expanded(questions, 'undated', slots(), random, heldOut), label: noLabel };
  const none = random.next() < 0.06;
  const time = none
    ? { ...noLabel, on: random.pick(timeless), when: random.pick(timeless) }
    : anyExpression(random, heldOut, reference);
  const text = expanded(
    questions,
    'question',
    { ...slots(), on: time.on, when: time.when },
    random,
    heldOut,
  );
  return { text: random.next() < 0.15 ? text.replace(/\?$/, '') : text, label: time };
}

/**
 * A main sentence with its time among sentences without one, later distracting dates, and the
 * publication date.
 */
function passage(
  random: Random,
  heldOut: boolean,
  reference: number | undefined,
  slots: SlotFactory,
): LabelledText {
  const dated = (rule: string, time: { on: string; when: string }, more: Slots = {}): string =>
    expanded(
      passages,
      rule,
      { ...slots(), on: time.on, when: time.when, ...more },
      random,
      heldOut,
    );
  const fillers = (most: number): string[] =>
    Array.from({ length: random.below(most + 1) }, () =>
      expanded(passages, 'filler', slots(), random, heldOut),
    );
  const published = (): { on: string; when: string } =>
    wholeDay(reference ?? anyDay(random, heldOut), random);
  if (random.next() < 0.1) {
    const middle = random.next() < 0.2 ? [passages.expand('ancient', slots(), random)] : [];
    return {
      text: [...fillers(3), ...middle, ...fillers(2)].join(' ') || 'Nothing is known.',
      label: noLabel,
    };
  }
  if (random.next() < 0.04)
    return {
      text: dated('main', { on: random.pick(timeless), when: random.pick(timeless) }),
      label: noLabel,
    };
  const time = anyExpression(random, heldOut, reference);
  const parts = [
    ...(random.next() < 0.12 ? [dated('opening', published())] : []),
    ...fillers(random.next() < 0.3 ? 3 : 0),
  ];
  if (time.known === 3 && time.anchor === 'absolute' && random.next() < 0.15) {
    const coarse = { ...time, known: 2 };
    const part = random.pick(['in late', 'in early', 'in', 'in mid-', 'towards the end of', 'in']);
    const month = [
      'January',
      'February',
      'March',
      'April',
      'May',
      'June',
      'July',
      'August',
      'September',
      'October',
      'November',
      'December',
    ][time.month - 1]!;
    const coarseTime =
      random.next() < 0.7 ? `${part} ${month} ${time.year}`.replace('- ', '-') : `in ${time.year}`;
    parts.push(dated('coarse', coarse, { coarse: coarseTime }));
  }
  parts.push(dated('main', time), ...fillers(random.next() < 0.5 ? 2 : 0));
  if (random.next() < 0.25)
    parts.push(dated('distractor', anyExpression(random, heldOut, reference)), ...fillers(1));
  if (random.next() < 0.08) parts.push(...fields(random, heldOut));
  if (random.next() < 0.25) parts.push(dated('stamp', published()));
  return { text: parts.join(' '), label: time };
}
