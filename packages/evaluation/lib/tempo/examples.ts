// Reader of TEMPO's queries: published examples, their reworded forms, consistency with documents.
import { AsOfError } from 'asof';
import { excerpt, invalidLine, stringField, type LineLocation } from 'asof/kit';
import { stringList } from './annotation.js';
import type { TempoQuery } from './data.js';
import { missingPart, type TempoFolder } from './folder.js';
import { forEachRow, idField, readRows } from './rows.js';

export interface Example {
  query: TempoQuery;
  where: LineLocation;
}

/** The queries of a domain by id, without their steps and annotations. */
export async function readExamples(
  folder: TempoFolder,
  domain: string,
  { signal, unjudged }: { signal: AbortSignal | undefined; unjudged: boolean },
): Promise<Map<string, Example>> {
  const examples = new Map<string, Example>();
  const read = (record: Record<string, unknown>, where: LineLocation): Example => {
    const id = idField(record, 'id', where);
    if (examples.has(id))
      throw invalidLine(
        where,
        'each query id once',
        `${excerpt(id)} again`,
        'Remove one of the two rows.',
      );
    const text = stringField(record, 'query', where);
    if (text.trim() === '') throw invalidLine(where, 'a query in words', 'an empty one');
    const list = (name: string): string[] => [...new Set(stringList(record, name, where))];
    const query = {
      id,
      text,
      domain,
      relevant: list('gold_ids'),
      answers: stringList(record, 'gold_answers', where),
      excluded: list('excluded_ids').filter((each) => each !== 'N/A'),
      negatives: list('negative_ids').filter((each) => each !== 'N/A'),
      passageAnnotations: [],
      steps: [],
    };
    return { query, where };
  };
  const options = {
    needed: ['id', 'query', ...(unjudged ? [] : ['gold_ids'])],
    optional: ['gold_ids', 'gold_answers', 'excluded_ids', 'negative_ids'],
    signal,
  };
  for (const file of folder.files('examples', domain)) {
    for await (const example of readRows(file, read, options))
      examples.set(example.query.id, example);
  }
  return examples;
}

/** The queries of a domain by id as a model reworded them. */
export async function readRewordedQueries(
  folder: TempoFolder,
  domain: string,
  reasoning: string,
  examples: ReadonlyMap<string, Example>,
  signal: AbortSignal | undefined,
): Promise<Map<string, string>> {
  const files = folder.files(reasoning, domain);
  if (files.length === 0) throw missingPart(folder, reasoning, domain);
  const reworded = new Map<string, string>();
  const read = (record: Record<string, unknown>, where: LineLocation): void => {
    reworded.set(idField(record, 'id', where), stringField(record, 'query', where));
  };
  for (const file of files) await forEachRow(file, read, { needed: ['id', 'query'], signal });
  const missing = [...examples.keys()].find((id) => !reworded.has(id));
  if (missing === undefined) return reworded;
  const message = `${files[0]}: Expected every query reworded, received none for ${excerpt(missing)}. Fetch it again.`;
  throw new AsOfError('ERR_INVALID_INPUT', message, { details: { file: files[0] } });
}

/** Rejects gold documents that are also excluded, and ids without a document. */
export function checkQuery(
  { id, relevant, excluded, steps }: TempoQuery,
  where: LineLocation,
  ids: ReadonlySet<string> | undefined,
): void {
  // Rows of steps and guidance can exclude documents, too.
  const shared = relevant.find((each) => excluded.includes(each));
  if (shared !== undefined)
    throw invalidLine(
      where,
      'a document to be gold or excluded',
      `${excerpt(shared)} as both for ${excerpt(id)}`,
    );
  if (!ids) return;
  const lost = [...relevant, ...steps.flatMap((step) => step.relevant)].find(
    (each) => !ids.has(each),
  );
  const remedy = 'Use documents and examples of the same version of the data.';
  const other = excluded.find((each) => !ids.has(each));
  for (const [kind, missing] of [
    ['gold', lost],
    ['excluded', other],
  ] as const) {
    if (missing === undefined) continue;
    throw invalidLine(
      where,
      `the ${kind} documents of ${excerpt(id)} in the corpus`,
      `${excerpt(missing)}, which is missing`,
      remedy,
    );
  }
}
