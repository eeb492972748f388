// Queries, documents and answers of `asof judge`.
import { AsOfError } from 'asof';
import type { Run } from '../../files/trec.js';
import type { JudgeDocument, JudgeInstance, JudgeQuestion } from '../../judges/judgement.js';
import {
  invalidLine,
  readJsonLines,
  stringField,
  type LineLocation,
  passageOfRecord,
  listField,
  withLocation,
} from 'asof/kit';
import { parseQuestion } from 'asof/time';
import { option, type Invocation, corpusChoice } from 'asof/command';

export interface JudgeQuery {
  question: JudgeQuestion;
  references: readonly string[];
  /** The steps of its retrieval plan. */
  plan: readonly string[];
}

/** Reads `{id,text,asked_at?,answers?,query_guidance?}` lines. */
export async function readJudgeQueries(path: string, signal: AbortSignal): Promise<JudgeQuery[]> {
  const queries = new Map<string, JudgeQuery>();
  const shape = (record: Record<string, unknown>, where: LineLocation): JudgeQuery => {
    const [id, text] = [stringField(record, 'id', where), stringField(record, 'text', where)];
    const askedAt = stringField(record, 'asked_at', where, 'allowed');
    if (queries.has(id))
      throw invalidLine(where, 'each query id once', `${JSON.stringify(id)} again`);
    const query = askedAt === undefined ? { text } : { text, askedAt };
    withLocation(() => parseQuestion(query), where);
    const guidance = guidanceOf(record, where);
    return {
      question: { id, ...query, ...(guidance ? { guidance: toGuidance(guidance, where) } : {}) },
      references: texts(record, 'answers', where),
      plan: planOf(guidance, where),
    };
  };
  for await (const each of readJsonLines(path, shape, { signal }))
    queries.set(each.question.id, each);
  return [...queries.values()];
}

const texts = (record: Record<string, unknown>, name: string, where: LineLocation): string[] =>
  (
    listField<string | number>(record, name, where, {
      of: 'strings',
      is: (each) => typeof each === 'string' || typeof each === 'number',
    }) ?? []
  ).map(String);

function guidanceOf(
  record: Record<string, unknown>,
  where: LineLocation,
): Record<string, unknown> | undefined {
  const guidance = record['query_guidance'] ?? undefined;
  if (guidance !== undefined && (typeof guidance !== 'object' || Array.isArray(guidance))) {
    const received = JSON.stringify(guidance).slice(0, 60);
    throw invalidLine(where, '"query_guidance" to be an object', received);
  }
  return guidance as Record<string, unknown> | undefined;
}

function toGuidance(
  guidance: Record<string, unknown>,
  where: LineLocation,
): NonNullable<JudgeQuestion['guidance']> {
  const field = 'temporal_reasoning_class_primary';
  const reasoningClass = stringField(guidance, field, where, 'allowed');
  return {
    isTemporal: guidance['is_temporal_query'] === true,
    keyTimeAnchors: texts(guidance, 'key_time_anchors', where),
    ...(reasoningClass === undefined ? {} : { reasoningClass }),
  };
}

/** The action of each step of a retrieval plan. */
function planOf(guidance: Record<string, unknown> | undefined, where: LineLocation): string[] {
  const steps = guidance?.['retrieval_plan'] ?? [];
  if (!Array.isArray(steps) || !steps.every((step) => typeof step === 'object' && step !== null)) {
    const received = JSON.stringify(steps).slice(0, 60);
    throw invalidLine(where, '"retrieval_plan" to be a list of steps {action}', received);
  }
  return (steps as Record<string, unknown>[]).map((step) => stringField(step, 'action', where));
}

/** The documents of a run to a depth, from the files of --documents or the corpus of --corpus. */
export async function readDocuments(
  invocation: Invocation,
  queries: readonly JudgeQuery[],
  run: Run,
  depth: number,
): Promise<Map<string, JudgeDocument>> {
  const rankings = queries.map(({ question }) => (run.get(question.id) ?? []).slice(0, depth));
  const ids = new Set(rankings.flatMap((ranking) => ranking.map(({ id }) => id)));
  const documents = new Map<string, JudgeDocument>();
  for (const file of invocation.strings['documents'] ?? []) {
    const { signal } = invocation;
    for await (const passage of readJsonLines(file, passageOfRecord, { signal }))
      if (ids.has(passage.id)) documents.set(passage.id, passage);
  }
  const folder = option(invocation, 'corpus');
  if (folder === undefined) return documents;
  const corpus = await corpusChoice.openFolder(folder, invocation, { readOnly: true });
  try {
    for (const id of ids) {
      const passage = corpus.get(id);
      if (passage) documents.set(id, passage);
    }
  } finally {
    await corpus.close();
  }
  return documents;
}

/** Queries with their plans and annotated documents, for the judgement of data quality. */
export function judgeInstancesOf(
  queries: readonly JudgeQuery[],
  run: Run,
  source: (id: string) => JudgeDocument | undefined,
): JudgeInstance[] {
  return queries.flatMap(({ question, plan }) => {
    const ids = (run.get(question.id) ?? []).map(({ id }) => id);
    const missing = ids.find((id) => source(id) === undefined);
    if (missing !== undefined) throw missingDocument(missing, question.id);
    return ids.length === 0 ? [] : [{ question, plan, documents: ids.map((id) => source(id)!) }];
  });
}

function missingDocument(document: string, query: string): AsOfError {
  const message =
    `Expected a document ${JSON.stringify(document)}, which --qrels has for question ` +
    `${JSON.stringify(query)}, found none. Give the documents that were annotated.`;
  return new AsOfError('ERR_NOT_FOUND', message, { details: { document, query } });
}

/** Answers to the queries that have references, from `{id,answer}` lines. */
export async function readAnswers(
  path: string,
  queries: readonly JudgeQuery[],
  signal: AbortSignal,
): Promise<Map<string, { answer: string; references: readonly string[] }>> {
  const references = new Map(queries.map((each) => [each.question.id, each.references]));
  const answers = new Map<string, { answer: string; references: readonly string[] }>();
  const shape = (record: Record<string, unknown>, where: LineLocation): [string, string] => [
    stringField(record, 'id', where),
    stringField(record, 'answer', where),
  ];
  for await (const [id, answer] of readJsonLines(path, shape, { signal })) {
    const known = references.get(id) ?? [];
    if (known.length > 0) answers.set(id, { answer, references: known });
  }
  return answers;
}
