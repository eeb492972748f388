// An evaluation over the change logs of service.mjs: which system finds the newest release as of a
// day.
import { writeFile } from 'node:fs/promises';
import { bm25, Corpus, dense, hybrid } from 'asof';
import { evaluate, parseMetrics, readQrels, readQueries } from '@asof/evaluation';

const corpus = await Corpus.open('logs.asof', { readOnly: true });
const headings = new Map();
for (let after; ; ) {
  const page = await corpus.list({ limit: 1000, after });
  for (const { id, title } of page.passages) {
    const found = /^acorn (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)/.exec(title ?? '');
    if (!found) continue;
    const [, version, day] = found;
    headings.set(version, { day, ids: [...(headings.get(version)?.ids ?? []), id] });
  }
  if (!(after = page.next)) break;
}
const queries = [...headings].slice(0, 40).map(([version, { day, ids }]) => ({
  id: version,
  text: `Which version of acorn was the newest as of ${day}?`,
  ids,
}));
await writeFile(
  'queries.jsonl',
  queries.map(({ id, text }) => `${JSON.stringify({ id, text })}\n`).join(''),
);
await writeFile(
  'qrels.tsv',
  queries.flatMap(({ id, ids }) => ids.map((each) => `${id}\t0\t${each}\t1\n`)).join(''),
);

const metrics = parseMetrics('hit@1,hit@5');
const [asked, qrels] = [await readQueries('queries.jsonl'), await readQrels('qrels.tsv')];
for (const system of [bm25({ corpus }), dense({ corpus }), hybrid({ corpus })]) {
  const { averages } = await evaluate(system, asked, { qrels, metrics });
  console.log(system.name, averages['hit@1'].mean.toFixed(2), averages['hit@5'].mean.toFixed(2));
}
await corpus.close();
