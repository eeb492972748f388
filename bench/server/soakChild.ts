// The server of bench/server/soak.ts, which says on demand how much memory it holds.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Corpus } from '../../lib/index.js';
import { corpusServer } from '../../packages/server/lib/index.js';

const corpus = await Corpus.open(join(process.argv[2]!, 'c.asof'));
await corpus.add(
  Array.from({ length: 5000 }, (_, at) => ({
    id: `p${at}`,
    text: `Minister number ${at % 300} took office in ${1900 + (at % 120)} and left it a year later.`,
  })),
);
const server = await corpusServer({ corpora: { c: corpus }, write: true });
const { url } = await server.listen({ port: 0 });

async function inFlight(): Promise<number> {
  const response = await server.fetch(new Request('http://localhost/metrics'));
  const [, count] = /^asof_http_requests_in_flight (\d+)$/m.exec(await response.text())!;
  return Number(count) - 1; // without this one
}

async function sample(): Promise<void> {
  // Twice: finalizers of the first one free more.
  for (let times = 0; times < 2; times += 1) {
    globalThis.gc!();
    await new Promise(setImmediate);
  }
  const { rss, heapUsed } = process.memoryUsage();
  process.send!({
    resident: rss / 2 ** 20,
    heap: heapUsed / 2 ** 20,
    descriptors: readdirSync('/proc/self/fd').length,
    inFlight: await inFlight(),
  });
}

process.on('message', () => void sample());
process.on('SIGTERM', () => {
  void server
    .close()
    .then(() => corpus.close())
    .then(() => process.exit());
});
process.send!(url);
