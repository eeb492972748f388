// `asof index`: passages into a corpus; valid lines are stored even if others are invalid.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AsOfError } from '../../errors.js';
import { beirPassage } from '../../eval/files/beir.js';
import type { Passage } from '../../records.js';
import type { Storage } from '../../store/manifest.js';
import { checkPassage } from '../../store/passages.js';
import { readJsonLines } from '../../text/lines.js';
import { option, type Invocation } from '../command.js';
import { command } from '../commands/index.js';
import { faultCollector, isFolder, located, passageShape } from '../inputs/jsonLines.js';
import { openCorpus } from '../inputs/corpus.js';
import { isSlow } from '../options/encoders.js';
import { counted } from '../tables/layout.js';
import { duration, whole } from '../terminal.js';

/**
 * Passages committed at once where each takes milliseconds to encode: what an interruption loses,
 * and the bar's steps.
 */
const slowBatch = 256;

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const [folder, ...named] = invocation.positionals as [string, ...string[]];
  const beir = new Set<string>(); // files of BEIR folders, whose lines have another form
  const files = await Promise.all(
    named.map(async (path) => ((await isFolder(path)) ? corpusOf(path, beir) : path)),
  );
  const started = performance.now();
  const { faults, onFault } = faultCollector(terminal.say);
  const reading = { passages: 0, bytes: 0, bytesTotal: await totalBytes(files) };
  const toPassage = passageShape();
  async function* passages(): AsyncGenerator<Passage> {
    for (const file of files) {
      const checked = (
        record: Record<string, unknown>,
        where: { file: string; line: number },
      ): Passage => {
        const passage = beir.has(file) ? beirPassage(record, where) : toPassage(record, where);
        located(() => checkPassage(passage), where);
        return passage;
      };
      for await (const passage of readJsonLines(file, checked, {
        signal,
        onFault,
        onBytes: (count) => (reading.bytes += count),
      })) {
        reading.passages += 1;
        yield passage;
      }
    }
  }
  const bar = terminal.progress('indexing', 'passages');
  const storage = option(invocation, 'storage');
  const corpus = await openCorpus(folder, invocation, {
    create: true,
    ...(storage === undefined ? {} : { storage: storage as Storage }),
  });
  let stored = 0;
  try {
    const outcome = await corpus.add(passages(), {
      signal,
      ...(isSlow(invocation) ? { batchSize: slowBatch } : {}),
      onProgress: ({ done }) => {
        stored = done;
        bar.update({
          done,
          total: Math.round((reading.passages * reading.bytesTotal) / Math.max(1, reading.bytes)),
        });
      },
    });
    bar.end();
    const milliseconds = performance.now() - started;
    if (terminal.json) {
      await terminal.printJson({
        corpus: folder,
        ...outcome,
        rejected: faults.length,
        faults: faults.map(faultJson),
        seconds: milliseconds / 1000,
      });
    } else await terminal.print(`${summary(folder, outcome, faults.length, milliseconds)}\n`);
    return faults.length > 0 ? 1 : 0;
  } catch (fault) {
    bar.end();
    if (stored > 0)
      terminal.say(
        `asof: ${counted(stored, 'passage is', 'passages are')} stored; repeat the command to continue.`,
      );
    throw fault;
  } finally {
    await corpus.close();
  }
}

function corpusOf(folder: string, beir: Set<string>): string {
  const path = join(folder, 'corpus.jsonl');
  beir.add(path);
  return path;
}

/**
 * Bytes of the files, Infinity where one has no size (a pipe). A file that is not there is said
 * before anything is made.
 */
async function totalBytes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map((file) => (file === '-' ? Infinity : fileBytes(file))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function fileBytes(file: string): Promise<number> {
  const found = await stat(file).catch((cause: unknown) => {
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a file at ${file}, found none. Check the path.`,
      { cause, details: { file } },
    );
  });
  if (found.isDirectory()) {
    throw new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected ${file} to be a file, received a folder. Name the files in it.`,
      { details: { file } },
    );
  }
  return found.isFile() ? found.size : Infinity;
}

function summary(
  folder: string,
  outcome: { added: number; replaced: number; unchanged: number },
  rejected: number,
  milliseconds: number,
): string {
  const { added, replaced, unchanged } = outcome;
  const rate = whole((added + replaced + unchanged) / Math.max(milliseconds / 1000, 1e-3));
  const parts = [
    `${whole(added)} added`,
    `${whole(replaced)} replaced`,
    `${whole(unchanged)} unchanged`,
  ];
  if (rejected > 0) parts.push(`${counted(rejected, 'faulty line', 'faulty lines')} left out`);
  return `${folder}: ${parts.join(', ')} in ${duration(milliseconds)} (${rate} passages/s)`;
}

function faultJson(fault: AsOfError): Record<string, unknown> {
  return { file: fault.details['file'], line: fault.details['line'], message: fault.message };
}
