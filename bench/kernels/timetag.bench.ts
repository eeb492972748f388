// Sentences tagged a second on one core: ours through the public batch API, the kernel's rejection alone, and chrono-node
// on the same sentences in the same run. The two do not do the same work: chrono reads dates only in full, relative and
// casual forms, misses bare years, decades and ranges, and returns no relation; what each finds is printed beside it.
// usage: node --import tsx bench/kernels/timetag.bench.ts [passages.jsonl ...]
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import * as chrono from 'chrono-node';
import { binding } from '../../lib/binding.js';
import { splitSentences } from '../../lib/text/sentences.js';
import { tagTimes } from '../../lib/time/tagger.js';

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

function sentencesOf(paths: readonly string[]): string[] {
  const files = paths.filter((path) => existsSync(path));
  if (files.length === 0) return Array.from({ length: 40_000 }, (_, i) => composed[i % composed.length]!);
  const texts = files.flatMap((path) => readFileSync(path, 'utf8').trim().split('\n').map((line) => (JSON.parse(line) as { text: string }).text));
  return texts.flatMap((text) => splitSentences(text).map(({ start, end }) => text.slice(start, end)));
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

/** By the clock, and by the processor time of all threads, which other work on the machine disturbs less. */
async function rate(count: number, rounds: number, run: () => unknown): Promise<string> {
  await run();
  const seconds: number[] = [];
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await run();
    seconds.push((performance.now() - started) / 1000);
  }
  const { user, system } = process.cpuUsage(before);
  const middle = median(seconds);
  const shown = (rate: number) => Math.round(rate).toLocaleString('en');
  const spread = Math.round((100 * (seconds.at(-1)! - seconds[0]!)) / middle);
  return `${shown(count / middle)} sentences/s (spread ${spread} % over ${rounds}), ${shown((count * rounds * 1e6) / (user + system))} a processor second`;
}

const sentences = sentencesOf(process.argv.slice(2));
const timeless = sentences.map((text) => text.replace(/[0-9]/g, 'x').replace(/\b(?:may|sun|second|week|year|month|day|season|fall|spring|now|ago)\w*/gi, 'then'));
const few = sentences.slice(0, 4000);
binding.setThreadCount(1);
const found = (await tagTimes(sentences)).flatMap(({ mentions }) => mentions);
console.log(`${cpus()[0]!.model}, one core, Node ${process.version}; ${sentences.length} sentences, ${Math.round(sentences.reduce((sum, each) => sum + each.length, 0) / sentences.length)} characters on average`);
console.log(`asof, public API      ${await rate(sentences.length, 7, () => tagTimes(sentences))}; ${((1000 * found.length) / sentences.length).toFixed(0)} mentions in 1000`);
console.log(`asof, nothing to find ${await rate(timeless.length, 7, () => tagTimes(timeless))}`);
console.log(`asof, one at a time   ${await rate(few.length, 7, () => few.map((text) => binding.tagTimesSync([text], Float64Array.of(NaN), 0)))}`);
const theirs = few.flatMap((text) => chrono.parse(text));
console.log(`chrono-node           ${await rate(few.length, 3, () => few.map((text) => chrono.parse(text)))}; ${((1000 * theirs.length) / few.length).toFixed(0)} results in 1000`);
