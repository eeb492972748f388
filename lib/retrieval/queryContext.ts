// Query context: an analyzed question with the services that stages search by, over one snapshot of
// the corpus.
import type { Segment } from '../../binding.js';
import type { Snapshot } from '../store/views/snapshot.js';
import type { Analyzer } from '../text/analyzer.js';
import type { ParsedQuestion } from '../time/constraint.js';
import type { Mask } from '../time/temporalForms.js';
import type { TimeExtractor } from '../time/timeExtractor.js';
import type { TimeEncoder } from '../vectors/timeEncoder.js';
import type { Exactness, ScanReport } from './scanReport.js';

/** A derived column of vectors, one file per segment; computed on first use. */
export interface RowVectors {
  /** Key of the column (`DerivedColumnSpec`). */
  key: string;
  files: (signal?: AbortSignal) => Promise<{ files: readonly Segment[]; computed: number }>;
}

/** Which of the ranked passages become evidence. */
export interface EvidenceSelection {
  /** How many: passages, or documents with `perDocument`. */
  count: number;
  /** Those that are skipped on the way to a page; `mostUnits` does not count them. Default 0. */
  offset?: number | undefined;
  /** Each document by its best passage. Default false. */
  perDocument?: boolean | undefined;
  /** Without what has ended by what the texts say. Default: all. */
  only?: 'current' | undefined;
  /** Without those of lower scores. Default: all. */
  minScore?: number | undefined;
  /** Most UTF-16 units of the texts. Default: no limit. */
  mostUnits?: number | undefined;
  /** Ids of passages, or of documents, that are left out. Default: none. */
  without?: ReadonlySet<string> | undefined;
}

export interface QueryContext {
  /** The analyzed question: main content and temporal constraints. */
  readonly parsed: ParsedQuestion;
  /** Text of the search: main content, whole question, or question and time. */
  readonly searchText: string;
  /** Passages to retrieve: those requested, or more where the selection skips some. */
  readonly k: number;
  /** Default: the first k. */
  readonly selection?: EvidenceSelection | undefined;
  readonly snapshot: Snapshot;
  readonly analyzer: Analyzer;
  /** The encoded search text, checked and cached. */
  readonly vector: (signal?: AbortSignal) => Promise<Float32Array>;
  /** Vectors that replace the segments' own. Default: none. */
  readonly rowVectors?: RowVectors;
  /** Row vectors fused with the rows' times, by default their content times. */
  readonly fuseRows: (times: TimeEncoder, extractor?: TimeExtractor) => RowVectors;
  /** Use of reduced-precision vectors in searches. Default 'certified'. */
  readonly exactness?: Exactness;
  /** Receives the report of each vector scan. */
  readonly onScan?: (report: ScanReport) => void;
  /** Receives the mask of each search. */
  readonly onMask?: ((mask: Mask) => void) | undefined;
  /** Receives the answer as far as it is written. */
  readonly onAnswer?: ((text: string) => void) | undefined;
  /** Encodes texts outside the corpus as passages; row-major. */
  readonly encode: (texts: readonly string[], signal?: AbortSignal) => Promise<Float32Array>;
  /** The analyzed search text, cached. */
  readonly terms: () => string[];
}
