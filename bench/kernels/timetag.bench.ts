// Sentences tagged a second on one core: ours through the public batch API, one at a time, where
// there is nothing to find, and by the command line, a process with its start (npm run build);
// chrono-node and Microsoft's recognizers on the same sentences in the same run. They do not do the
// same work: chrono reads dates only in full, relative and casual forms, misses bare years, decades
// and ranges; the recognizers read most forms, and resolve against today. Neither returns a
// relation.
//
// node --import tsx bench/kernels/timetag.bench.ts [passages.jsonl ...]
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { recognizeDateTime } from '@microsoft/recognizers-text-date-time';
import * as chrono from 'chrono-node';
import { addon } from '../../test/addon.js';
import { splitSentences } from '../../lib/text/sentences.js';
import type { Mention } from '../../lib/time/mention.js';
import { tagText, tagTimes } from '../../lib/time/tagger.js';

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
  if (files.length === 0)
    return Array.from({ length: 40_000 }, (_, i) => composed[i % composed.length]!);
  const texts = files.flatMap((path) =>
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { text: string }).text),
  );
  return texts.flatMap((text) =>
    splitSentences(text).map(({ start, end }) => text.slice(start, end)),
  );
}

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1]!;

/**
 * By the clock, and by the processor time of all threads, which other work on the machine disturbs
 * less.
 */
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
  return (
    `${shown(count / middle)} sentences/s (spread ${spread} % over ${rounds}), ${shown((count * rounds * 1e6) / (user + system))} a ` +
    `processor second`
  );
}

/** Of 200,000 lines of JSON, by one process of the built command line; median of three. */
function byCommand(): string {
  const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
  if (!existsSync(program)) return 'not run: npm run build first';
  const lines = Array.from({ length: 200_000 }, (_, i) => sentences[i % sentences.length]!);
  const input = lines.map((text) => `${JSON.stringify({ text })}\n`).join('');
  const seconds = Array.from({ length: 3 }, () => {
    const started = performance.now();
    const { status } = spawnSync(process.execPath, [program, 'time', 'tag'], {
      input,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error(`Expected asof time tag to succeed, received ${status}.`);
    return (performance.now() - started) / 1000;
  });
  return `${Math.round(lines.length / median(seconds)).toLocaleString('en')} sentences/s`;
}

const sentences = sentencesOf(process.argv.slice(2));
addon.setThreadCount(1);
const tagged = await tagTimes(sentences);
const timeless = sentences.filter((_, i) => tagged[i]!.mentions.length === 0);
const few = sentences.slice(0, 4000);
const fewest = sentences.slice(0, 400);
const dated = (mentions: readonly Mention[]) =>
  mentions.filter(({ interval }) => interval !== undefined).length;
const per1000 = (found: number, texts: readonly string[]) =>
  ((1000 * found) / texts.length).toFixed(0);
const ours = tagged.slice(0, few.length).flatMap(({ mentions }) => mentions);
const chronos = few.flatMap((text) => chrono.parse(text));
const microsofts = fewest.flatMap((text) => recognizeDateTime(text, 'en-us'));
console.log(
  `${cpus()[0]!.model}, one core, Node ${process.version}; ${sentences.length} sentences, ` +
    `${Math.round(sentences.reduce((sum, each) => sum + each.length, 0) / sentences.length)} characters on average`,
);
console.log(
  `asof, batches         ${await rate(sentences.length, 7, () => tagTimes(sentences))}; ${per1000(ours.length, few)} mentions in 1000, ` +
    `${per1000(dated(ours), few)} dated`,
);
console.log(
  `asof, no time in it   ${await rate(timeless.length, 7, () => tagTimes(timeless))}; the kernel's rejection alone: npm run bench:native`,
);
console.log(
  `asof, one at a time   ${await rate(few.length, 7, () => few.map((text) => tagText(text)))}`,
);
console.log(`asof time tag         ${byCommand()}`);
console.log(
  `chrono-node           ${await rate(few.length, 3, () => few.map((text) => chrono.parse(text)))}; ${per1000(chronos.length, few)} results in 1000`,
);
const lengths = microsofts.filter(({ typeName }) => /duration|set/.test(typeName)).length;
console.log(
  `recognizers-text      ${await rate(fewest.length, 3, () => fewest.map((text) => recognizeDateTime(text, 'en-us')))}; ` +
    `${per1000(microsofts.length, fewest)} results in 1000, ${per1000(lengths, fewest)} of them durations and sets`,
);
