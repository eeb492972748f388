// Triplets by passage id, as `asof bench-data re2` writes them: question, positive, and negatives
// with their kinds.
import { invalidLine, readJsonLines, stringField, type LineLocation } from '../../text/lines.js';

/** Kind of negative: another time, entity or attribute, or a superseded version. */
export const negativeKinds = ['time', 'entity', 'attribute', 'outdated'] as const;
export type NegativeKind = (typeof negativeKinds)[number];

export interface TimeTriplet {
  query: string;
  /** Asking time in ISO 8601, the reference of relative expressions. */
  askedAt?: string;
  /** Ids of passages. */
  positive: string;
  negatives: readonly { id: string; kind: NegativeKind }[];
}

/**
 * Reads {query,asked_at?,positive,negatives:[{id,kind}]} from JSON lines, one at a time; other
 * fields are ignored.
 * @throws AsOfError ERR_INVALID_INPUT naming file and line, ERR_NOT_FOUND, ERR_ABORTED
 */
export function readTimeTriplets(
  file: string,
  options: { signal?: AbortSignal } = {},
): AsyncGenerator<TimeTriplet> {
  return readJsonLines(file, fromRecord, options);
}

function fromRecord(record: Record<string, unknown>, where: LineLocation): TimeTriplet {
  const askedAt = stringField(record, 'asked_at', where, 'allowed');
  const negatives = record['negatives'] ?? [];
  if (!Array.isArray(negatives))
    throw invalidLine(
      where,
      '"negatives" to be a list of {id,kind}',
      JSON.stringify(negatives).slice(0, 60),
    );
  return {
    query: stringField(record, 'query', where),
    ...(askedAt === undefined ? {} : { askedAt }),
    positive: stringField(record, 'positive', where),
    negatives: negatives.map((negative: unknown) => {
      const { id, kind } = (negative ?? {}) as Record<string, unknown>;
      if (typeof id === 'string' && negativeKinds.includes(kind as NegativeKind))
        return { id, kind: kind as NegativeKind };
      throw invalidLine(
        where,
        `negatives {id,kind} of a kind ${negativeKinds.join(', ')}`,
        JSON.stringify(negative)?.slice(0, 60) ?? 'nothing',
      );
    }),
  };
}
