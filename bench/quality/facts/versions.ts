// What the recency filter gains and what it costs, on every set: `node --import tsx
// bench/quality/facts/versions.ts [--task nws,covid,...] [--system bm25,...] [--questions N]
// [--depth 50] [--keep DIR] [--losses] [--days N]`. For each system the shares of questions with
// what was in force first, among the first five, with outdated versions there, clean and with all
// facts, without the filter and with it over the best 50; the share of relevant passages among
// those that it drops ("never harms": 0.5 % at most where nothing conflicts); and its time.
// --losses prints each of them against the newer passage; --days gives passages without a
// publication a day of the last N, by their ids, since nothing undated is ever dropped. It trains
// and changes nothing.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from '../../options.js';
import { createSystem } from '../../../lib/papers/index.js';
import type { ArbitratedVersion } from '../../../lib/facts/versions/arbitrate.js';
import { voteOnVersions } from '../../../lib/facts/versions/byRules.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { parseMetrics, readFacts, readQrels, scoreRun, type Run } from '../../../lib/eval/index.js';
import type { VersionJudgements } from '../../../lib/eval/measures/versions.js';
import type { Corpus, Passage } from '../../../lib/index.js';
import { idfWeights } from '../../../lib/retrieval/documentFrequency.js';
import { describeMachine, machine } from '../../machine.js';
import {
  evaluationSets,
  openSet,
  queriesOf,
  requireData,
  type SetQuery,
  workFolder,
} from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    task: { type: 'string', default: 'nws,covid,hoh,nobel,timeqa,cranfield,tennis' },
    system: {
      type: 'string',
      default: 'bm25,bm25+mask,bm25+suffix,dense,dense+mask,dense+suffix,tempralm,mrag,hybrid',
    },
    questions: { type: 'string', default: 'all' },
    depth: { type: 'string', default: '50' },
    keep: { type: 'string' },
    losses: { type: 'boolean', default: false },
    days: { type: 'string' },
  },
});
requireData();
/**
 * What Re3's paper reports for its own system (tables 1 and 2), on sets and measures of its own.
 */
const paper: Record<string, string> = {
  nws: 'Re3 on its NOAA set: R@5 0.9625, MRR 0.593, accuracy 0.873; BM25 0.394, 0.257, 0.339',
  covid: 'Re3 on its COVID set: R@5 0.9525, MRR 0.722, accuracy 0.911; BM25 0.481, 0.311, 0.414',
  hoh: 'Re3 on HoH: R@5 0.790, MRR 0.560, accuracy 0.634; BM25 0.583, 0.470, 0.489',
};

const analyzer = englishAnalyzer();
const depth = Number(values.depth);
const sample = values.questions === 'all' ? Infinity : Number(values.questions);
const work = workFolder('versions', values.keep);
console.log(
  `${describeMachine(machine())}\nload ${loadavg()
    .map((each) => each.toFixed(1))
    .join(' ')}; the filter looks at the best ${depth}`,
);
for (const task of values.task.split(',')) {
  const { corpus, qrels, folder } = await openSet(work, task);
  const there = (name: string): string | undefined =>
    existsSync(join(folder, name)) ? join(folder, name) : undefined;
  const judged: VersionJudgements = {
    current: qrels,
    outdated: there('outdated.tsv') ? await readQrels(there('outdated.tsv')!) : new Map(),
    ...(there('future.tsv') ? { future: await readQrels(there('future.tsv')!) } : {}),
  };
  for (const { name, queries } of evaluationSets.filter((set) => set.task === task)) {
    const facts =
      queries === 'queries-pairs' && there('facts-pairs.tsv')
        ? { facts: await readFacts(there('facts-pairs.tsv')!) }
        : {};
    const asked = queriesOf(folder, queries, sample);
    console.log(
      `\n## ${name}, ${asked.length} questions${paper[task] ? `\npaper: ${paper[task]}` : ''}`,
    );
    for (const system of values.system.split(','))
      await measure(system, corpus, asked, { ...judged, ...facts });
  }
  await corpus.close();
}

