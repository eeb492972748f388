// What hybrid's credibility is worth where sources conflict: forecasts and counts, of which the
// answer of each question is contradicted by a later passage with another value, made up here.
// "believed": the official source has 0.95 and that of the false passages 0.3. "agreement": no
// source is known, and the true passage stands in a second source too. usage:
// node --import tsx bench/quality/facts/credibility.ts [--task nws,covid] [--questions 100]
// Passages of the set that no question needs are a spread-out sample. Nothing is tuned here.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corpus, hybrid, type HybridOptions, type Passage } from '../../../lib/index.js';
import { readQrels } from '../../../packages/evaluation/lib/index.js';
import { describeMachine, machine } from '../../machine.js';
import { parseArgs } from '../../options.js';
import {
  makeSet,
  passagesOf,
  queriesOf,
  requireData,
  workFolder,
  type SetQuery,
} from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: 'nws,covid' },
    questions: { type: 'string', default: '100' },
    keep: { type: 'string' },
  },
});
requireData();
console.log(describeMachine(machine()));
const work = workFolder('credibility', values.keep);
const believed = { field: 'source', of: { official: 0.95, blog: 0.3 } };
const unknown = { field: 'source', of: {} };

for (const task of values.task.split(',')) {
  const folder = makeSet(work, task);
  const qrels = await readQrels(join(folder, 'qrels.tsv'));
  const all = passagesOf(folder).map(
    (each): Passage => ({ ...each, metadata: { source: 'official' } }),
  );
  const byId = new Map(all.map((each) => [each.id, each]));
  const asked = queriesOf(folder, 'queries', Number(values.questions)).flatMap((query) => {
    const right = [...(qrels.get(query.id) ?? [])].flatMap(([id, grade]) =>
      grade > 0 ? (byId.get(id) ?? []) : [],
    );
    const wrong = falsePassage(query, right);
    return wrong ? [{ query, right, wrong }] : [];
  });
  const false_ = asked.map(({ wrong }) => wrong);
  const copies = asked.flatMap(({ right }) =>
    right.map((each): Passage => ({ ...each, id: `${each.id}+`, metadata: { source: 'mirror' } })),
  );
  const settings: [string, Passage[], HybridOptions['credibility'][]][] = [
    ['no false passages', all, [undefined, believed, unknown]],
    ['one false passage', [...all, ...false_], [undefined, believed]],
    ['and one copy of the truth', [...all, ...false_, ...copies], [undefined, believed, unknown]],
  ];
  console.log(`\n${task}, ${asked.length} questions: first passage right, false`);
  for (const [label, passages, credibilities] of settings) {
    const made = mkdtempSync(join(tmpdir(), 'asof-credibility-'));
    {
      await using corpus = await Corpus.open(made);
      await corpus.add(passages);
      for (const credibility of credibilities)
        await measure(`${label}, ${nameOf(credibility)}`, corpus, credibility, asked);
    }
    rmSync(made, { recursive: true });
  }
}

function nameOf(given: HybridOptions['credibility']): string {
  return given === undefined ? 'all alike' : given === believed ? 'believed' : 'agreement';
}

/** The answer's passage with another value, published a minute before the question. */
function falsePassage(
  { id, answers = [], askedAt }: SetQuery,
  right: readonly Passage[],
): Passage | undefined {
  const grouped = (value: string): string => Number(value).toLocaleString('en');
  for (const { text, title } of right)
    for (const answer of answers.flatMap((each) => [each, grouped(each)])) {
      const place = new RegExp(
        `(?<![\\d,./-])${answer}(?![\\d,/-])(?!.*(?<![\\d,./-])${answer}(?![\\d,/-]))`,
      );
      if (!place.test(text) || askedAt === undefined) continue;
      const value = Number(answer.replaceAll(',', ''));
      const other = String(value + Math.max(7, Math.round(value / 10)));
      return {
        id: `false-${id}`,
        ...(title === undefined ? {} : { title }),
        text: text.replace(place, answer.includes(',') ? grouped(other) : other),
        publishedAt: new Date(Date.parse(askedAt) - 60_000).toISOString(),
        metadata: { source: 'blog' },
      };
    }
  return undefined;
}

async function measure(
  label: string,
  corpus: Corpus,
  credibility: HybridOptions['credibility'],
  asked: readonly { query: SetQuery; right: readonly Passage[] }[],
): Promise<void> {
  const system = hybrid({ corpus, ...(credibility ? { credibility } : {}) });
  let [right, wrong] = [0, 0];
  for (const { query, right: known } of asked) {
    const { id: _, answers: _answers, ...question } = query;
    const [first] = (await system.run({ text: question.text, askedAt: query.askedAt! }, { k: 5 }))
      .evidence;
    if (known.some(({ id }) => first?.id === id || first?.id === `${id}+`)) right += 1;
    if (first?.id.startsWith('false-')) wrong += 1;
  }
  const share = (count: number): string => (count / asked.length).toFixed(3);
  console.log(`${label.padEnd(40)} ${share(right)}  ${share(wrong)}`);
}
