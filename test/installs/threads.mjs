// The service's answers from three worker threads that import asof at once, while a fourth is
// terminated. Prints them as a JSON array.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const code = `
  const { parentPort, workerData } = require('node:worker_threads');
  import('./answers.mjs')
    .then(({ answers }) => answers(workerData))
    .then((found) => parentPort.postMessage(found));`;
const [unlucky, ...workers] = [0, 1, 2, 3].map(
  (index) => new Worker(code, { eval: true, workerData: `thread-${index}.asof` }),
);
setTimeout(() => unlucky.terminate(), 150);
const messages = await Promise.all(workers.map((worker) => once(worker, 'message')));
console.log(JSON.stringify(messages.map(([message]) => message)));
