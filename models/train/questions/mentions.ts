// The labelled questions of bench/quality/time/readings with the mentions of time that the tagger
// finds in them: what train.py learns from, JSON lines to standard output. Any question may be
// bound by a date: of those that bound no time every third is given once more, `made`, with one.
//
// node --import tsx models/train/questions/mentions.ts > questions.jsonl
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { tagQuestion } from '../../../lib/time/tagger.js';
import { parseAskedAt } from '../../../lib/time/instant.js';

interface Label {
  text: string;
  asked_at: string;
  order: string;
  relation: string;
  asks: string;
  time: [string, string] | null;
  removed: string[];
}

const folder = join(import.meta.dirname, '../../../bench/quality/time/readings');
const day = 86_400_000;

function mentionsOf({ text, asked_at: askedAt }: Label) {
  const reference = parseAskedAt(askedAt, 'asked_at');
  const asked = Math.floor(reference / day);
  return tagQuestion(text, reference).map((mention) => {
    const { start, end, relation, timexType: type, timexValue: value, interval } = mention;
    if (!interval) return { start, end, relation, type, value };
    const from = Math.floor(interval.start / day);
    const to = Math.floor((interval.end - 1) / day);
    const [first, last] = [interval.start, interval.end - 1].map((instant) =>
      new Date(instant).toISOString().slice(0, -14).replace(/^\+0/, ''),
    ) as [string, string];
    return { start, end, relation, type, value, first, last, from: from - asked, to: to - asked };
  });
}

/** Words before a date, and the relation that they are; the first are the most frequent. */
const bounds: readonly (readonly [words: string, relation: string])[] = [
  ['in', 'at'],
  ['in', 'at'],
  ['in', 'at'],
  ['during', 'at'],
  ['before', 'before'],
  ['after', 'after'],
  ['since', 'since'],
  ['until', 'until'],
];
const months =
  'January February March April May June July August September October November December';

/** The `nth` question with a date behind it; undefined where the tagger sees another. */
function dated(label: Label, nth: number): Label | undefined {
  const [words, relation] = bounds[nth % bounds.length]!;
  const year = 1900 + ((nth * 37) % 125);
  const date = nth % 3 === 0 ? `${months.split(' ')[nth % 12]} ${year}` : String(year);
  const [, body, end] = /^(.*?)(\W*)$/su.exec(label.text)!;
  const made = { ...label, text: `${body} ${words} ${date}${end}`, asked_at: '2025-03-01' };
  const [mention, ...others] = mentionsOf(made);
  if (!mention?.first || others.length > 0) return undefined;
  const time: [string, string] = [mention.first, mention.last];
  return { ...made, relation, time, removed: [`${words} ${date}`] };
}

let plain = 0;
const print = (hand: string, label: Label, made: object): void =>
  console.log(JSON.stringify({ hand, ...label, ...made, mentions: mentionsOf(label) }));
for (const file of readdirSync(folder).filter((name) => name.endsWith('.jsonl'))) {
  if (file === 'identifiers.jsonl') continue;
  const hand = basename(file, '.jsonl');
  for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n')) {
    const label = JSON.parse(line) as Label;
    print(hand, label, {});
    const { order, relation, asks, time, removed } = label;
    const isPlain = order === 'none' && relation === 'none' && asks === 'thing' && time === null;
    if (!isPlain || removed.length > 0 || plain++ % 3 !== 0) continue;
    const made = dated(label, plain);
    if (made) print(hand, made, { made: true });
  }
}
