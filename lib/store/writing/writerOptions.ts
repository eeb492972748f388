// How the writer of a handle writes, beyond what the manifest says.
import type { Storage } from '../format/manifest.js';

export interface WriterOptions {
  /** Storage type of new segments. Default: the manifest's. */
  storage?: Storage | undefined;
  /** How long ended versions are kept, in milliseconds. Default: for good. */
  keepMs?: number | undefined;
}
