#!/usr/bin/env node
// Entry point of the `asof` command line: the process, its signals and streams.
import { runCommandLine } from './run.js';

const controller = new AbortController();
process.on('SIGINT', () => {
  if (controller.signal.aborted) process.exit(130); // a second interrupt exits at once
  controller.abort();
});
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (fault: NodeJS.ErrnoException) => {
    // the reader closed the pipe
    if (fault.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    const message = `Expected to write the output, the system refused: ${fault.message}. Check its space.`;
    if (stream === process.stdout) process.stderr.write(`asof: ${message}\n`);
    process.exit(1);
  });
}

process.exitCode = await runCommandLine(process.argv.slice(2), process, controller.signal);
