// `asof demo`: example questions over example passages, by asof and by plain similarity.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, option, UsageError, type Invocation } from '../command.js';
import { createSystem } from '../../papers/registry.js';
import { installedFile } from '../../runtime/installation.js';
import { Corpus } from '../../store/corpus.js';
import type { SystemResult } from '../../systems/system.js';
import { readJsonLines, stringField, type LineLocation } from '../../text/lines.js';
import { passageOfRecord } from '../../store/passages/passageRecord.js';
import { answerTokens, containsAnswer } from '../../text/answerTokens.js';
import { duration, whole, type Terminal } from '../terminal.js';
import type { Evidence } from '../../reading/evidence.js';
import { wrap } from '../tables/layout.js';
import { toJson } from '../../systems/json.js';
import { timesLine } from '../tables/results.js';

export const command: Command = {
  name: 'demo',
  summary:
    'Indexes example passages and answers example questions, compared with plain similarity.',
  positionals: [],
  options: {
    dir: {
      value: 'DIR',
      help: 'keep the corpus in DIR for your own questions; default: a temporary folder',
    },
  },
  details: 'Wrong answers of either system are shown; they do not change the exit code.',
  example: 'asof demo --dir demo.asof',
};

const examples = installedFile('examples/demo');

interface DemoQuestion {
  id: string;
  text: string;
  askedAt?: string;
  expectedIds: string[];
  expectedAnswer: string;
  note?: string;
}

export async function run(invocation: Invocation): Promise<number | void> {
  const named = option(invocation, 'dir');
  const folder = named ?? (await mkdtemp(join(tmpdir(), 'asof-demo-')));
  try {
    return await demonstrate(named ?? join(folder, 'demo.asof'), invocation, named !== undefined);
  } finally {
    if (named === undefined) await rm(folder, { recursive: true, force: true });
  }
}

