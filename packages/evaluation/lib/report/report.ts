// Report of a comparison as one self-contained HTML file.
import { join } from 'node:path';
import { AsOfError } from 'asof';
import { mustBe, mustBeWhole } from 'asof/kit';
import { htmlPage } from '@asof/pages/htmlPage';
import type { Comparison } from '../comparison/result.js';
import { reportQuestions } from './questions.js';
import type { ReportData } from './reportData.js';

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
 * by group, under perturbation and by date; and question details with timelines.
 * Works from a file, without a network.
 * @throws AsOfError ERR_INVALID_ARGUMENT for an invalid number of questions, ERR_INVALID_INPUT for
 * another object than a comparison, ERR_NOT_FOUND for an incomplete build.
 */
export function comparisonReport(result: Comparison, options: ReportOptions = {}): string {
  mustBe('an object', { options });
  const { questions: perSet = 20, title } = options;
  mustBeWhole({ questions: perSet }, 0, Infinity, 'Omit it for 20 of each set.');
  const data = dataOf(result, perSet, title);
  return htmlPage({
    asset: 'report',
    package: '@asof/evaluation',
    folders: pageFolders(),
    title: data.title,
    generator: 'asof report',
    data,
    styleAttributes: true,
  });
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
  const { questions = [], ...comparison } = result;
  return {
    title:
      title ??
      `${counted(result.systems.length, 'system')} on ${counted(result.sets.length, 'set')} of questions`,
    comparison,
    questions: reportQuestions(questions, perSet),
    questionsInResult: questions.length,
    questionsPerSet: perSet,
  };
}

const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Next to this module, its bundle or its source; tracers of files read it. */
function pageFolders(): string[] {
  const here = import.meta.dirname as string | undefined;
  if (here === undefined) return [];
  return [join(here, 'page'), join(here, '../page'), join(here, '../../dist/page')];
}