async function measure(
  name: string,
  corpus: Corpus,
  asked: readonly SetQuery[],
  judged: VersionJudgements,
): Promise<void> {
  const system = createSystem(name, {
    corpus,
    ...(name === 'hybrid' ? { settings: { versions: false } } : {}),
  });
  const [plain, filtered]: [Run, Run] = [new Map(), new Map()];
  const times: number[] = [];
  let [relevant, relevantLost, lost] = [0, 0, 0];
  const snapshot = corpus.snapshot();
  const rarity = (word: string): number =>
    Math.max(0, ...idfWeights(snapshot, analyzer.analyze(word)));
  for (const query of asked) {
    const question = {
      text: query.text,
      ...(query.askedAt === undefined ? {} : { askedAt: query.askedAt }),
    };
    const { evidence } = await system.run(question, { k: depth });
    const passages = evidence.map(
      ({ id, text, sentence, title, publishedAt = dayFor(id) }): Passage => ({
        id,
        text: text.length > 400 ? (sentence ?? text) : text,
        ...(title === undefined ? {} : { title }),
        ...(publishedAt === undefined ? {} : { publishedAt }),
      }),
    );
    const started = performance.now();
    const votes = await voteOnVersions(question, passages, { rarity });
    times.push(performance.now() - started);
    const out = new Set(votes.filter(({ vote }) => vote < 0).map(({ id }) => id));
    const judgedHere = judged.current.get(query.id);
    for (const { id } of evidence) {
      const counts = (judgedHere?.get(id) ?? 0) > 0;
      relevant += Number(counts);
      relevantLost += Number(counts && out.has(id));
      if (values.losses && counts && out.has(id))
        printLoss(query.text, passages, votes.find((vote) => vote.id === id)!);
    }
    lost += out.size;
    plain.set(
      query.id,
      evidence.map(({ id, score }) => ({ id, score })),
    );
    filtered.set(
      query.id,
      evidence.filter(({ id }) => !out.has(id)).map(({ id, score }) => ({ id, score })),
    );
  }
  snapshot.release();
  const ids = asked.map(({ id }) => id);
  const line = (run: Run): string => {
    const { current, ...versions } = judged;
    const names = ['current@1', 'current@5', 'outdated@5', 'future@5', 'clean@5'];
    const metrics = parseMetrics([...names, ...(versions.facts ? ['all@5'] : [])]);
    const { averages } = scoreRun(run, current, metrics, { versions, queries: ids });
    const shares = Object.fromEntries(
      metrics.map((each) => [each.name, averages[each.name]?.mean ?? 0]),
    );
    return Object.entries(shares)
      .map(([label, value]) => `${label} ${value.toFixed(3)}`)
      .join('  ');
  };
  times.sort((a, b) => a - b);
  const at = (share: number): string =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1);
  console.log(`${name.padEnd(13)} ${line(plain)}`);
  console.log(
    `${' + versions'.padEnd(13)} ${line(filtered)}  dropped ${(lost / asked.length).toFixed(1)} a question, ` +
      `relevant ${relevantLost} of ${relevant} (${((100 * relevantLost) / Math.max(1, relevant)).toFixed(2)} %)  ` +
      `p50 ${at(0.5)} ms  p99 ${at(0.99)} ms`,
  );
}

/** A day of the last N for a passage that has none, the same one in every run. */
function dayFor(id: string): string | undefined {
  if (values.days === undefined) return undefined;
  const age = createHash('sha1').update(id).digest().readUInt32BE(0) % Number(values.days);
  return new Date(Date.now() - (age + 1) * 86_400_000).toISOString().slice(0, 10);
}

function printLoss(
  question: string,
  passages: readonly Passage[],
  { id, newer, values: said }: ArbitratedVersion,
): void {
  const shown = (which: string): string => {
    const { title, text, publishedAt } = passages.find((passage) => passage.id === which)!;
    const date = publishedAt === undefined ? 'undated' : new Date(publishedAt).toISOString();
    return `${date} ${title ?? ''}: ${text.slice(0, 400)}`;
  };
  console.log(
    `  ? ${question}\n  - ${shown(id)}\n  + ${shown(newer!)}\n    "${said![0].slice(0, 80)}" | "${said![1].slice(0, 80)}"`,
  );
}
