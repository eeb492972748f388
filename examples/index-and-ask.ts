// Index and ask: a corpus in a folder, a question with a date in it, and the evidence.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, hybrid } from 'asof';
import { passages } from './ministers.js';

const folder = await mkdtemp(join(tmpdir(), 'asof-example-'));
const corpus = await Corpus.open(join(folder, 'ministers.asof'));
try {
  const { added } = await corpus.add(passages);
  console.log(`${added} passages added`);

  const system = hybrid({ corpus });
  for (const text of [
    'Who was UK prime minister as of 6 May 2021?',
    'Who was UK prime minister on 1 May 2018?',
  ]) {
    const { evidence, answer } = await system.run({ text }, { k: 1 });
    const best = evidence[0]!;
    console.log(`${text} ${answer?.text ?? 'no answer'} (${best.id}: ${best.text})`);
  }

  // Asked in 2017, passages that were published later are hidden.
  const text = 'Who is the UK prime minister?';
  const { evidence } = await system.run({ text, askedAt: '2017-01-01' });
  console.log(`in January 2017: ${evidence.map(({ id }) => id).join(', ')}`);
} finally {
  await corpus.close();
  await rm(folder, { recursive: true });
}
