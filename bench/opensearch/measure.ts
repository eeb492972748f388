// Recall of a corpus in OpenSearch against a folder of the same passages, by candidates, with time
// inside the first stage and applied to what it found; milliseconds of a question; loads.
//
// node --import tsx bench/opensearch/measure.ts [--folder DIR,...] [--timeqa] [--system NAME,...]
//   [--candidates N,...] [--nodes N] [--heap MB] [--sample N] [--work FOLDER] [--kill]
// Families as bench/quality/families/measure.ts has them; --timeqa the passages of that task.
// recall: of the first ten passages of the folder, those among the first ten here. --kill ends a
// node while passages are loaded and questions answered, and counts those that failed.
import { basename, join } from 'node:path';
import type { Corpus, Passage } from '../../lib/index.js';
import { Corpus as LocalCorpus } from '../../lib/index.js';
import { createSystem } from '../../lib/papers/index.js';
import { copyOptions, copyPassages } from '../../lib/store/copy.js';
import type { SearchableCorpus } from '../../lib/store/searchableCorpus.js';
import { OpenSearchCorpus, type OpenSearchOptions } from '../../packages/opensearch/lib/index.js';
import { OpenSearchNodes } from '../../packages/opensearch/test/servers.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { familyCorpora, familyFiles, judgments } from '../quality/families/files.js';
import { makeSet, passagesOf, queriesOf, workFolder } from '../quality/sets/sets.js';
import { median, quantile, row, say } from '../report.js';

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: '' },
    timeqa: { type: 'boolean', default: false },
    system: { type: 'string', default: 'bm25,dense,tempralm,mrag,re3,hybrid' },
    candidates: { type: 'string', default: '200,1000,5000' },
    nodes: { type: 'string', default: '1' },
    heap: { type: 'string', default: '512' },
    sample: { type: 'string', default: '40' },
    work: { type: 'string' },
    kill: { type: 'boolean', default: false },
  },
});
const work = workFolder('opensearch', values.work);
const [nodes, heapMb, sample] = [values.nodes, values.heap, values.sample].map(Number) as [
  number,
  number,
  number,
];

interface Ask {
  text: string;
  askedAt?: string;
}

interface Asked {
  ids: string[][];
  ms: number[];
}

async function ask(name: string, corpus: SearchableCorpus, asks: readonly Ask[]): Promise<Asked> {
  const system = createSystem(name, { corpus });
  const asked: Asked = { ids: [], ms: [] };
  for (const each of asks) {
    const started = performance.now();
    const { evidence } = await system.run(each, { k: 10, read: false });
    asked.ms.push(performance.now() - started);
    asked.ids.push(evidence.map(({ id }) => id));
  }
  return asked;
}

/** Share of the first ten of the folder that are found, and of questions with the same order. */
function agreement(found: Asked, expected: Asked): { recall: number; same: number } {
  let [hits, all, same] = [0, 0, 0];
  expected.ids.forEach((ids, at) => {
    all += ids.length;
    hits += ids.filter((id) => found.ids[at]!.includes(id)).length;
    same += Number(ids.join() === found.ids[at]!.join());
  });
  return { recall: hits / Math.max(1, all), same: same / Math.max(1, expected.ids.length) };
}

const figure = (value: number): string => value.toFixed(3);
const milliseconds = ({ ms }: Asked): string =>
  `${median(ms).toFixed(0)} (${quantile(ms, 0.95).toFixed(0)})`;

