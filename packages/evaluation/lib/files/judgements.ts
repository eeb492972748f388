// Temporal judgements files: temporal queries with their periods, and documents with verdicts and
// covered periods.
import {
  mustBe,
  excerpt,
  invalidLine,
  readJsonLines,
  stringField,
  type LineLocation,
} from 'asof/kit';
import type { TemporalRanking } from '../measures/temporal.js';
import { idField, shown } from './fields.js';

/** Query id -> its temporal judgements. */
export type TemporalJudgements = Map<
  string,
  {
    /** Whether the query is temporal; temporal measures skip others. */
    temporal: boolean;
    /** The required periods of a cross-period query. */
    periods?: readonly string[] | undefined;
    documents: ReadonlyMap<
      string,
      {
        /** Whether the document is temporally relevant. */
        relevant: boolean;
        /** The periods that the document covers. */
        periods: readonly string[];
      }
    >;
  }
>;

const twice = 'Name the judge to read, or remove one of the two lines.';

/** Default periods of the two-period form. */
const twoPeriods = ['baseline', 'comparison'] as const;

interface DocumentLine {
  relevant: boolean;
  /** Of the two-period form; undefined without flags. */
  flags?: [baseline: boolean, comparison: boolean];
  periods: readonly string[];
}

interface QueryLines {
  query?: { temporal: boolean; crossPeriod?: boolean; periods?: readonly string[] };
  documents: Map<string, DocumentLine>;
}

/**
 * Reads JSON lines: `{ query_id, doc_id, verdict: 0|1, covers_baseline?, covers_comparison?,
 * periods? }` of documents and `{ query_id, temporal, cross_period?, periods? }` of queries; both
 * may have `by`, `reason` and `answer_coverage` (0 to 100). A query without a line of its own is
 * temporal if it has judged documents, and cross-period if one of them has a flag. `options.by`
 * selects one judge; by default all lines count, and a document may be judged only once.
 * @throws AsOfError ERR_NOT_FOUND; ERR_INVALID_INPUT for malformed and duplicate lines.
 */
export async function readJudgements(
  path: string,
  options: { by?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<TemporalJudgements> {
  mustBe('an object', { options });
  const queries = new Map<string, QueryLines>();
  const shape = (record: Record<string, unknown>, where: LineLocation) => ({
    record,
    where,
    by: stringField(record, 'by', where, 'allowed'),
  });
  for await (const { record, where, by } of readJsonLines(
    path,
    shape,
    options.signal ? { signal: options.signal } : {},
  )) {
    if (options.by !== undefined && by !== options.by) continue;
    const id = idField(record, 'query_id', where);
    const lines = queries.get(id) ?? { documents: new Map<string, DocumentLine>() };
    queries.set(id, lines);
    if (record['doc_id'] === undefined) {
      if (lines.query)
        throw invalidLine(where, 'one line for a query', `${excerpt(id)} again`, twice);
      lines.query = queryLine(record, where);
    } else {
      const document = idField(record, 'doc_id', where);
      if (lines.documents.has(document)) {
        const again = `${excerpt(document)} again for ${excerpt(id)}`;
        throw invalidLine(where, 'one verdict on a document for a query', again, twice);
      }
      lines.documents.set(document, documentLine(record, where));
    }
  }
  return new Map([...queries].map(([id, lines]) => [id, toJudgement(lines)]));
}

/**
 * A ranking with the temporal judgements of its query; an unjudged document counts as irrelevant.
 * Undefined for a query that is not temporal.
 */
export function temporalRanking(
  ids: readonly string[],
  query: ReturnType<TemporalJudgements['get']>,
): TemporalRanking | undefined {
  if (!query?.temporal) return undefined;
  const found = ids.map((id) => query.documents.get(id));
  return {
    verdicts: found.map((verdict) => verdict?.relevant ?? false),
    covered: found.map((verdict) => verdict?.periods ?? []),
    ...(query.periods ? { required: query.periods } : {}),
  };
}

function toJudgement({
  query,
  documents,
}: QueryLines): NonNullable<ReturnType<TemporalJudgements['get']>> {
  const flagged = [...documents.values()].some(({ flags }) => flags !== undefined);
  const named = query?.periods;
  const several = query?.crossPeriod ?? (named ? named.length > 1 : query === undefined && flagged);
  const required = named && named.length > 0 ? named : twoPeriods;
  const [baseline, comparison] = required;
  const verdicts = [...documents].map(([id, { relevant, flags, periods }]) => {
    const byFlag = [flags?.[0] ? baseline : undefined, flags?.[1] ? comparison : undefined].filter(
      (each) => each !== undefined,
    );
    return [id, { relevant, periods: [...new Set([...periods, ...byFlag])] }] as const;
  });
  return {
    temporal: query?.temporal ?? documents.size > 0,
    ...(several ? { periods: required } : {}),
    documents: new Map(verdicts),
  };
}

function queryLine(
  record: Record<string, unknown>,
  where: LineLocation,
): NonNullable<QueryLines['query']> {
  const temporal = flagField(record, 'temporal', where);
  if (temporal === undefined) {
    throw invalidLine(
      where,
      'a "doc_id" with its "verdict", or "temporal" of the query',
      `the fields ${Object.keys(record).slice(0, 8).join(', ')}`,
    );
  }
  const crossPeriod = flagField(record, 'cross_period', where);
  const periods = periodsField(record, where);
  checkCoverage(record, where);
  return {
    temporal,
    ...(crossPeriod === undefined ? {} : { crossPeriod }),
    ...(periods ? { periods } : {}),
  };
}

function documentLine(record: Record<string, unknown>, where: LineLocation): DocumentLine {
  const { verdict } = record;
  if (verdict !== 0 && verdict !== 1)
    throw invalidLine(where, '"verdict" to be 0 or 1', JSON.stringify(verdict) ?? 'none');
  const baseline = flagField(record, 'covers_baseline', where);
  const comparison = flagField(record, 'covers_comparison', where);
  checkCoverage(record, where);
  const flags =
    baseline === undefined && comparison === undefined
      ? {}
      : { flags: [baseline ?? false, comparison ?? false] as [boolean, boolean] };
  return { relevant: verdict === 1, ...flags, periods: periodsField(record, where) ?? [] };
}

function flagField(
  record: Record<string, unknown>,
  name: string,
  where: LineLocation,
): boolean | undefined {
  const value = record[name] ?? undefined;
  if (value !== undefined && typeof value !== 'boolean')
    throw invalidLine(where, `"${name}" to be true or false`, shown(value));
  return value;
}

function periodsField(
  record: Record<string, unknown>,
  where: LineLocation,
): readonly string[] | undefined {
  const value = record['periods'] ?? undefined;
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string' && each !== '')) {
    throw invalidLine(where, '"periods" to be a list of names', excerpt(JSON.stringify(value)));
  }
  return value as string[];
}

function checkCoverage(record: Record<string, unknown>, where: LineLocation): void {
  const value = record['answer_coverage'] ?? undefined;
  if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= 100)) {
    throw invalidLine(
      where,
      '"answer_coverage" to be a number from 0 to 100',
      excerpt(JSON.stringify(value)),
    );
  }
}
