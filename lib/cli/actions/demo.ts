// `asof demo`: example questions over example passages, by asof and by plain similarity.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSystem } from '../../papers/registry.js';
import { Corpus } from '../../store/corpus.js';
import type { SystemResult } from '../../systems/system.js';
import { readJsonLines, stringField, type LineLocation } from '../../text/lines.js';
import { option, UsageError, type Invocation } from '../command.js';
import { command } from '../commands/demo.js';
import { passageShape } from '../inputs/jsonLines.js';
import type { Asked, Side, Totals } from '../tables/demoLayout.js';
import { duration, whole, type Terminal } from '../terminal.js';

const examples = fileURLToPath(new URL('../../../examples/demo/', import.meta.url));

interface DemoQuestion {
  id: string;
  text: string;
  askedAt?: string;
  expectedIds: string[];
  expectedAnswer: string;
  note?: string;
}

export async function run(invocation: Invocation): Promise<number | void> {
  const kept = option(invocation, 'dir');
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'asof-demo-')));
  try {
    return await demonstrate(kept ?? join(folder, 'demo.asof'), invocation, kept !== undefined);
  } finally {
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function demonstrate(
  folder: string,
  { terminal, signal }: Invocation,
  kept: boolean,
): Promise<number> {
  const { askedJson, renderAsked, renderSummary, totalsJson } = await import(
    '../tables/demoLayout.js'
  );
  const questions = await readQuestions(signal);
  const corpus = await Corpus.open(folder, { create: true });
  try {
    if (
      corpus.info().passages > 0 &&
      !questions.some(({ expectedIds }) => expectedIds.some((id) => corpus.has(id)))
    ) {
      throw new UsageError(
        `--dir ${folder} is a corpus with passages of its own: name another folder for the examples.`,
        command.name,
      );
    }
    const started = performance.now();
    const passages = await indexExamples(corpus, terminal, signal);
    const indexMilliseconds = performance.now() - started;
    if (!terminal.json) {
      await terminal.print(
        `${terminal.style(`${whole(passages)} example passages indexed in ${duration(indexMilliseconds)}.`, 'dim')}\n\n`,
      );
    }
    const asof = createSystem('hybrid', { corpus });
    const plain = createSystem('dense', { corpus });
    const asked: Asked[] = [];
    const reports: unknown[] = [];
    for (const [index, question] of questions.entries()) {
      const { askedAt, text, expectedIds } = question;
      const asking = askedAt === undefined ? { text } : { text, askedAt };
      const begun = performance.now();
      const ours = await asof.run(asking, { signal, k: 1 });
      const milliseconds = performance.now() - begun;
      const theirs = await plain.run(asking, { signal, k: 1 });
      const each: Asked = {
        ...question,
        number: index + 1,
        asof: side(ours, expectedIds),
        plain: side(theirs, expectedIds),
        milliseconds,
      };
      asked.push(each);
      if (terminal.json) reports.push(askedJson(each));
      else await terminal.print(`${renderAsked(each, terminal)}\n`);
    }
    const totals: Totals = {
      questions: asked.length,
      asof: asked.filter((each) => each.asof.right).length,
      plain: asked.filter((each) => each.plain.right).length,
      passages,
      indexMilliseconds,
      totalMilliseconds: performance.now() - started,
    };
    if (terminal.json) await terminal.printJson(totalsJson(totals, reports));
    else await terminal.print(renderSummary(totals, kept ? folder : undefined, terminal));
    return 0; // what it got wrong it shows: a demonstration, not a test
  } finally {
    await corpus.close();
  }
}

function side({ evidence: [first], answer }: SystemResult, expectedIds: readonly string[]): Side {
  return {
    evidence: first,
    answer: answer?.text,
    right: first !== undefined && expectedIds.includes(first.id),
  };
}

async function indexExamples(
  corpus: Corpus,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const bar = terminal.progress('indexing', 'passages');
  const passages = readJsonLines(join(examples, 'passages.jsonl'), passageShape(), {
    signal,
  });
  try {
    const { added, replaced, unchanged } = await corpus.add(passages, {
      signal,
      onProgress: bar.update,
    });
    return added + replaced + unchanged;
  } finally {
    bar.end();
  }
}

async function readQuestions(signal: AbortSignal): Promise<DemoQuestion[]> {
  const shape = (record: Record<string, unknown>, where: LineLocation): DemoQuestion => {
    const askedAt = stringField(record, 'asked_at', where, 'allowed');
    const note = stringField(record, 'note', where, 'allowed');
    return {
      id: stringField(record, 'id', where),
      text: stringField(record, 'text', where),
      expectedIds: record['expected_ids'] as string[],
      expectedAnswer: stringField(record, 'expected_answer', where),
      ...(askedAt === undefined ? {} : { askedAt }),
      ...(note === undefined ? {} : { note }),
    };
  };
  const questions: DemoQuestion[] = [];
  for await (const question of readJsonLines(join(examples, 'questions.jsonl'), shape, { signal }))
    questions.push(question);
  return questions;
}