async function compare(name: string, local: Corpus, asks: readonly Ask[]): Promise<void> {
  const index = name.toLowerCase();
  const connect = (options: Partial<OpenSearchOptions> = {}): Promise<OpenSearchCorpus> =>
    OpenSearchCorpus.connect({
      nodes: cluster.urls,
      index,
      shards: nodes,
      replicas: nodes > 1 ? 1 : 0,
      requestTimeoutMs: 120_000,
      ...options,
    });
  const info = local.info();
  const loaded = await connect(copyOptions(info));
  const started = performance.now();
  await copyPassages(local, loaded, {});
  const seconds = (performance.now() - started) / 1000;
  const merging = performance.now();
  await loaded.compact();
  const merged = (performance.now() - merging) / 1000;
  const { bytes } = await loaded.info();
  say(
    `\n${name}: ${info.passages} passages, ${info.rows} rows; loaded in ${seconds.toFixed(1)} s ` +
      `(${(info.rows / seconds).toFixed(0)} rows a second), merged in ${merged.toFixed(1)} s, ` +
      `${(bytes.primaries / 1e6).toFixed(0)} MB, folder ${(info.bytes.total / 1e6).toFixed(0)} MB; ` +
      `${asks.length} questions, ${nodes} ${nodes === 1 ? 'node' : 'nodes'}\n`,
  );
  await loaded.close();
  row(['system', 'candidates', 'recall', 'same order', 'time after', 'ms (p95)', 'folder ms']);
  row(['---', '---:', '---:', '---:', '---:', '---:', '---:']);
  for (const system of values.system.split(',')) {
    const expected = await ask(system, local, asks);
    const measured = async (options: Partial<OpenSearchOptions>): Promise<Asked> => {
      await using corpus = await connect(options);
      await ask(system, corpus, asks.slice(0, 5)); // warms the engine's compiler
      return await ask(system, corpus, asks);
    };
    for (const candidates of values.candidates.split(',').map(Number)) {
      const inside = await measured({ candidates });
      const after = await measured({ candidates, timeInQuery: false });
      const { recall, same } = agreement(inside, expected);
      const figures = [recall, same, agreement(after, expected).recall].map(figure);
      const times = [milliseconds(inside), milliseconds(expected)];
      row([system, String(candidates), ...figures, ...times]);
    }
    if (system === 're3') continue; // no script states its vectors
    const exact = await measured({ exact: true });
    const { recall, same } = agreement(exact, expected);
    const times = [milliseconds(exact), milliseconds(expected)];
    row([system, 'exact', figure(recall), figure(same), '', ...times]);
  }
}

/** Kills the last node while passages are loaded and questions asked. */
async function killed(passages: readonly Passage[], asks: readonly Ask[]): Promise<void> {
  await using corpus = await OpenSearchCorpus.connect({
    nodes: cluster.urls,
    index: 'killed',
    shards: nodes,
    replicas: 1,
  });
  const system = createSystem('hybrid', { corpus });
  const first = passages.length >> 2;
  await corpus.add(passages.slice(0, first));
  const ends = { answered: 0, failed: 0, slowest: 0 };
  let isLoaded = false;
  const asking = async (): Promise<void> => {
    for (let at = 0; !isLoaded; at += 1) {
      const started = performance.now();
      const isAnswered = await system.run(asks[at % asks.length]!).then(
        () => true,
        () => false,
      );
      ends[isAnswered ? 'answered' : 'failed'] += 1;
      ends.slowest = Math.max(ends.slowest, performance.now() - started);
    }
  };
  const loading = async (): Promise<void> => {
    for (let at = first; at < passages.length; at += 200) {
      if (at >= 2 * first && cluster.nodes.at(-1)!.isRunning) await cluster.nodes.at(-1)!.kill();
      await corpus.add(passages.slice(at, at + 200));
    }
    isLoaded = true;
  };
  await Promise.all([loading(), asking()]);
  const count = await corpus.count();
  await corpus.verify();
  say(
    `\na node killed: ${count} of ${passages.length} passages are there, intact; ` +
      `${ends.answered} questions answered meanwhile, ${ends.failed} failed, ` +
      `the slowest in ${ends.slowest.toFixed(0)} ms`,
  );
}

const every = <T>(all: readonly T[]): T[] =>
  all.filter((_, at) => at % Math.max(1, Math.floor(all.length / sample)) === 0);

say(describeMachine(machine()));
const cluster = await OpenSearchNodes.start({ nodes, heapMb });
try {
  for (const given of values.folder.split(',').filter(Boolean)) {
    const files = familyFiles(given);
    const judged = judgments(files);
    for await (const { corpus, queries } of familyCorpora(files, judged, work))
      await compare(
        basename(files.name),
        corpus,
        every(queries).map(({ text, asked_at: askedAt }) => ({
          text,
          ...(askedAt === undefined ? {} : { askedAt }),
        })),
      );
  }
  if (values.timeqa || values.kill) {
    const set = makeSet(work, 'timeqa');
    const asks = every(queriesOf(set, 'queries-hard')).map(({ text }) => ({ text }));
    const passages = passagesOf(set);
    await using local = await LocalCorpus.open(join(work, 'timeqa.asof'));
    if (values.timeqa) {
      await local.add(passages);
      await compare('timeqa', local, asks);
    }
    if (values.kill) await killed(passages.slice(0, 4000), asks);
  }
} finally {
  await cluster.stop();
}
