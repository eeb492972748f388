// An honest client of `asof serve`, alone and next to others: 400 idle connections, 200 bodies that
// come a byte at a time, 200 requests for a large answer that nobody reads. For each the latencies
// of its questions, those that were refused, memory of the server and the places that are taken;
// half a minute in all. It measures one machine with itself: clients and server share the
// processor.
//
// npm run build && node --import tsx bench/server/crowd.ts --seconds N of each (default 6)
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as wait } from 'node:timers/promises';
import { Corpus } from '../../lib/index.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { closedLoop, quantile } from './load.js';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '6' } } });
const seconds = Number(values.seconds);
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'asof-crowd-'));
const corpus = await Corpus.open(join(folder, 'c.asof'));
await corpus.add(
  Array.from({ length: 3000 }, (_, at) => ({
    id: `p${at}`,
    text: `The mayor of town ${at % 37} took office in ${1900 + (at % 120)}. ${'x'.repeat(4000)}`,
  })),
);
await corpus.close();

const server = spawn(
  process.execPath,
  [join(root, 'dist/cli/main.js'), 'serve', corpus.path, '--port', '0', '--system', 'bm25'],
  { stdio: ['ignore', 'pipe', 'ignore'] },
);
const [line] = (await once(server.stdout, 'data')) as [Buffer];
const [url, port] = /http:\S+:(\d+)/.exec(line.toString())!;

function connected(text: string): Socket {
  const socket = createConnection(Number(port), '127.0.0.1');
  socket.on('error', () => undefined).pause();
  socket.write(text);
  return socket;
}

const many = (count: number, text: string): Socket[] =>
  Array.from({ length: count }, () => connected(text));
const bodyHead =
  'POST /v1/corpora/c/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
  'Content-Length: 9999\r\n\r\n{';

const crowds: Readonly<Record<string, () => Socket[]>> = {
  alone: () => [],
  'idle connections': () => many(400, ''),
  'slow bodies': () => many(200, bodyHead),
  'greedy, unread answers': () =>
    many(200, 'GET /v1/corpora/c/passages?limit=1000 HTTP/1.1\r\nHost: localhost\r\n\r\n'),
};

/** Megabytes that the server holds now. */
const resident = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))![1]) / 1024;

const isRefused = async (at: number): Promise<boolean> => {
  const question = `Who was mayor of town ${at % 37} in ${1900 + (at % 120)}?`;
  const { status, ...response } = await fetch(`${url}/v1/corpora/c/search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question, k: 3 }),
  }).then(async (answer) => ({ status: answer.status, text: await answer.text() }));
  if (status !== 200 && status !== 503) throw new Error(`${status}: ${response.text}`);
  return status === 503;
};

async function inFlight(): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^asof_http_requests_in_flight (\d+)$/m.exec(text)![1]) - 1; // without this one
}

console.log(`${describeMachine(machine())}\n`);
console.log(
  '| next to | questions | refused | p50 ms | p99 ms | most MB | places, then after 2 s |',
);
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const [name, gather] of Object.entries(crowds)) {
  let [refused, most] = [0, 0];
  const sockets = gather();
  const drip = setInterval(() => {
    for (const socket of name === 'slow bodies' ? sockets : []) socket.write(' ');
    most = Math.max(most, resident());
  }, 200);
  await wait(1000);
  const latencies = await closedLoop(1, seconds, async (at) => {
    if (await isRefused(at)) refused += 1;
  });
  clearInterval(drip);
  const places = await inFlight();
  for (const socket of sockets) socket.destroy();
  await wait(2000);
  const shown = [0.5, 0.99].map((share) => quantile(latencies, share).toFixed(1));
  const cells = [name, latencies.length, refused, ...shown, most.toFixed(0)];
  console.log(`| ${cells.join(' | ')} | ${places}, ${await inFlight()} |`);
}
server.kill('SIGTERM');
await once(server, 'exit');
await rm(folder, { recursive: true, force: true });
