// Records of queries: JSON lines, or a CSV file in the form of TempRAGEval, the benchmark of MRAG
// (section 3.2), whose columns become the fields of JSON lines.
import { excerpt, invalidLine, readJsonLines, type LineLocation } from 'asof/kit';
import { readCsv, type CsvOptions } from '@asof/documents';

const columns = [
  'id',
  'original_dataset',
  'question',
  'exact_time',
  'time_relation',
  'answer',
  'gold_evidence_1',
  'gold_evidence_2',
];

/** The records of a file, each through `read`: of TempRAGEval if it ends in .csv. */
export async function* readQueryRecords<T extends object>(
  path: string,
  read: (record: Record<string, unknown>, where: LineLocation) => T,
  options: CsvOptions,
): AsyncGenerator<T> {
  if (!/\.csv$/i.test(path)) {
    yield* readJsonLines(path, read, options);
    return;
  }
  const shape = (row: Record<string, string>, where: LineLocation): T | undefined => {
    const missing = columns.filter((name) => !(name in row));
    if (missing.length > 0)
      throw invalidLine(
        { ...where, line: 1 },
        `the columns ${columns.join(', ')} of TempRAGEval`,
        `none named ${missing.join(', ')}`,
        'Other questions are read from JSON lines.',
      );
    // Spreadsheets end in rows without a value.
    if (Object.values(row).every((cell) => cell.trim() === '')) return undefined;
    return read(queryRecord(row, where), where);
  };
  for await (const record of readCsv(path, shape, options)) if (record) yield record;
}

/**
 * A row by the fields of a JSON line: `text`, `answers`, `gold_evidence` and `group` ("timeqa
 * perturbed"), besides its own columns, such as original_id; empty cells are absent.
 */
function queryRecord(
  row: Readonly<Record<string, string>>,
  where: LineLocation,
): Record<string, unknown> {
  const cell = (name: string): string => row[name]!.replace(/\s+/g, ' ').trim();
  const required = (name: string): string => {
    const text = cell(name);
    if (text === '') throw invalidLine(where, `a value of "${name}"`, 'an empty cell');
    return text;
  };
  const answers = required('answer')
    .split(/(?:^| )\|(?: |$)/)
    .map((answer) => answer.trim());
  if (answers.includes(''))
    throw invalidLine(where, 'answers divided by " | "', excerpt(row['answer']!));
  return {
    ...Object.fromEntries(Object.entries(row).filter(([, text]) => text.trim() !== '')),
    id: required('id'),
    text: required('question'),
    answers,
    gold_evidence: ['gold_evidence_1', 'gold_evidence_2'].map(cell).filter((text) => text !== ''),
    group: `${required('original_dataset')} ${dateKind(cell('time_relation'), cell('exact_time'), where)}`,
  };
}

/** Whether a question has a date, and whether it is that of the fact or a perturbed one. */
function dateKind(relation: string, exact: string, where: LineLocation): string {
  if (relation === '') return 'undated';
  if (!/^[01](?:\.0)?$/.test(exact))
    throw invalidLine(
      where,
      '"exact_time" to be 1 (the date of the fact) or 0 (a perturbed date)',
      excerpt(exact),
    );
  return exact.startsWith('1') ? 'original' : 'perturbed';
}
