// The demo as text and as JSON.
import type { Evidence } from '../../reading/evidence.js';
import { duration, type Terminal } from '../terminal.js';
import { wrap } from './layout.js';
import { toJson } from '../../systems/json.js';
import { timesLine } from './results.js';

/** A system's answer to a demo question. */
export interface SystemAnswer {
  evidence: Evidence | undefined;
  /** The extracted span, printed in JSON only. */
  answer: string | undefined;
  /** Whether the first passage is one of `expectedIds`. */
  right: boolean;
}

export interface DemoResult {
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

export interface DemoTotals {
  questions: number;
  asof: number;
  plain: number;
  passages: number;
  indexMilliseconds: number;
  totalMilliseconds: number;
}

const indent = 4;
const labelWidth = 18;

/** One question with both answers, at most the terminal's width. */
export function renderQuestion(query: DemoResult, terminal: Terminal): string {
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
export function renderSummary(
  totals: DemoTotals,
  folder: string | undefined,
  terminal: Terminal,
): string {
  const { questions, asof, plain } = totals;
  const verdict = `asof answered ${asof} of ${questions} correctly, plain similarity ${plain}`;
  const next = folder === undefined ? '' : `\nAsk it yourself: asof ask ${folder} "Who ...?"`;
  return `${terminal.style(verdict, 'bold', asof === questions ? 'green' : 'red')}, in ${duration(totals.totalMilliseconds)} with indexing.${next}\n`;
}

/** One question as JSON. */
export function questionJson(query: DemoResult): Record<string, unknown> {
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
export function demoJson(totals: DemoTotals, questions: unknown[]): Record<string, unknown> {
  return {
    passages: totals.passages,
    questions,
    right: { asof: totals.asof, plain: totals.plain, of: totals.questions },
    seconds: { indexing: totals.indexMilliseconds / 1000, total: totals.totalMilliseconds / 1000 },
  };
}

function renderAnswer(
  label: string,
  { evidence, right }: SystemAnswer,
  expectedAnswer: string,
  terminal: Terminal,
): string {
  const mark = right ? terminal.style('✓', 'green') : terminal.style('✗', 'red');
  const head = `${' '.repeat(indent)}${label.padEnd(labelWidth)}`;
  const start = indent + labelWidth + 2;
  if (!evidence) return `${head}${mark} ${terminal.style('nothing found', 'dim')}\n`;
  const content = evidence.sentence ?? evidence.text;
  const text =
    evidence.title === undefined || content.includes(evidence.title)
      ? content
      : `${evidence.title}: ${content}`;
  const body = wrap(text, { width: terminal.columns, indent: start, lines: 3 }).replace(
    expectedAnswer,
    terminal.style(expectedAnswer, 'bold'),
  );
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
