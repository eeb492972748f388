// What a change of stored passages costs, next to adding them and to the merge of a compaction: an
// update of times and metadata, of one passage and of all, and other fields. The encoder is the
// embedded one, the fastest that there is; a larger model makes `add` slower, and nothing else.
// Processor time of the process, medians of rounds.
//
// node --import tsx bench/store/update.ts [--passages 20000] [--rounds 3]
import '../../test/selectAddon.js';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Corpus, type Passage } from '../../lib/index.js';
import { mulberry32 } from '../../lib/text/random.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { median, row, say, short } from '../report.js';
import { workFolder } from '../quality/sets/sets.js';

const { values } = parseArgs({
  options: {
    passages: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
  },
});
const [count, rounds] = [values.passages, values.rounds].map(Number) as [number, number];
const words = 'harbour council opened bridge minister elected museum station river house'.split(
  ' ',
);

/** Six sentences, a third of which name a year. */
function passage(number: number): Passage {
  const next = mulberry32(number);
  const below = (most: number): number => Math.floor(next() * most);
  const sentences = Array.from({ length: 6 }, () => {
    const said = Array.from({ length: 14 }, () => words[below(words.length)]!).join(' ');
    return `The ${said}${below(3) === 0 ? ` in ${1990 + below(30)}` : ''}.`;
  });
  return {
    id: `p${number}`,
    title: `Report ${number}`,
    text: sentences.join(' '),
    publishedAt: Date.UTC(2000, 0, 1 + number),
    metadata: { number },
  };
}

const folder = join(workFolder('update', undefined), 'corpus');
const work: [string, number, (corpus: Corpus, round: number) => Promise<unknown>][] = [
  ['`add`', count, (corpus) => corpus.add(Array.from({ length: count }, (_, n) => passage(n)))],
  ['`update` of one passage', 1, (corpus, round) => corpus.update(['p7'], { metadata: { round } })],
  [
    '`update` of all, of metadata',
    count,
    (corpus, round) => corpus.update({ where: {} }, { metadata: { round } }),
  ],
  [
    '`update` of all, of publication',
    count,
    (corpus, round) => corpus.update({ where: {} }, { publishedAt: `${2000 + round}` }),
  ],
  [
    '`alterFields`, a new one',
    count,
    (corpus) => corpus.alterFields({ add: { number: 'number' } }),
  ],
  ['`alterFields`, a new name', count, (corpus) => corpus.alterFields({ rename: { number: 'n' } })],
  [
    '`compact` of all',
    count,
    async (corpus) => {
      await corpus.delete(['p7']);
      await corpus.compact();
    },
  ],
];
const taken = new Map<string, number[]>(work.map(([name]) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  rmSync(folder, { recursive: true, force: true });
  await using corpus = await Corpus.open(folder);
  for (const [name, , run] of work) {
    const start = process.cpuUsage();
    await run(corpus, round);
    const { user, system } = process.cpuUsage(start);
    taken.get(name)!.push((user + system) / 1000);
  }
}
say(describeMachine(machine()));
say('');
row([`${count.toLocaleString('en')} passages of six sentences`, 'ms', 'µs a passage']);
row(['---', '---:', '---:']);
for (const [name, passages] of work) {
  const milliseconds = median(taken.get(name)!);
  row([name, short(milliseconds), short((1000 * milliseconds) / passages)]);
}
