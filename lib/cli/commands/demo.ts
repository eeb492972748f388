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
import { duration, timed, whole, type Style, type Terminal } from '../terminal.js';
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
  askedAt: string | undefined;
  expectedIds: string[];
  expectedAnswer: string;
  note: string | undefined;
}

export async function run(invocation: Invocation): Promise<void> {
  const named = option(invocation, 'dir');
  if (named !== undefined) return demonstrate(named, invocation);
  const folder = await mkdtemp(join(tmpdir(), 'asof-demo-'));
  try {
    await demonstrate(join(folder, 'demo.asof'), invocation);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function demonstrate(folder: string, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  const lines = readJsonLines(join(examples, 'questions.jsonl'), questionOf, { signal });
  const questions: DemoQuestion[] = [];
  for await (const question of lines) questions.push(question);
  await using corpus = await Corpus.open(folder, { create: true });
  const isKnown = ({ expectedIds }: DemoQuestion): boolean =>
    expectedIds.some((id) => corpus.has(id));
  if (corpus.info().passages > 0 && !questions.some(isKnown))
    throw new UsageError(
      `--dir ${folder} is a corpus with other passages: name another folder for the examples.`,
    );
  const started = performance.now();
  const source = readJsonLines(join(examples, 'passages.jsonl'), passageOfRecord, { signal });
  const [counts, indexing] = await timed(terminal.progress('indexing', 'passages'), (onProgress) =>
    corpus.add(source, { signal, onProgress }),
  );
  const passages = counts.added + counts.replaced + counts.unchanged;
  if (!terminal.json) {
    const indexed = `${whole(passages)} example passages indexed in ${duration(indexing)}.`;
    await terminal.print(`${terminal.style(indexed, 'dim')}\n\n`);
  }
  const asof = createSystem('hybrid', { corpus });
  const plain = createSystem('dense', { corpus });
  const results: DemoResult[] = [];
  for (const question of questions) {
    const { askedAt, text, expectedAnswer } = question;
    const begun = performance.now();
    const ours = await asof.run({ text, askedAt }, { signal });
    const milliseconds = performance.now() - begun;
    const theirs = await plain.run({ text, askedAt }, { signal });
    const result: DemoResult = {
      ...question,
      asof: answerOf(ours, expectedAnswer),
      plain: answerOf(theirs, expectedAnswer),
      milliseconds,
    };
    results.push(result);
    if (!terminal.json)
      await terminal.print(`${renderQuestion(result, results.length, terminal)}\n`);
  }
  const total = performance.now() - started;
  const count = (name: 'asof' | 'plain'): number =>
    results.filter((each) => each[name].right).length;
  const right = { asof: count('asof'), plain: count('plain'), of: results.length };
  if (terminal.json)
    return terminal.printJson({
      passages,
      questions: results.map(questionJson),
      right,
      seconds: { indexing: indexing / 1000, total: total / 1000 },
    });
  const verdict = `asof answered ${right.asof} of ${right.of} correctly, plain similarity ${right.plain}`;
  const shown = terminal.style(verdict, 'bold', right.asof === right.of ? 'green' : 'red');
  const isKept = option(invocation, 'dir') !== undefined;
  const next = isKept ? `\nAsk it yourself: asof ask ${folder} "Who ...?"` : '';
  await terminal.print(`${shown}, in ${duration(total)} with indexing.${next}\n`);
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

function questionOf(record: Record<string, unknown>, where: LineLocation): DemoQuestion {
  return {
    id: stringField(record, 'id', where),
    text: stringField(record, 'text', where),
    expectedIds: record['expected_ids'] as string[],
    expectedAnswer: stringField(record, 'expected_answer', where),
    askedAt: stringField(record, 'asked_at', where, 'allowed'),
    note: stringField(record, 'note', where, 'allowed'),
  };
}

/** A system's answer to a demo question. */
interface SystemAnswer {
  evidence: Evidence | undefined;
  /** A span of the passage, or a sentence. */
  answer: string | undefined;
  /** Whether the answer holds the expected one. */
  right: boolean;
}

interface DemoResult extends DemoQuestion {
  asof: SystemAnswer;
  plain: SystemAnswer;
  milliseconds: number;
}

const indent = 4;
const labelWidth = 18;
/** Characters from which on an answer needs no sentence around it. */
const mostOfSpan = 60;

/** One question with both answers, at most the terminal's width. */
function renderQuestion(query: DemoResult, number: number, terminal: Terminal): string {
  const { askedAt, expectedAnswer, note } = query;
  const when = askedAt === undefined ? '' : ` (asked on ${askedAt})`;
  const label = `${String(number).padStart(2)}. `;
  const lines = wrap(query.text + when, { width: terminal.columns, indent: label.length });
  const question = styled(lines, 'bold', terminal).slice(label.length);
  const expected = query.asof.right
    ? ''
    : `    ${'expected'.padEnd(labelWidth + 2)}${expectedAnswer}\n`;
  return (
    label +
    question +
    renderAnswer('plain similarity', query.plain, expectedAnswer, terminal) +
    renderAnswer('asof', query.asof, expectedAnswer, terminal) +
    expected +
    styled(wrap(note ?? '', { width: terminal.columns, indent: 4 }), 'dim', terminal)
  );
}

/** Lines in a style, but for their indents. */
const styled = (lines: string, style: Style, terminal: Terminal): string =>
  lines.replace(/[^\n]+/g, (line) => {
    const text = line.trimStart();
    return ' '.repeat(line.length - text.length) + terminal.style(text, style);
  });

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
  const times = wrap(timesLine(evidence), { width: terminal.columns, indent: start, lines: 2 });
  return `${head}${mark} ${body.trimStart()}${styled(times, 'dim', terminal)}`;
}
