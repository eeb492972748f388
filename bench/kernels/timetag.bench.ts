// Sentences tagged a second on one core: ours through the public batch API, one at a time, and
// where there is nothing to find; chrono-node and Microsoft's recognizers on the same sentences in
// the same run. They do not do the same work: chrono reads dates only in full, relative and casual
// forms, misses bare years, decades and ranges; the recognizers read most forms, and resolve
// against today. Neither returns a relation.
//
// node --import tsx bench/kernels/timetag.bench.ts [passages.jsonl ...]
import { readFileSync } from 'node:fs';
import { recognizeDateTime } from '@microsoft/recognizers-text-date-time';
import * as chrono from 'chrono-node';
import { addon } from '../../test/addon.js';
import { splitSentences } from '../../lib/text/sentences.js';
import { tagText, tagTimes } from '../../lib/time/tagger.js';
import { contest } from '../contest.js';
import { describeMachine, machine } from '../machine.js';
import { say } from '../report.js';

const composed = [
  'The council met in the old hall until 1718, when the new house was ready.',
  'She signed a contract on August 26, 2019, and moved the same week.',
  'The bridge carries four lanes of traffic over the river and two railway tracks.',
  'Between July 1842 and Nov. 1842 the regiment lost a third of its men to fever.',
  'He is known for his work on soils, and for a dictionary that nobody finished.',
  'In the late 1970s the two clubs met every spring in front of large crowds.',
  'Its name means "stone by the water" in the language of the first settlers.',
  'The population fell from 1,500 people to fewer than 900 after the mine closed.',
];

const texts = process.argv
  .slice(2)
  .flatMap((path) => readFileSync(path, 'utf8').trim().split('\n'))
  .map((line) => (JSON.parse(line) as { text: string }).text);
const sentences =
  texts.length > 0
    ? texts.flatMap((text) => splitSentences(text).map(({ start, end }) => text.slice(start, end)))
    : Array.from({ length: 40_000 }, (_, i) => composed[i % composed.length]!);
addon.setThreadCount(1);
const tagged = await tagTimes(sentences);
const timeless = sentences.filter((_, i) => tagged[i]!.mentions.length === 0);
const [few, fewest] = [sentences.slice(0, 4000), sentences.slice(0, 400)];

say(`${describeMachine(machine())}\n`);
await contest(`${sentences.length} sentences`, 'sentences', [
  { name: 'asof, batches', amount: sentences.length, run: () => tagTimes(sentences) },
  { name: 'asof, no time in it', amount: timeless.length, run: () => tagTimes(timeless) },
  {
    name: 'asof, one at a time',
    amount: few.length,
    run: () => void few.map((text) => tagText(text)),
  },
  {
    name: 'recognizers-text',
    amount: fewest.length,
    run: () => void fewest.map((text) => recognizeDateTime(text, 'en-us')),
  },
  {
    name: 'chrono-node',
    amount: few.length,
    run: () => void few.map((text) => chrono.parse(text)),
  },
]);
const per1000 = (found: readonly unknown[], of: readonly string[]): string =>
  ((1000 * found.length) / of.length).toFixed(0);
const ours = tagged.slice(0, few.length).flatMap(({ mentions }) => mentions);
const dated = ours.filter(({ interval }) => interval !== undefined);
const chronos = few.flatMap((text) => chrono.parse(text));
const microsofts = fewest.flatMap((text) => recognizeDateTime(text, 'en-us'));
const periodic = microsofts.filter(({ typeName }) => /duration|set/.test(typeName));
say(
  `\nFound in 1,000 sentences: asof ${per1000(ours, few)}, ${per1000(dated, few)} of them dated; ` +
    `chrono-node ${per1000(chronos, few)}; recognizers-text ${per1000(microsofts, fewest)}, ` +
    `${per1000(periodic, fewest)} of them durations and sets`,
);
