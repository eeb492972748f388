// `asof index`: passages into a corpus; valid lines are stored even if others are invalid.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AsOfError } from '../../errors.js';
import { beirPassage } from '../../eval/files/beir.js';
import type { Passage } from '../../records.js';
import type { Corpus } from '../../store/corpus.js';
import type { Storage } from '../../store/manifest.js';
import { checkPassage } from '../../store/passages.js';
import { readJsonLines, type LineLocation } from '../../text/lines.js';
import { option, type Invocation } from '../command.js';
import { command } from '../commands/index.js';
import { openCorpus } from '../inputs/corpus.js';
import { faultCollector, isFolder, passageShape, withLocation } from '../inputs/jsonLines.js';
import { timeZoneOf } from '../inputs/timeZone.js';
import { isSlow } from '../options/encoders.js';
import { counted } from '../tables/layout.js';
import { duration, whole } from '../terminal.js';

/** Passages of a commit with a slow encoder: the most that an interruption loses. */
const slowBatch = 256;

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal } = invocation;
  const [folder, ...named] = invocation.positionals as [string, ...string[]];
  const files = await Promise.all(named.map(inputFile));
  const started = performance.now();
  const { faults, onFault } = faultCollector(terminal.say);
  const counts = { passages: 0, bytes: 0, bytesTotal: await totalBytes(files) };
  const bar = terminal.progress('indexing', 'passages');
  const storage = option(invocation, 'storage');
  const corpus = await openCorpus(folder, invocation, {
    create: true,
    ...(storage === undefined ? {} : { storage: storage as Storage }),
    timeZone: timeZoneOf(invocation, command),
    ...(invocation.flags.has('no-sentences') ? { sentences: false } : {}),
  });
  let stored = 0;
  try {
    const outcome = await corpus.add(readPassages(corpus, files, counts, { signal, onFault }), {
      signal,
      ...(isSlow(invocation) ? { batchSize: slowBatch } : {}),
      onProgress: ({ done }) => {
        stored = done;
        const passagesPerByte = counts.passages / Math.max(1, counts.bytes);
        bar.update({ done, total: Math.round(passagesPerByte * counts.bytesTotal) });
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

interface InputFile {
  path: string;
  /** Whether its lines have BEIR's form. */
  beir: boolean;
}

/** A file of passages, or the corpus of a BEIR folder. */
async function inputFile(path: string): Promise<InputFile> {
  const beir = await isFolder(path);
  return { path: beir ? join(path, 'corpus.jsonl') : path, beir };
}

async function* readPassages(
  corpus: Corpus,
  files: readonly InputFile[],
  counts: { passages: number; bytes: number },
  { signal, onFault }: { signal: AbortSignal; onFault: (fault: AsOfError) => void },
): AsyncGenerator<Passage> {
  const toPassage = passageShape();
  for (const { path, beir } of files) {
    const shape = (record: Record<string, unknown>, where: LineLocation): Passage => {
      const passage = beir ? beirPassage(record, where) : toPassage(record, where);
      withLocation(() => checkPassage(passage, corpus.passageRules), where);
      return passage;
    };
    const onBytes = (count: number): void => void (counts.bytes += count);
    for await (const passage of readJsonLines(path, shape, { signal, onFault, onBytes })) {
      counts.passages += 1;
      yield passage;
    }
  }
}

/**
 * Bytes of the files, Infinity for one without a size (a pipe).
 * @throws AsOfError ERR_NOT_FOUND for a missing file, before a corpus is created.
 */
async function totalBytes(files: readonly InputFile[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async ({ path }) => (path === '-' ? Infinity : fileBytes(path))),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function fileBytes(file: string): Promise<number> {
  const entry = await stat(file).catch((cause: unknown) => {
    throw new AsOfError(
      'ERR_NOT_FOUND',
      `Expected a file at ${file}, found none. Check the path.`,
      { cause, details: { file } },
    );
  });
  if (entry.isDirectory()) {
    throw new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected ${file} to be a file, received a folder. Name the files in it.`,
      { details: { file } },
    );
  }
  return entry.isFile() ? entry.size : Infinity;
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
  if (rejected > 0) parts.push(`${counted(rejected, 'invalid line', 'invalid lines')} skipped`);
  return `${folder}: ${parts.join(', ')} in ${duration(milliseconds)} (${rate} passages/s)`;
}

function faultJson(fault: AsOfError): Record<string, unknown> {
  return { file: fault.details['file'], line: fault.details['line'], message: fault.message };
}
