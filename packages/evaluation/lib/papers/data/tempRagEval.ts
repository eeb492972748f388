// TempRAGEval (MRAG section 3): its questions, over TimeQA's passages and the gold evidence, as the
// paper's 33 million passages of Wikipedia are seldom at hand.
import { rm } from 'node:fs/promises';
import { readCsv } from '@asof/documents';
import { timeQaPassages, timeQaSources } from './collections.js';
import type { PaperData } from './data.js';
import { inventedNames, inventedPlaces } from './invented.js';
import { opaqueId, writeSet, type SetPassage, type SetQuery } from './writeSet.js';

interface Row {
  id: string;
  /** timeqa or situatedqa. */
  source: string;
  text: string;
  /** Whether the date is that of the fact. */
  exact: boolean;
  answers: string[];
  evidence: string[];
}

/** The dated questions by their group, over passages and evidence that none of them has. */
async function write(
  folder: string,
  rows: readonly Row[],
  corpus: readonly SetPassage[],
): Promise<void> {
  const passages = [...corpus];
  const texts = passages.map(({ title = '', text }) => plain(`${title} ${text}`));
  const holders = new Map<string, number[]>();
  for (const evidence of new Set(rows.flatMap((row) => row.evidence))) {
    const words = plain(evidence);
    const found = texts.flatMap((text, at) => (text.includes(words) ? [at] : []));
    if (found.length === 0) {
      found.push(passages.length);
      passages.push({ id: opaqueId(evidence), text: evidence });
      texts.push(words);
    }
    holders.set(evidence, found);
  }
  const queries: Record<string, SetQuery[]> = {};
  const qrels = new Set<string>();
  for (const { id, source, text, exact, answers, evidence } of rows) {
    (queries[`${source}-${exact ? 'original' : 'perturbed'}`] ??= []).push({
      id,
      text,
      answers,
      gold_evidence: evidence,
    });
    for (const each of evidence)
      for (const at of holders.get(each)!) qrels.add(`${id}\t${passages[at]!.id}`);
  }
  await writeSet(folder, {
    passages,
    queries,
    qrels: [...qrels].map((pair) => pair.split('\t') as [string, string]),
  });
}

const plain = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

/** Undefined for a question without a date, which the paper's tables leave out. */
function rowOf(row: Readonly<Record<string, string>>): Row | undefined {
  const cell = (name: string): string => plain(row[name] ?? '');
  // The column's name differs between the published versions.
  const relation = cell('time_relation') || cell('time_specifier');
  if (cell('question') === '' || relation === '') return undefined;
  return {
    id: cell('id'),
    source: cell('original_dataset'),
    text: cell('question'),
    exact: cell('exact_time').startsWith('1'),
    answers: cell('answer').split(' | '),
    evidence: ['gold_evidence_1', 'gold_evidence_2'].map(cell).filter((each) => each !== ''),
  };
}

/** Posts with five holders each: a question by the date of a fact, and one by another date. */
function inventedRows(): { rows: Row[]; passages: SetPassage[] } {
  const [people, rows, passages]: [string[], Row[], SetPassage[]] = [inventedNames(240), [], []];
  for (const [post, place] of inventedPlaces(40).entries()) {
    const source = post % 2 === 0 ? 'timeqa' : 'situatedqa';
    for (let term = 0; term < 5; term += 1) {
      const holder = people[(post * 5 + term) % people.length]!;
      const [start, end] = [1900 + term * 20 + (post % 7), 1920 + term * 20 + (post % 7)];
      const evidence = `${holder} was the harbour master of ${place} from ${start} to ${end}.`;
      const id = `${place}-${term}`;
      passages.push({
        id: opaqueId(id),
        title: `Harbour of ${place}`,
        text: `The harbour of ${place} lies on the coast. ${evidence} Its quay is of stone.`,
      });
      const row = { source, answers: [holder], evidence: [evidence] };
      rows.push(
        {
          ...row,
          id: `${id}-original`,
          text: `Who was the harbour master of ${place} from ${start} to ${end}?`,
          exact: true,
        },
        {
          ...row,
          id: `${id}-perturbed`,
          text: [
            `Who was the last harbour master of ${place} before ${end - 1}?`,
            `Who was the harbour master of ${place} as of ${start + 7}?`,
            `Who was the harbour master of ${place} between ${start + 3} and ${end - 4}?`,
          ][(post + term) % 3]!,
          exact: false,
        },
      );
    }
  }
  return { rows, passages };
}

export const tempRagEval: PaperData = {
  name: 'temprageval',
  of: "TempRAGEval's dated questions",
  difference:
    "over TimeQA's passages, where they are there, and the gold evidence: not the paper's 33.1 " +
    'million passages of Wikipedia, of which a corpus wiki.asof in the folder takes their place',
  comparable: false,
  sources: [
    {
      name: 'questions',
      file: /(?:^|\/)(?:temprageval\/(?:data|test)|TempRAGEval)\.csv$/i,
      from: 'data.csv of github.com/siyue-zhang/MRAG at 1cc81c3 (MIT), in a folder temprageval',
      sha256: ['cefa0dd5bb7737cc91893fe5501ca1ff3adca561d7d4f554f4bfdc5458894572'],
    },
    ...timeQaSources
      .filter(({ name }) => name === 'corpus')
      .map((each) => ({ ...each, optional: true as const })),
  ],
  async make(files, folder, signal) {
    const rows: Row[] = [];
    for await (const { row } of readCsv(
      files.get('questions')![0]!,
      (record) => ({ row: rowOf(record) }),
      { signal },
    ))
      if (row) rows.push(row);
    const [corpus] = files.get('corpus') ?? [];
    await rm(folder, { recursive: true, force: true });
    await write(folder, rows, corpus === undefined ? [] : await timeQaPassages(corpus, signal));
  },
  async sample(folder) {
    const { rows, passages } = inventedRows();
    await write(folder, rows, passages);
  },
};
