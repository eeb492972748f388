// Reader of TEMPO's steps and guidance rows.
import { excerpt, invalidLine, stringField, type LineLocation } from 'asof/kit';
import {
  guidanceField,
  passageAnnotations,
  stringList,
  type PassageAnnotation,
  type QueryAnnotation,
} from './annotation.js';
import type { TempoStep } from './data.js';
import type { Example } from './examples.js';
import type { TempoFolder } from './folder.js';
import { forEachRow, idField } from './rows.js';

/** The rows of steps and guidance of one query. */
export interface QueryRows {
  where: LineLocation;
  annotation?: QueryAnnotation;
  passages?: PassageAnnotation[];
  excluded?: string[];
  steps: { id: string; text: string; relevant: string[]; where: LineLocation }[];
}

/** The rows of steps and guidance of a domain, by query id. */
export async function readQueryRows(
  folder: TempoFolder,
  domain: string,
  signal: AbortSignal | undefined,
): Promise<Map<string, QueryRows>> {
  const rowsByQuery = new Map<string, QueryRows>();
  const read = (record: Record<string, unknown>, where: LineLocation): void => {
    const id = idField(
      record,
      record['q_id'] === undefined || record['q_id'] === null ? 'id' : 'q_id',
      where,
    );
    const known = rowsByQuery.get(id) ?? { where, steps: [] };
    rowsByQuery.set(id, known);
    const annotation = guidanceField(record, where);
    if (annotation) known.annotation = annotation;
    const passages = passageAnnotations(record, where);
    if (passages.length > 0) known.passages = passages;
    const excluded = stringList(record, 'excluded_ids', where).filter((each) => each !== 'N/A');
    if (excluded.length > 0) known.excluded = excluded;
    known.steps.push(...stepRows(record, id, where));
  };
  const optional = [
    'id',
    'q_id',
    'step_id',
    'step',
    'steps',
    'gold_ids',
    'excluded_ids',
    'query_guidance',
    'gold_passage_annotations',
    'negative_passage_annotations',
  ];
  for (const part of ['steps', 'guidance']) {
    for (const file of folder.files(part, domain))
      await forEachRow(file, read, { needed: [], optional, signal });
  }
  return rowsByQuery;
}

/**
 * The steps of a row: a single one with a step_id, as in the published code, or the list "steps".
 */
function stepRows(
  record: Record<string, unknown>,
  query: string,
  where: LineLocation,
): QueryRows['steps'] {
  if (record['step_id'] !== undefined && record['step_id'] !== null) {
    const [id, text] = [idField(record, 'step_id', where), stringField(record, 'step', where)];
    return [{ id, text, relevant: stringList(record, 'gold_ids', where), where }];
  }
  const nested = record['steps'] ?? [];
  if (!Array.isArray(nested))
    throw invalidLine(where, '"steps" to be a list of objects', typeof nested);
  return (nested as Record<string, unknown>[]).map((step, at) => ({
    id: step['step_id'] === undefined ? `${query}_step${at + 1}` : idField(step, 'step_id', where),
    text:
      stringField(step, 'step_instruction', where, 'allowed') ?? stringField(step, 'step', where),
    relevant: stringList(step, 'gold_ids', where),
    where,
  }));
}

/**
 * The steps of every query: from rows of steps, else from its retrieval plan. Steps without gold
 * documents are excluded, as in the published code, unless the data is unjudged.
 */
export function stepsByQuery(
  rowsByQuery: ReadonlyMap<string, QueryRows>,
  examples: ReadonlyMap<string, Example>,
  unjudged: boolean,
): { steps: Map<string, TempoStep[]>; without: number } {
  const steps = new Map<string, TempoStep[]>();
  const seen = new Set<string>();
  let without = 0;
  for (const [query, { steps: rows, annotation, where }] of rowsByQuery) {
    if (!examples.has(query))
      throw invalidLine(
        where,
        'steps and guidance of a query among the examples',
        `those of ${excerpt(query)}`,
      );
    const plan = annotation?.plan ?? [];
    const planned = plan.map(({ step, action, relevant }) => ({
      id: `${query}_step${step}`,
      text: action,
      relevant,
      where,
    }));
    const all = rows.length > 0 ? rows : planned;
    const kept = unjudged ? all : all.filter(({ relevant }) => relevant.length > 0);
    for (const { id, where: place } of kept) {
      if (seen.has(id))
        throw invalidLine(
          place,
          'each step id once',
          `${excerpt(id)} again`,
          'Number the steps of a query.',
        );
      seen.add(id);
    }
    without += all.length - kept.length;
    steps.set(
      query,
      kept.map(({ id, text, relevant }) => ({ id, text, relevant: [...new Set(relevant)] })),
    );
  }
  return { steps, without };
}
