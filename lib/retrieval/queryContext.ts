// Query context: an analyzed question with the services that stages search by, over one snapshot of
// the corpus.
import type { Segment } from '../../binding.js';
import type { Snapshot } from '../store/views/snapshot.js';
import type { Analyzer } from '../text/analyzer.js';
import type { ParsedQuestion } from '../time/constraint.js';
import type { TimeExtractor } from '../time/timeExtractor.js';
import type { TimeEncoder } from '../vectors/timeEncoder.js';
import type { Exactness, ScanReport } from './scanReport.js';

/** A derived column of vectors, one file per segment; computed on first use. */
export interface RowVectors {
  /** Key of the column (`DerivedColumnSpec`). */
  key: string;
  files: (signal?: AbortSignal) => Promise<{ files: readonly Segment[]; computed: number }>;
}

export interface QueryContext {
  /** The analyzed question: main content and temporal constraints. */
  readonly parsed: ParsedQuestion;
  /** Text of the search: main content, whole question, or question and time. */
  readonly searchText: string;
  /** Passages requested by the caller; with `perDocument` more, to find enough documents in. */
  readonly k: number;
  /** How many documents to return, each by its best passage. Default: passages, k of them. */
  readonly perDocument?: number;
  /** Most UTF-16 units of the texts of the evidence. Default: no limit. */
  readonly mostUnits?: number | undefined;
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
  /** Receives the answer as far as it is written. */
  readonly onAnswer?: ((text: string) => void) | undefined;
  /** Encodes texts outside the corpus as passages; row-major. */
  readonly encode: (texts: readonly string[], signal?: AbortSignal) => Promise<Float32Array>;
  /** The analyzed search text, cached. */
  readonly terms: () => string[];
}
