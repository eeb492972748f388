// The service's answers from two processes of node:cluster. Prints them as a JSON array.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { answers } from './answers.mjs';

if (cluster.isPrimary) {
  const workers = [1, 2].map((index) => cluster.fork({ FOLDER: `process-${index}.asof` }));
  const messages = await Promise.all(workers.map((worker) => once(worker, 'message')));
  console.log(JSON.stringify(messages.map(([message]) => message)));
  for (const worker of workers) worker.kill();
} else {
  process.send(await answers(process.env.FOLDER));
}
