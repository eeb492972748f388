// The demo as text and as JSON.
import type { Evidence } from '../../reading/evidence.js';
import { duration, type Terminal } from '../terminal.js';
import { wrap } from './layout.js';
import { evidenceJson, timesLine } from './results.js';

/** What one system made of the question. */
export interface Side {
  evidence: Evidence | undefined;
  /** The span that the system reads off it, for the JSON; on a terminal the sentence speaks. */
  answer: string | undefined;
  /** Whether the first passage is one of the expected. */
  right: boolean;
}

export interface Asked {
  id: string;
  number: number;
  text: string;
  askedAt?: string;
  expectedIds: readonly string[];
  expectedAnswer: string;
  note?: string;
  asof: Side;
  plain: Side;
  milliseconds: number;
}

export interface Totals {
  questions: number;
  asof: number;
  plain: number;
  passages: number;
  indexMilliseconds: number;
  totalMilliseconds: number;
}

const indent = 4;
const labelWidth = 18;

/** One question, at most the terminal's width. */
export function renderAsked(query: Asked, terminal: Terminal): string {
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
  const plain = side('plain similarity', query.plain, query.expectedAnswer, terminal);
  return (
    question + plain + side('asof', query.asof, query.expectedAnswer, terminal) + expected + note
  );
}

/** How many of each were right, and how long it took. */
export function renderSummary(
  totals: Totals,
  kept: string | undefined,
  terminal: Terminal,
): string {
  const { questions, asof, plain } = totals;
  const verdict = `asof answered ${asof} of ${questions} rightly, plain similarity ${plain}`;
  const next = kept === undefined ? '' : `\nAsk it yourself: asof ask ${kept} "Who ...?"`;
  return `${terminal.style(verdict, 'bold', asof === questions ? 'green' : 'red')}, in ${duration(totals.totalMilliseconds)} with indexing.${next}\n`;
}

/** One question as JSON. */
export function askedJson(query: Asked): Record<string, unknown> {
  const side = ({ evidence, answer, right }: Side): Record<string, unknown> => ({
    right,
    answer: answer ?? null,
    evidence: evidence ? evidenceJson(evidence) : null,
  });
  return {
    id: query.id,
    text: query.text,
    asked_at: query.askedAt ?? null,
    expected_answer: query.expectedAnswer,
    expected_ids: query.expectedIds,
    asof: side(query.asof),
    plain: side(query.plain),
    milliseconds: query.milliseconds,
  };
}

/** The whole demo as JSON. */
export function totalsJson(totals: Totals, questions: unknown[]): Record<string, unknown> {
  return {
    passages: totals.passages,
    questions,
    right: { asof: totals.asof, plain: totals.plain, of: totals.questions },
    seconds: { indexing: totals.indexMilliseconds / 1000, total: totals.totalMilliseconds / 1000 },
  };
}

function side(
  label: string,
  { evidence, right }: Side,
  expectedAnswer: string,
  terminal: Terminal,
): string {
  const mark = right ? terminal.style('✓', 'green') : terminal.style('✗', 'red');
  const head = `${' '.repeat(indent)}${label.padEnd(labelWidth)}`;
  const start = indent + labelWidth + 2;
  if (!evidence) return `${head}${mark} ${terminal.style('nothing found', 'dim')}\n`;
  const said = evidence.sentence ?? evidence.text;
  const text =
    evidence.title === undefined || said.includes(evidence.title)
      ? said
      : `${evidence.title}: ${said}`;
  const body = wrap(text, { width: terminal.columns, indent: start, lines: 3 }).replace(
    expectedAnswer,
    terminal.style(expectedAnswer, 'bold'),
  );
  const times = timesLine(evidence);
  const decided =
    times === ''
      ? ''
      : wrap(times, { width: terminal.columns, indent: start, lines: 2 }).replace(
          /[^\n]+/g,
          (line) => terminal.style(line, 'dim'),
        );
  return `${head}${mark} ${body.trimStart()}${decided}`;
}

/** Text whose first line starts with a label and whose other lines stand below its start. */
function hang(
  label: string,
  text: string,
  terminal: Terminal,
  style: (line: string) => string,
): string {
  const lines = wrap(text, { width: terminal.columns, indent: label.length }).trimEnd().split('\n');
  return `${lines.map((line, index) => `${index === 0 ? label : ' '.repeat(label.length)}${style(line.trim())}`).join('\n')}\n`;
}
