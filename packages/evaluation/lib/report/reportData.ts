// Data embedded in a report: the comparison with compact questions and their temporal scores. Plain
// JSON; infinite instants are null.
import type { QuestionDetail, Comparison, RankedPassage } from '../comparison/result.js';

export interface ReportData {
  title: string;
  comparison: Omit<Comparison, 'questions'>;
  questions: ReportQuestion[];
  /** Number of questions of the result; the page has at most `questionsPerSet` per collection. */
  questionsInResult: number;
  questionsPerSet: number;
}

/** A retrieved passage, one entry per best sentence. */
export interface ReportCandidate {
  id: string;
  title?: string;
  sentence?: string;
  dates?: RankedPassage['dates'];
  published_at?: string;
  relevant?: boolean;
}

/**
 * A result in the order of rank: the index of the candidate, its score and the score's components.
 */
export type ReportHit = [candidate: number, score: number, parts: Record<string, number>];

export interface ReportShapeLine {
  from: number | null;
  to: number | null;
  atStart: number;
  atEnd: number;
  longestMs?: number;
}

/** A temporal score as a function of time: the maximum of its lines, `outside` without one. */
export interface ReportShape {
  name: 'states' | 'line';
  lines: ReportShapeLine[];
  outside: number;
}

export interface ReportQuestion extends Omit<QuestionDetail, 'systems'> {
  /** The asking time in epoch milliseconds, if known. */
  askedAt?: number;
  /** The windows of the constraint, in epoch milliseconds. */
  windows: { from: number | null; to: number | null }[];
  shapes: ReportShape[];
  candidates: ReportCandidate[];
  systems: {
    system: string;
    metrics: Record<string, number>;
    milliseconds: number;
    top: ReportHit[];
  }[];
}
