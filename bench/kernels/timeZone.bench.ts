// Cost of time zones: nanoseconds of a conversion between wall clock and instant, microseconds of
// tagging a passage, of adding it to a corpus and of parsing a question, in a zone and in UTC, in
// turns. Processor time of all threads, the least of several rounds. Does not measure searches,
// which compare instants in any zone. usage: node --import tsx bench/kernels/timeZone.bench.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus } from '../../lib/store/corpus.js';
import { parseQuestion } from '../../lib/time/question/question.js';
import { tagTimes } from '../../lib/time/tagger.js';
import { fromWallClock } from '../../lib/time/timeZone.js';
import { short } from '../report.js';

const zones = ['Asia/Tokyo', 'America/New_York', 'Australia/Lord_Howe'];
const day = 86_400_000;

/** Some 300 characters with five dates and times, of days over sixty years. */
function passageOf(number: number): string {
  const date = new Date(Date.UTC(1965, 0, 1) + ((number * 7919) % 21_900) * day);
  const [month, year] = [date.toLocaleString('en', { month: 'long' }), date.getUTCFullYear()];
  const on = `${date.getUTCDate()} ${month} ${year}`;
  return (
    `On ${on} the council met in the old hall at 9:30 a.m. and talked of the bridge until noon. ` +
    `Work on it had begun in ${year - 3} and was to end within two years. In the spring of ` +
    `${year + 1} the river rose, and the ferry was put back into service on 3 May ${year + 1}.`
  );
}

const texts = Array.from({ length: 4096 }, (_, number) => passageOf(number));
const questions = texts.slice(0, 1024).map((text) => `Who led it ${text.slice(0, 16)}?`);

async function processorTime(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Microseconds a piece in each zone, undefined for UTC, round by round. */
async function compared(
  name: string,
  pieces: number,
  run: (timeZone: string | undefined) => unknown,
  rounds = 25,
): Promise<void> {
  const all = [undefined, ...zones];
  const spent = new Map(all.map((zone) => [zone, [] as number[]]));
  for (const zone of all) await run(zone);
  for (let round = 0; round < rounds; round += 1)
    for (const zone of all) spent.get(zone)!.push((await processorTime(() => run(zone))) / pieces);
  const utc = Math.min(...spent.get(undefined)!);
  const cells = zones.map((zone) => {
    const own = Math.min(...spent.get(zone)!);
    return `${zone} ${short(own)} µs (${((100 * own) / utc - 100).toFixed(1)} %)`;
  });
  console.log(`${name}: UTC ${short(utc)} µs, ${cells.join(', ')}`);
}

console.log(`${cpus()[0]!.model}, Node ${process.version}, ICU tables ${process.versions.tz}`);
for (const zone of zones) {
  const started = performance.now();
  fromWallClock(0, zone);
  const first = performance.now() - started;
  const convert = (): number => {
    let sum = 0;
    for (let at = 0; at < 200_000; at += 1) sum += fromWallClock(at * 9_000_007, zone);
    return sum;
  };
  const cold = await processorTime(convert);
  const warm: number[] = [];
  for (let round = 0; round < 25; round += 1) warm.push(await processorTime(convert));
  console.log(
    `${zone}: first use ${short(first * 1000)} µs; a conversion ${short(cold / 200)} ns at its ` +
      `first date, then ${short(Math.min(...warm) / 200)} ns`,
  );
}
await compared('tagging a passage', texts.length, (timeZone) =>
  tagTimes(texts, { references: '2024-05-06', timeZone }),
);
await compared(
  'adding a passage',
  texts.length,
  async (timeZone) => {
    const folder = mkdtempSync(join(tmpdir(), 'asof-zone-'));
    try {
      await using corpus = await Corpus.open(join(folder, 'corpus'), { timeZone });
      await corpus.add(texts.map((text, number) => ({ id: `p${number}`, text })));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  5,
);
await compared('parsing a question', questions.length, (timeZone) =>
  questions.map((text) => parseQuestion({ text, askedAt: '2024-05-06', timeZone })),
);
