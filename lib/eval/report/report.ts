// Report of a comparison as one self-contained HTML file: data, script and style inline, with a
// content security policy that permits nothing else.
import { createHash } from 'node:crypto';
import { AsOfError, mustBe, mustBeWhole } from '../../errors.js';
import type { Comparison, PaperFigure } from '../comparison/result.js';
import { pageAsset } from './pageAsset.js';
import { reportQuestions } from './questions.js';
import type { PapersNotRun, ReportData } from './reportData.js';

export interface ReportOptions {
  /**
   * Number of questions per set with details; the page states how many the result has. 0 for none.
   * Default 20.
   */
  questions?: number | undefined;
  /** The heading. Default: the number of systems and sets. */
  title?: string | undefined;
}

/**
 * The page of a comparison: tables with significance, intervals and latency; recall curves; scores
 * by group, under perturbation and by date; tables of papers; and question details with timelines.
 * Works from a file, without a network.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an invalid number of questions, ERR_INVALID_INPUT for
 * another object than a comparison, ERR_NOT_FOUND for an incomplete build.
 */
export function comparisonReport(result: Comparison, options: ReportOptions = {}): string {
  mustBe('an object', { options });
  const { questions: perSet = 20, title } = options;
  mustBeWhole({ questions: perSet }, 0, Infinity, 'Omit it for 20 of each set.');
  return page(dataOf(result, perSet, title));
}

function dataOf(result: Comparison, perSet: number, title: string | undefined): ReportData {
  try {
    return reportData(result, perSet, title);
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    const message = `Expected a comparison of compare() or readComparison(), received another form (${what}). Run the comparison again.`;
    throw new AsOfError('ERR_INVALID_INPUT', message, { cause });
  }
}

function reportData(result: Comparison, perSet: number, title: string | undefined): ReportData {
  const { questions = [], papers, ...comparison } = result;
  const run = papers?.filter(({ verdict }) => verdict !== 'not run');
  return {
    title:
      title ??
      `${counted(result.systems.length, 'system')} on ${counted(result.sets.length, 'set')} of questions`,
    comparison: { ...comparison, ...(run ? { papers: run } : {}) },
    papersNotRun: papersNotRun(papers ?? []),
    questions: reportQuestions(questions, perSet),
    questionsInResult: questions.length,
    questionsPerSet: perSet,
  };
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Cells that were not run, counted by table and reason. */
function papersNotRun(papers: readonly PaperFigure[]): PapersNotRun[] {
  const counted = new Map<string, PapersNotRun>();
  for (const { paper, table, why, verdict } of papers) {
    if (verdict !== 'not run') continue;
    const key = JSON.stringify([paper, table, why]);
    const found = counted.get(key) ?? {
      paper,
      table,
      ...(why === undefined ? {} : { why }),
      cells: 0,
    };
    found.cells += 1;
    counted.set(key, found);
  }
  return [...counted.values()];
}

function page(data: ReportData): string {
  const { script, style } = pageAsset();
  const policy = [
    "default-src 'none'",
    'img-src data:',
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${sha256(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="generator" content="asof report">',
    `<title>${escapeHtml(data.title)}</title>`,
    '<link rel="icon" href="data:,">',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<noscript><p>This report draws its tables and figures with an embedded script; allow ' +
      'scripts for this file.</p></noscript>',
    '<div id="report"></div>',
    `<script type="application/json" id="report-data">${jsonForScript(data)}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** JSON that is safe inside a script element, for any string. */
export function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function escapeHtml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => names[character]!);
}
