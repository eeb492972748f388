// Triplets of time encoders: question, positive, and negatives with their kinds, by passage id as
// `asof bench-data re2` writes them, or with their passages as `asof train mine` does.
import { negativeKinds, type NegativeKind } from '@asof/evaluation';
import { invalidLine, readJsonLines, stringField, type LineLocation } from 'asof/kit';
import {
  fromTripletRecord,
  passageOf,
  type Split,
  type Triplet,
  type TripletPassage,
} from '../mining/triplets.js';

export interface TimeTriplet {
  query: string;
  /** Asking time in ISO 8601, the reference of relative expressions. */
  askedAt?: string | undefined;
  /** Ids of passages. */
  positive: string;
  negatives: readonly { id: string; kind: NegativeKind }[];
  /** Those of its passages that come with it, rather than with the passages of the training. */
  passages?: readonly TripletPassage[] | undefined;
  /** Triplets of `test` are held out: they validate. Default train. */
  split?: Split | undefined;
}

/**
 * Reads {query,asked_at?,positive,negatives:[{id,kind}]} from JSON lines, one at a time; passages
 * are ids, or {id,title?,text,published_at?}. Lines of `asof train mine`, which have a `question`
 * and one `negative`, are read too. Other fields are ignored.
 * @throws AsOfError ERR_INVALID_INPUT naming file and line, ERR_NOT_FOUND, ERR_ABORTED
 */
export function readTimeTriplets(
  file: string,
  options: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<TimeTriplet> {
  return readJsonLines(file, fromRecord, options);
}

/** A mined triplet: its negative is of another time, or, of general ones, of another entity. */
export function timeTripletOf(triplet: Triplet): TimeTriplet {
  const { kind, split, question, positive, negative } = triplet;
  return {
    query: question,
    positive: positive.id,
    negatives: [{ id: negative.id, kind: kind === 'temporal' ? 'time' : 'entity' }],
    passages: [positive, negative],
    split,
  };
}

function fromRecord(record: Record<string, unknown>, where: LineLocation): TimeTriplet {
  if (record['query'] === undefined && record['question'] !== undefined)
    return timeTripletOf(fromTripletRecord(record, where));
  const askedAt = stringField(record, 'asked_at', where, 'allowed');
  const negatives = record['negatives'] ?? [];
  if (!Array.isArray(negatives))
    throw invalidLine(
      where,
      '"negatives" to be a list of {id,kind}',
      JSON.stringify(negatives).slice(0, 60),
    );
  const positive = record['positive'];
  const whole = typeof positive === 'object' ? passageOf(positive, 'positive', where) : undefined;
  const passages = whole ? [whole] : [];
  for (const each of negatives as unknown[])
    if ((each as { text?: unknown } | null)?.text !== undefined)
      passages.push(passageOf(each, 'negatives', where));
  return {
    query: stringField(record, 'query', where),
    ...(askedAt === undefined ? {} : { askedAt }),
    positive: whole?.id ?? stringField(record, 'positive', where),
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
    ...(passages.length > 0 ? { passages } : {}),
  };
}
