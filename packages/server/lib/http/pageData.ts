// Data of the page of a question: results as the API sends them, and what a static page
// embeds. Plain JSON.

/** Days, both inclusive; null for an open end. */
export interface DateRecord {
  start_iso: string | null;
  end_iso: string | null;
  granularity: string;
}

interface TimesRecord {
  published_at?: string;
  valid_from?: string;
  valid_to?: string;
}

export interface EvidenceRecord extends TimesRecord {
  id: string;
  rank: number;
  score: number;
  scores: Record<string, number>;
  shares?: Record<string, number>;
  title?: string;
  text: string;
  sentence?: string;
  dates?: DateRecord[];
  time_zone?: string;
  validity?: { from: string | null; to: string | null; state?: string; rule?: string };
  superseded_by?: { id: string; from: string; valid_to?: string };
}

export interface DroppedRecord extends TimesRecord {
  id: string;
  because: string;
  newer?: string;
  title?: string;
}

export interface ConstraintRecord {
  main_content: string;
  constraint_text: string | null;
  condition: string;
  relation: string;
  window_start: string | null;
  window_end: string | null;
  start_iso: string | null;
  end_iso: string | null;
  clock: string;
}

export interface TraceRecord {
  stage: string;
  milliseconds: number;
  notes?: Record<string, unknown>;
}

/** The result of a question, as `toJson.result` writes it. */
export interface ResultRecord {
  question: string;
  asked_at: string;
  time_zone?: string;
  constraint: ConstraintRecord;
  resolved?: { phrase: string; start: string | null; end: string | null; passage: string };
  system: string;
  evidence: EvidenceRecord[];
  dropped?: DroppedRecord[];
  answer?: string | null;
  answer_sentence?: string | null;
  answer_evidence?: string[];
  answer_confidence?: number;
  unanswered?: string;
  trace: TraceRecord[];
}

export interface SeriesRecord {
  start_iso: string | null;
  end_iso: string | null;
  values: string[];
  statement: string;
  probability: number;
  evidence: string[];
  supersedes: string[];
  published_at?: string;
}

/** The timeline of a series, as `toJson.timeline` writes it. */
export interface TimelineRecord {
  question: string;
  entries: SeriesRecord[];
}

export interface CorpusRecord {
  name: string;
  passages: number;
  time_zone: string;
  /** Absent of several corpora searched as one. */
  spans?: Record<string, { start_iso: string | null; end_iso: string | null }>;
  /** That it can be asked by, the default first; absent of a static page. */
  systems?: string[];
}

/** The result as of one time. */
export interface MomentRecord {
  result: ResultRecord;
  /** Index of its timeline, which several share. */
  timeline: number;
}

/** A static page: one question as of several times. */
export interface QuestionPageData {
  corpus: CorpusRecord;
  /** In the order of time. */
  moments: MomentRecord[];
  /** Index of the moment that was asked for. */
  first: number;
  timelines: TimelineRecord[];
  /** The result as of the end of the corpus, which hides nothing. */
  unlimited: ResultRecord;
}
