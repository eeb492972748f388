// A soak of a server: clients ask, stream, search, list, tag and write, and half of them leave
// before they have their answer. Memory after garbage collection, open files and requests in flight
// are taken at even moments; it fails if memory grows from the middle to the end. --seconds N
// (default 600), --clients N (default 20).
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mulberry32 } from '../../lib/text/random.js';
import { describeMachine, machine } from '../machine.js';
import { parseArgs } from '../options.js';
import { median } from '../report.js';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    clients: { type: 'string', default: '20' },
  },
});
const seconds = Number(values.seconds);
const moments = 20;
/** Growth of the heap that is noise, in MiB. */
const noise = 4;

/** What the server's process says of itself. */
interface Sample {
  resident: number;
  heap: number;
  descriptors: number;
  inFlight: number;
}

const folder = await mkdtemp(join(tmpdir(), 'asof-soak-'));
const child = fork(fileURLToPath(new URL('soakChild.ts', import.meta.url)), [folder], {
  execArgv: ['--expose-gc', '--import', 'tsx'],
});
const [url] = (await once(child, 'message')) as [string];
const next = mulberry32(11);
const counts = { answered: 0, left: 0, refused: 0 };
const end = performance.now() + seconds * 1000;

/** A request of a random kind. */
function randomRequest(): { path: string; method: string; body?: string; accept?: string } {
  const question = `Who was the minister number ${Math.floor(next() * 300)} in ${1900 + Math.floor(next() * 120)}?`;
  const post = (path: string, body: object, accept?: string) => ({
    path: `/v1/${path}`,
    method: 'POST',
    body: JSON.stringify(body),
    ...(accept ? { accept } : {}),
  });
  const kinds = [
    () => post('corpora/c/ask', { question }),
    () => post('corpora/c/ask', { question, k: 50 }, 'application/x-ndjson'),
    () => post('corpora/c/search', { question }),
    () => post('corpora/c/timeline', { question }),
    () => post('time/tag', { texts: [{ text: question }] }),
    () => ({ path: '/v1/corpora/c/passages?limit=100', method: 'GET' }),
    () => {
      const id = `new${Math.floor(next() * 50)}`;
      const text = `Minister ${id} held office in ${2000 + Math.floor(next() * 20)}.`;
      return post('corpora/c/passages', { passages: [{ id, text }] });
    },
    () => post('corpora/c/delete', { ids: [`new${Math.floor(next() * 50)}`] }),
  ];
  return kinds[Math.floor(next() * kinds.length)]!();
}

async function client(): Promise<void> {
  while (performance.now() < end) {
    const { path, method, body, accept } = randomRequest();
    const leaves = next() < 0.5 ? AbortSignal.timeout(Math.floor(next() * 60)) : undefined;
    try {
      const response = await fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json', ...(accept ? { accept } : {}) },
        ...(body === undefined ? {} : { body }),
        ...(leaves ? { signal: leaves } : {}),
      });
      await response.text();
      if (response.status === 200) counts.answered += 1;
      else counts.refused += 1;
      if (response.status >= 500 && response.status !== 503)
        throw new Error(`status ${response.status}`);
    } catch (error) {
      if (!leaves?.aborted) throw error;
      counts.left += 1;
    }
  }
}

async function sample(): Promise<Sample> {
  child.send('sample');
  const [taken] = (await once(child, 'message')) as [Sample];
  return taken;
}

console.log(`${describeMachine(machine())}\n`);
console.log(
  '| seconds | answered | left | refused | resident MiB | heap MiB | descriptors | in flight |',
);
console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
const clients = Promise.all(Array.from({ length: Number(values.clients) }, client));
const samples: Sample[] = [];
for (let moment = 1; moment <= moments; moment += 1) {
  await new Promise((resolve) => setTimeout(resolve, (seconds / moments) * 1000));
  const taken = await sample();
  samples.push(taken);
  const { resident, heap, descriptors, inFlight } = taken;
  const { answered, left, refused } = counts;
  const cells = [Math.round((seconds / moments) * moment), answered, left, refused];
  console.log(
    `| ${cells.join(' | ')} | ${resident.toFixed(0)} | ${heap.toFixed(1)} | ${descriptors} | ${inFlight} |`,
  );
}
await clients;
const last = await sample();
child.kill('SIGTERM');
await once(child, 'exit');
await rm(folder, { recursive: true, force: true });
const heapOf = (from: number, to: number): number =>
  median(samples.slice(from, to).map(({ heap }) => heap));
const growth = heapOf(-5, moments) - heapOf(moments / 2 - 5, moments / 2);
const left = last.inFlight;
console.log(
  `\nHeap from the second quarter to the last: ${growth.toFixed(1)} MiB. In flight at the end: ${left}.`,
);
if (growth > noise || left > 0) process.exitCode = 1;
