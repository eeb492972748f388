// Writer of a benchmark's folder: passages, questions and triplets by split, judgements, superseded
// and future versions. Files are renamed into place when all are complete.
import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { AsOfError, type RunOptions } from 'asof';
import { throwIfAborted } from 'asof/kit';
import type { Re2Benchmark } from './benchmark.js';
import type { ModelTexts } from './modelTexts.js';
import type { Re2Question } from './question.js';
import { re2Splits } from './splits.js';
import { StatisticsCounter, type Re2Statistics } from './statistics.js';

export interface WriteRe2Options extends RunOptions {
  /** Texts of a model, which replace those of the grammar. */
  texts?: ModelTexts;
}

const perSplit = ['queries', 'triplets'] as const;
const names = [
  ...perSplit.flatMap((name) => re2Splits.map((split) => `${name}-${split}.jsonl`)),
  'qrels.tsv',
  'outdated.tsv',
  'future.tsv',
  'facts.tsv',
  'passages.jsonl',
  'truth.jsonl',
];

/**
 * Writes passages.jsonl {id,text,published_at}; queries-<split>.jsonl
 * {id,text,asked_at,answers,kind,unseen?}; qrels.tsv, outdated.tsv and future.tsv (TREC); facts.tsv
 * (query, number of the required fact, passage, 1), of which a pair has two;
 * triplets-<split>.jsonl {id,query,asked_at,query_time,positive,negatives:[{id,kind}]}, passages by
 * id; and truth.jsonl, what each passage was made from. Files of those names are replaced. The same
 * benchmark gives the same bytes.
 * @throws AsOfError ERR_STORAGE where the folder cannot be written; ERR_ABORTED.
 */
export async function writeRe2(
  folder: string,
  benchmark: Re2Benchmark,
  options: WriteRe2Options = {},
): Promise<Re2Statistics> {
  const { texts, signal, onProgress } = options;
  const tally = new StatisticsCounter();
  const files = new OutputFiles(folder);
  try {
    await files.open();
    const total = benchmark.facts.clusters + benchmark.facts.size;
    let done = 0;
    const step = (): void => {
      done += 1;
      if (done % 1024 !== 0) return;
      throwIfAborted(signal);
      onProgress?.({ done, total: Math.max(total, done) });
    };
    for (const question of benchmark.questions()) {
      const byModel = texts?.questions.get(question.id);
      tally.question(question, byModel !== undefined);
      await writeQuestion(files, byModel === undefined ? question : { ...question, text: byModel });
      step();
    }
    for (const { passage, truth } of benchmark.texts()) {
      const byModel = texts?.passages.get(passage.id);
      tally.passage(truth, byModel !== undefined);
      await files.line(
        'passages.jsonl',
        JSON.stringify(byModel === undefined ? passage : { ...passage, text: byModel }),
      );
      await files.line('truth.jsonl', JSON.stringify(truth));
      step();
    }
    await files.finish();
    return tally.of(benchmark);
  } finally {
    await files.discard();
  }
}

async function writeQuestion(files: OutputFiles, question: Re2Question): Promise<void> {
  const { id, text, asked_at, answers, kind, split, unseen } = question;
  const { query_time, positive, negatives, facts, current, outdated, future } = question;
  await files.line(
    `queries-${split}.jsonl`,
    JSON.stringify({ id, asked_at, answers, text, kind, ...(unseen ? { unseen } : {}) }),
  );
  if (kind !== 'pair')
    await files.line(
      `triplets-${split}.jsonl`,
      JSON.stringify({ id, query: text, asked_at, query_time, positive, negatives }),
    );
  for (const [fact, passages] of facts.entries())
    for (const passage of passages) await files.line('facts.tsv', `${id}\t${fact}\t${passage}\t1`);
  for (const [name, ids] of [
    ['qrels.tsv', current],
    ['outdated.tsv', outdated],
    ['future.tsv', future],
  ] as const) {
    for (const passage of ids) await files.line(name, `${id}\t0\t${passage}\t1`);
  }
}

/** The files, under temporary names until all are complete. */
class OutputFiles {
  readonly #files = new Map<string, { handle: FileHandle; buffer: string }>();

  constructor(private readonly folder: string) {}

  open(): Promise<void> {
    return this.#writing(async () => {
      await mkdir(this.folder, { recursive: true });
      for (const name of names)
        this.#files.set(name, { handle: await open(this.#part(name), 'w'), buffer: '' });
    });
  }

  async line(name: string, text: string): Promise<void> {
    const file = this.#files.get(name)!;
    file.buffer += `${text}\n`;
    if (file.buffer.length >= 1 << 16) await this.#flush(name);
  }

  async finish(): Promise<void> {
    for (const name of names) {
      await this.#flush(name);
      await this.#writing(async () => {
        await this.#files.get(name)!.handle.close();
        await rename(this.#part(name), join(this.folder, name));
      });
    }
  }

  /** Removes incomplete files; no-op after `finish`. */
  async discard(): Promise<void> {
    for (const [name, { handle }] of this.#files) {
      await handle.close().catch(() => undefined);
      await rm(this.#part(name), { force: true });
    }
  }

  #flush(name: string): Promise<void> {
    const file = this.#files.get(name)!;
    const { buffer } = file;
    file.buffer = '';
    return this.#writing(() => file.handle.appendFile(buffer));
  }

  async #writing(write: () => Promise<void>): Promise<void> {
    await write().catch((cause: unknown) => {
      throw unwritable(this.folder, cause);
    });
  }

  #part(name: string): string {
    return join(this.folder, `${name}.part`);
  }
}

function unwritable(folder: string, cause: unknown): AsOfError {
  const received = cause instanceof Error ? cause.message : String(cause);
  return new AsOfError(
    'ERR_STORAGE',
    `Expected to write a benchmark to ${folder}, received ${received}. Name a folder that can be written.`,
    {
      cause,
      details: { folder },
    },
  );
}
