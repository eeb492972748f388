// That systems over a corpus in PostgreSQL measure as over a local one of the same passages: the
// metrics of both side by side for test collections and families of bench/quality, the number of
// questions of which a ranking differs, and the greatest difference of a score. The exit code is 1
// where any ranking differs.
//
// node --import tsx bench/postgres/quality.ts [--sets nobel,hoh,tennis,offices,holidays]
//   [--systems hybrid,mrag,tempralm,re3] [--questions 40] [--shards 2] [--keep FOLDER] [--docs]
//
// --sets are those of bench/quality/sets/sets.ts, by task, and families, whose packages are
// downloaded where they are not below --keep.
import { join } from 'node:path';
import type { Corpus, Passage } from '../../lib/index.js';
import { evaluate, parseMetrics, readQrels } from '../../packages/evaluation/lib/index.js';
import { createSystem } from '../../lib/papers/index.js';
import { PostgresServers } from '../../packages/postgres/test/servers.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { families } from '../quality/families/index.js';
import { buildFamily, openFamily } from '../quality/families/files.js';
import {
  evaluationSets,
  openSet,
  queriesOf,
  requireData,
  workFolder,
} from '../quality/sets/sets.js';
import { publish, row, say } from '../report.js';
import { postgresCorpus } from './corpora.js';
import { agreement } from './measure.js';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: 'nobel,hoh,tennis,offices,holidays' },
    systems: { type: 'string', default: 'hybrid,mrag,tempralm,re3' },
    questions: { type: 'string', default: '40' },
    shards: { type: 'string', default: '2' },
    keep: { type: 'string' },
    docs: { type: 'boolean', default: false },
  },
});
requireData();
const work = workFolder('postgres-quality', values.keep);
const metrics = parseMetrics('hit@1,ndcg@10');
const servers = await PostgresServers.start({ servers: Number(values.shards) });
let different = 0;
try {
  say(`${describeMachine(machine())}; ${values.shards} shards`);
  say('');
  const both = ['hit@1', 'ndcg@10'].flatMap((name) => [`${name}, local`, 'PostgreSQL']);
  row(['set', 'system', 'questions', ...both, 'other rankings', 'greatest difference of a score']);
  row(['---', '---', ...both.map(() => '---:'), '---:', '---:', '---:']);
  for (const name of values.sets.split(',')) await compareSet(name);
} finally {
  await servers.stop();
}
if (values.docs) publish('bench/postgres/quality.ts');
if (different > 0) process.exitCode = 1;

/** The local corpus of a set or a family, and its folder. */
async function openByName(name: string) {
  const family = families.find((each) => each.name === name);
  if (!family) return openSet(work, name);
  const folder = buildFamily(family, work);
  return { corpus: await openFamily(folder, name, work), folder };
}

async function passagesOf(corpus: Corpus): Promise<Passage[]> {
  const passages: Passage[] = [];
  let after: string | undefined;
  do {
    const page = await corpus.list({ limit: 1000, after });
    for (const { publishedAt, validFrom, validTo, ...rest } of page.passages)
      passages.push({
        ...rest,
        // Numbers near 1970 would be refused as seconds.
        ...(publishedAt === undefined ? {} : { publishedAt: new Date(publishedAt) }),
        ...(validFrom === undefined ? {} : { validFrom: new Date(validFrom) }),
        ...(validTo === undefined ? {} : { validTo: new Date(validTo) }),
      });
    after = page.next;
  } while (after !== undefined);
  return passages;
}

async function compareSet(name: string): Promise<void> {
  const { corpus: local, folder } = await openByName(name);
  const passages = await passagesOf(local);
  const schema = name.toLowerCase();
  const { corpus: remote } = await postgresCorpus(servers.urls, schema, passages);
  const file = evaluationSets.find(({ task }) => task === name)?.queries ?? 'queries';
  const queries = queriesOf(folder, file, Number(values.questions));
  const qrels = await readQrels(join(folder, 'qrels.tsv'));
  for (const system of values.systems.split(',')) {
    const [expected, found] = [
      await evaluate(createSystem(system, { corpus: local }), queries, { metrics, qrels }),
      await evaluate(createSystem(system, { corpus: remote }), queries, { metrics, qrels }),
    ];
    const rankings = ({ run }: typeof found) => ({
      results: queries.map(({ id }) => run.get(id) ?? []),
    });
    const { same, difference } = agreement(rankings(found), rankings(expected));
    different += queries.length - same;
    row([
      ...[name, system, String(queries.length)],
      ...['hit@1', 'ndcg@10'].flatMap((metric) =>
        [expected, found].map(({ averages }) => averages[metric]!.mean.toFixed(4)),
      ),
      ...[String(queries.length - same), difference.toExponential(0)],
    ]);
  }
  await remote.close();
  await local.close();
}
