// Filter by a time window: vector search over the passages whose dates lie in a question's window.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, searchVectors, staticEncoder } from 'asof';
import { formatDay, parseQuestion } from 'asof/time';
import { passages } from './ministers.js';

const folder = await mkdtemp(join(tmpdir(), 'asof-example-'));
const encoder = await staticEncoder();
const corpus = await Corpus.open(join(folder, 'ministers.asof'), { encoder });
try {
  await corpus.add(passages);

  const text = 'Which prime minister took office between 2018 and 2020?';
  const { window } = parseQuestion({ text }).constraint;
  const day = (instant: number) => (Number.isFinite(instant) ? formatDay(instant) : 'open');
  console.log(`window: ${day(window!.start)} to ${day(window!.end)}, end exclusive`);

  const query = await encoder.encode([text], { kind: 'query' });
  for (const clock of ['content', 'published'] as const) {
    const [hits] = await searchVectors(corpus, query, 10, {
      interval: window!, // a filter of the scan: other passages are never candidates
      relation: 'within',
      clock,
    });
    console.log(`${clock}: ${hits!.map(({ id }) => id).join(', ')}`);
  }
  const [unfiltered] = await searchVectors(corpus, query, 10, { asOf: '2020-01-01' });
  console.log(
    `published by 2020: ${unfiltered!
      .map(({ id }) => id)
      .sort()
      .join(', ')}`,
  );
} finally {
  await corpus.close();
  await rm(folder, { recursive: true });
}
