// The spans of writes: what OpenTelemetry shows of add, delete and compact
// (docs/guide/telemetry.md).
import { observe } from '../../runtime/telemetry.js';

/** Attributes of a write's counts. */
const countNames = {
  added: 'asof.passages.added',
  replaced: 'asof.passages.replaced',
  unchanged: 'asof.passages.unchanged',
  deleted: 'asof.passages.deleted',
  dropped: 'asof.passages.dropped',
  merged: 'asof.segments.merged',
} as const;

/** Runs a write of a corpus as a span that has the counts of its result. */
export async function observeWrite<Counts extends object>(
  operation: 'add' | 'delete' | 'compact',
  corpus: string,
  write: () => Promise<Counts>,
): Promise<Counts> {
  const span = {
    name: `${operation} ${corpus}`,
    attributes: { 'gen_ai.data_source.id': corpus },
    outcome: (counts: Counts & Partial<Record<keyof typeof countNames, number>>) =>
      Object.fromEntries(
        Object.entries(countNames).map(([key, name]) => [
          name,
          counts[key as keyof typeof countNames],
        ]),
      ),
  };
  return observe(span, write);
}
