// The passages that a question sees of a corpus: those recorded at a time, of which some pass a
// filter.
import { AsOfError } from '../../errors.js';
import type { TimeInput } from '../../records.js';
import { formatInstant, parseInstant } from '../../time/instant.js';
import { compileWhere, type Where } from '../fields/where.js';
import type { Manifest } from '../format/manifest.js';
import type { Snapshot } from './snapshot.js';

export interface ViewOptions {
  /** Only passages that pass this filter. Default: all. */
  where?: Where | undefined;
  /**
   * The corpus as it was recorded at this time; a date alone is the end of that day in the time
   * zone of the corpus. For corpora with history. Default: the newest commit.
   */
  asRecorded?: TimeInput | undefined;
}

/**
 * A snapshot restricted to what options say; itself without any. `countsPassing`: BM25's statistics
 * count the passages that pass the filter alone, rather than all that are recorded.
 * @throws AsOfError ERR_INVALID_ARGUMENT
 */
export async function viewOf(
  snapshot: Snapshot,
  { where, asRecorded }: ViewOptions,
  options: { countsPassing?: boolean; signal?: AbortSignal | undefined },
): Promise<Snapshot> {
  const filter = where === undefined ? undefined : compileWhere(where, snapshot.manifest);
  const time = recordedTime(snapshot.manifest, asRecorded);
  const recorded =
    time === undefined ? snapshot : await snapshot.asRecordedAt(time, options.signal);
  return filter === undefined ? recorded : recorded.filteredBy(filter, options);
}

/**
 * The last millisecond of `asRecorded`; undefined if it is not given.
 * @throws AsOfError ERR_INVALID_ARGUMENT without a history, or where it does not reach
 */
export function recordedTime(
  { history, timeZone }: Manifest,
  asRecorded: TimeInput | undefined,
): number | undefined {
  if (asRecorded === undefined) return undefined;
  if (!history) throw withoutHistory();
  const from = parseInstant(asRecorded, 'start', 'asRecorded', timeZone);
  const to = parseInstant(asRecorded, 'end', 'asRecorded', timeZone);
  const time = to > from ? to - 1 : from;
  if (history.from !== undefined && time < history.from) {
    throw new AsOfError(
      'ERR_INVALID_ARGUMENT',
      `Expected asRecorded to be ${formatInstant(history.from)} or later, from when on the corpus ` +
        `keeps its history, received ${formatInstant(time)}. Restore a backup of that time.`,
    );
  }
  return time;
}

export const withoutHistory = (): AsOfError =>
  new AsOfError(
    'ERR_INVALID_ARGUMENT',
    'Expected a corpus with history, received one that keeps no earlier versions. ' +
      'Create one: history of Corpus.open, --history of asof index.',
  );
