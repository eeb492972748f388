// Counts of a server in Prometheus's text format.
import type { Admission } from './admission.js';
import { limitNames, type Limit } from './limits.js';
import type { ServedCorpora } from './served.js';

/** Upper bounds of durations, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

interface Histogram {
  counts: number[];
  count: number;
  sum: number;
}

export class Metrics {
  /** Of all listeners. */
  readonly connections = { open: 0, dropped: 0 };
  private readonly requests = new Map<string, number>();
  private readonly durations = new Map<string, Histogram>();
  private readonly questions = new Map<string, number>();
  private readonly refusals = new Map<string, number>();

  constructor(private readonly admission: Admission) {}

  /** A request that has ended. */
  request(method: string, route: string, status: number, milliseconds: number): void {
    increase(this.requests, labels({ method, route, status: String(status) }));
    const key = labels({ route });
    let histogram = this.durations.get(key);
    if (!histogram)
      this.durations.set(key, (histogram = { counts: bounds.map(() => 0), count: 0, sum: 0 }));
    const seconds = milliseconds / 1000;
    histogram.count += 1;
    histogram.sum += seconds;
    const at = bounds.findIndex((bound) => seconds <= bound);
    if (at >= 0) histogram.counts[at]! += 1;
  }

  /** A request that a limit has refused or ended. */
  refused(limit: Limit): void {
    increase(this.refusals, labels({ limit: limitNames[limit] }));
  }

  question(corpus: string): void {
    increase(this.questions, labels({ corpus }));
  }

  /** A corpus that is no longer served. */
  forget(corpus: string): void {
    this.questions.delete(labels({ corpus }));
  }

  async text(served: ServedCorpora): Promise<string> {
    const passages = await Promise.all(
      served
        .all()
        .flatMap(({ name, stored }) => (stored?.isOpen ? [{ name, stored }] : []))
        .map(
          async ({ name, stored }) =>
            `asof_corpus_passages${labels({ corpus: name })} ${await stored.count()}`,
        ),
    );
    return [
      ...family('asof_http_requests_total', 'counter', 'Requests that have ended.'),
      ...lines('asof_http_requests_total', this.requests),
      ...family('asof_http_request_duration_seconds', 'histogram', 'Their durations.'),
      ...[...this.durations].flatMap(([key, histogram]) => buckets(key, histogram)),
      ...family('asof_http_requests_in_flight', 'gauge', 'Requests that run or wait.'),
      `asof_http_requests_in_flight ${this.admission.inFlight}`,
      ...family('asof_http_requests_refused_total', 'counter', 'Requests that a limit ended.'),
      ...lines('asof_http_requests_refused_total', this.refusals),
      ...family('asof_http_buffer_bytes', 'gauge', 'Bodies and answers of requests in flight.'),
      `asof_http_buffer_bytes ${this.admission.heldBytes}`,
      ...family('asof_http_connections', 'gauge', 'Open connections.'),
      `asof_http_connections ${this.connections.open}`,
      ...family('asof_http_connections_dropped_total', 'counter', 'Closed to make room.'),
      `asof_http_connections_dropped_total ${this.connections.dropped}`,
      ...family('asof_questions_total', 'counter', 'Questions and timelines asked of a corpus.'),
      ...lines('asof_questions_total', this.questions),
      ...family('asof_corpus_passages', 'gauge', 'Passages of the newest commit.'),
      ...passages,
      ...family('process_resident_memory_bytes', 'gauge', 'Memory of the process.'),
      `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      '',
    ].join('\n');
  }
}

const increase = (counts: Map<string, number>, key: string): void =>
  void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Values are names, methods, routes and statuses, which hold nothing to escape. */
const labels = (values: Readonly<Record<string, string>>): string =>
  `{${Object.entries(values)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`;

const family = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const lines = (name: string, counts: ReadonlyMap<string, number>): string[] =>
  [...counts].map(([key, count]) => `${name}${key} ${count}`);

function buckets(key: string, { counts, count, sum }: Histogram): string[] {
  const name = 'asof_http_request_duration_seconds';
  const inner = key.slice(1, -1);
  let below = 0;
  return [
    ...bounds.map((bound, at) => {
      below += counts[at]!;
      return `${name}_bucket{${inner},le="${bound}"} ${below}`;
    }),
    `${name}_bucket{${inner},le="+Inf"} ${count}`,
    `${name}_sum${key} ${sum}`,
    `${name}_count${key} ${count}`,
  ];
}