async function demonstrate(
  folder: string,
  { terminal, signal }: Invocation,
  persistent: boolean,
): Promise<number> {
  const questions = await readQuestions(signal);
  const corpus = await Corpus.open(folder, { create: true });
  try {
    if (
      corpus.info().passages > 0 &&
      !questions.some(({ expectedIds }) => expectedIds.some((id) => corpus.has(id)))
    ) {
      throw new UsageError(
        `--dir ${folder} is a corpus with other passages: name another folder for the examples.`,
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
    const results: DemoResult[] = [];
    for (const [index, question] of questions.entries()) {
      const { askedAt, text, expectedAnswer } = question;
      const query = askedAt === undefined ? { text } : { text, askedAt };
      const begun = performance.now();
      const ours = await asof.run(query, { signal });
      const milliseconds = performance.now() - begun;
      const theirs = await plain.run(query, { signal });
      const result: DemoResult = {
        ...question,
        number: index + 1,
        asof: answerOf(ours, expectedAnswer),
        plain: answerOf(theirs, expectedAnswer),
        milliseconds,
      };
      results.push(result);
      if (!terminal.json) await terminal.print(`${renderQuestion(result, terminal)}\n`);
    }
    const totals: DemoTotals = {
      questions: results.length,
      asof: results.filter((each) => each.asof.right).length,
      plain: results.filter((each) => each.plain.right).length,
      passages,
      indexMilliseconds,
      totalMilliseconds: performance.now() - started,
    };
    if (terminal.json) await terminal.printJson(demoJson(totals, results.map(questionJson)));
    else await terminal.print(renderSummary(totals, persistent ? folder : undefined, terminal));
    return 0; // with wrong answers too: a demonstration, not a test
  } finally {
    await corpus.close();
  }
}

function answerOf({ evidence, answer }: SystemResult, expected: string): SystemAnswer {
  return {
    evidence: evidence.find(({ id }) => id === answer?.evidence[0]) ?? evidence[0],
    answer: answer?.text,
    right: answer !== undefined && containsAnswer(tokens(answer.text), tokens(expected)),
  };
}

/** Digits in groups are one number. */
const tokens = (text: string): string[] => answerTokens(text.replace(/(?<=\d),(?=\d{3})/g, ''));

async function indexExamples(
  corpus: Corpus,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const bar = terminal.progress('indexing', 'passages');
  const passages = readJsonLines(join(examples, 'passages.jsonl'), passageOfRecord, { signal });
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

/** A system's answer to a demo question. */
interface SystemAnswer {
  evidence: Evidence | undefined;
  /** A span of the passage, or a sentence. */
  answer: string | undefined;
  /** Whether the answer holds the expected one. */
  right: boolean;
}

interface DemoResult {
  id: string;
  number: number;
  text: string;
  askedAt?: string;
  expectedIds: readonly string[];
  expectedAnswer: string;
  note?: string;
  asof: SystemAnswer;
  plain: SystemAnswer;
  milliseconds: number;
}

interface DemoTotals {
  questions: number;
  asof: number;
  plain: number;
  passages: number;
  indexMilliseconds: number;
  totalMilliseconds: number;
}

const indent = 4;
const labelWidth = 18;
/** Characters from which on an answer needs no sentence around it. */
const mostOfSpan = 60;

/** One question with both answers, at most the terminal's width. */
function renderQuestion(query: DemoResult, terminal: Terminal): string {
  const when = query.askedAt === undefined ? '' : ` (asked on ${query.askedAt})`;
  const question = hang(
    `${String(query.number).padStart(2)}. `,
    query.text + when,
    terminal,
    (line) => terminal.style(line, 'bold'),
  );
  const note =
    query.note === undefined
      ? ''
      : wrap(query.note, { width: terminal.columns, indent: 4 }).replace(/[^\n]+/g, (line) =>
          terminal.style(line, 'dim'),
        );
  const expected = query.asof.right
    ? ''
    : `    ${'expected'.padEnd(labelWidth + 2)}${query.expectedAnswer}\n`;
  const plain = renderAnswer('plain similarity', query.plain, query.expectedAnswer, terminal);
  return (
    question +
    plain +
    renderAnswer('asof', query.asof, query.expectedAnswer, terminal) +
    expected +
    note
  );
}

/** Counts of correct answers, and the time. */
function renderSummary(totals: DemoTotals, folder: string | undefined, terminal: Terminal): string {
  const { questions, asof, plain } = totals;
  const verdict = `asof answered ${asof} of ${questions} correctly, plain similarity ${plain}`;
  const next = folder === undefined ? '' : `\nAsk it yourself: asof ask ${folder} "Who ...?"`;
  return `${terminal.style(verdict, 'bold', asof === questions ? 'green' : 'red')}, in ${duration(totals.totalMilliseconds)} with indexing.${next}\n`;
}

/** One question as JSON. */
function questionJson(query: DemoResult): Record<string, unknown> {
  const answerJson = ({ evidence, answer, right }: SystemAnswer): Record<string, unknown> => ({
    right,
    answer: answer ?? null,
    evidence: evidence ? toJson.evidence(evidence) : null,
  });
  return {
    id: query.id,
    text: query.text,
    asked_at: query.askedAt ?? null,
    expected_answer: query.expectedAnswer,
    expected_ids: query.expectedIds,
    asof: answerJson(query.asof),
    plain: answerJson(query.plain),
    milliseconds: query.milliseconds,
  };
}

/** The whole demo as JSON. */
function demoJson(totals: DemoTotals, questions: unknown[]): Record<string, unknown> {
  return {
    passages: totals.passages,
    questions,
    right: { asof: totals.asof, plain: totals.plain, of: totals.questions },
    seconds: { indexing: totals.indexMilliseconds / 1000, total: totals.totalMilliseconds / 1000 },
  };
}

function renderAnswer(
  label: string,
  { evidence, answer, right }: SystemAnswer,
  expectedAnswer: string,
  terminal: Terminal,
): string {
  const mark = right ? terminal.style('✓', 'green') : terminal.style('✗', 'red');
  const head = `${' '.repeat(indent)}${label.padEnd(labelWidth)}`;
  const start = indent + labelWidth + 2;
  if (!evidence) return `${head}${mark} ${terminal.style('nothing found', 'dim')}\n`;
  const { sentence, text, title } = evidence;
  const said = wrap(answer ?? 'No answer', { width: terminal.columns, indent: start, lines: 3 });
  const source =
    answer === undefined || answer.length > mostOfSpan ? (title ?? '') : (sentence ?? text);
  const body =
    said.replace(expectedAnswer, terminal.style(expectedAnswer, 'bold')) +
    (source === '' ? '' : wrap(source, { width: terminal.columns, indent: start, lines: 3 }));
  const times = timesLine(evidence);
  const dates =
    times === ''
      ? ''
      : wrap(times, { width: terminal.columns, indent: start, lines: 2 }).replace(
          /[^\n]+/g,
          (line) => terminal.style(line, 'dim'),
        );
  return `${head}${mark} ${body.trimStart()}${dates}`;
}

/** Text with a hanging indent below its label. */
function hang(
  label: string,
  text: string,
  terminal: Terminal,
  style: (line: string) => string,
): string {
  const lines = wrap(text, { width: terminal.columns, indent: label.length }).trimEnd().split('\n');
  return `${lines.map((line, index) => `${index === 0 ? label : ' '.repeat(label.length)}${style(line.trim())}`).join('\n')}\n`;
}
