// Where results come from: the data of a static page, or the API of the server.
import { parseAskedAt } from '@asof/pages/asof';
import type {
  CorpusRecord,
  QuestionPageData,
  ResultRecord,
  TimelineRecord,
} from '../http/pageData.js';

export interface Query {
  question: string;
  corpus: string;
  /** ISO 8601; absent: now. */
  askedAt?: string | undefined;
  /** Absent: that of the server. */
  system?: string | undefined;
  /** Absent: 10 passages. */
  k?: number | undefined;
}

export interface Reply {
  result: ResultRecord;
  timeline: TimelineRecord | undefined;
}

export interface SampleRecord {
  title?: string;
  published_at?: string;
}

export interface Source {
  ask(query: Query, signal: AbortSignal): Promise<Reply>;
  /** The result that hides nothing; undefined where `reply` is that already. */
  unlimited(query: Query, reply: Reply, signal: AbortSignal): Promise<ResultRecord | undefined>;
  corpora(signal: AbortSignal): Promise<readonly CorpusRecord[]>;
  /** Some passages, of which the start makes examples. */
  sample(corpus: string, signal: AbortSignal): Promise<readonly SampleRecord[]>;
  /** The only times that it can be asked as of. */
  stops?: readonly number[];
}

export function staticSource(data: QuestionPageData): Source {
  const { moments, timelines } = data;
  const stops = moments.map(({ result }) => Date.parse(result.asked_at));
  return {
    stops,
    corpora: async () => [data.corpus],
    sample: async () => [],
    unlimited: async () => data.unlimited,
    ask: async ({ askedAt }) => {
      const at = askedAt === undefined ? data.first : stops.indexOf(Date.parse(askedAt));
      const moment = moments[at < 0 ? data.first : at]!;
      return { result: moment.result, timeline: timelines[moment.timeline] };
    },
  };
}

/** An error that the page shows in words. */
export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Name in the session's storage of the browser. */
const tokenName = 'asof-token';

export function storeToken(token: string): void {
  tokenOfPage = token;
  try {
    sessionStorage.setItem(tokenName, token);
  } catch {
    // Storage may be denied; the page keeps it then.
  }
}

let tokenOfPage: string | undefined;

function storedToken(): string | undefined {
  try {
    return tokenOfPage ?? sessionStorage.getItem(tokenName) ?? undefined;
  } catch {
    return tokenOfPage;
  }
}

export function liveSource(): Source {
  let known: readonly CorpusRecord[] = [];
  const of = (corpus: string): string => `v1/corpora/${encodeURIComponent(corpus)}`;
  const asked = ({ question, askedAt }: Query): Record<string, unknown> => ({
    question,
    ...(askedAt === undefined ? {} : { asked_at: askedAt }),
  });
  const body = (query: Query): Record<string, unknown> => ({
    ...asked(query),
    ...(query.system === undefined ? {} : { system: query.system }),
    ...(query.k === undefined ? {} : { k: query.k }),
  });
  return {
    async corpora(signal) {
      const { corpora } = await call<{ corpora: CorpusRecord[] }>('v1/corpora', undefined, signal);
      return (known = corpora);
    },
    async sample(corpus, signal) {
      const path = `${of(corpus)}/passages?limit=60`;
      return (await call<{ passages: SampleRecord[] }>(path, undefined, signal)).passages;
    },
    async ask(query, signal) {
      const [result, timeline] = await Promise.all([
        call<ResultRecord>(`${of(query.corpus)}/ask`, body(query), signal),
        // A corpus may have no series; the answer counts without.
        call<TimelineRecord>(`${of(query.corpus)}/timeline`, asked(query), signal).catch(
          (fault: unknown) => {
            if (fault instanceof ApiError && fault.status !== 401) return undefined;
            throw fault;
          },
        ),
      ]);
      return { result, timeline };
    },
    async unlimited(query, { result }, signal) {
      const corpus = known.find(({ name }) => name === query.corpus);
      const end = corpus?.spans?.['published']?.end_iso;
      if (!end || Date.parse(result.asked_at) >= parseAskedAt(end, corpus.time_zone))
        return undefined;
      return call<ResultRecord>(
        `${of(query.corpus)}/ask`,
        body({ ...query, askedAt: end }),
        signal,
      );
    },
  };
}

async function call<Reply>(path: string, body: unknown, signal: AbortSignal): Promise<Reply> {
  const token = storedToken();
  const response = await fetch(path, {
    signal,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    if (signal.aborted) throw cause;
    throw new ApiError('The server cannot be reached. Check that it runs, then ask again.', 0);
  });
  const reply = (await response.json().catch(() => undefined)) as
    | (Reply & { error?: { code?: string; message?: string } })
    | undefined;
  if (response.ok && reply !== undefined) return reply;
  const said = reply?.error?.message ?? `The server replied ${response.status} without words.`;
  throw new ApiError(said, response.status);
}
