// Collections of the papers made from small files in the form of their sources: passages, questions
// and judgements, what is left out, and how a file of another version is labelled.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { filesBelow, locateData, type LocatedData } from '../../lib/papers/data/data.js';
import { locateTempo } from '../../lib/papers/data/tempo.js';
import { paperData } from '../../lib/papers/papers.js';
import { readTempo } from '../../lib/index.js';

const lines = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('makers of collections', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'asof-makers-'))));
  after(() => rmSync(folder, { recursive: true }));

  /** A folder of data of its own. */
  function data(files: Readonly<Record<string, string>>): string {
    const own = mkdtempSync(join(folder, 'data-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(own, name)), { recursive: true });
      writeFileSync(join(own, name), text);
    }
    return own;
  }
  async function located(name: string, of: string | undefined): Promise<LocatedData> {
    const maker = paperData.find((each) => each.name === name)!;
    const files = of === undefined ? [] : await filesBelow(of);
    return locateData(maker, { data: of, files, work: join(folder, 'work'), signal: undefined });
  }
  const rowsOf = <Row>(set: LocatedData, name: string): Row[] =>
    readFileSync(join(set.folder!, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => (name.endsWith('.tsv') ? line.split('\t') : JSON.parse(line)) as Row);
  interface Query {
    id: string;
    text: string;
    answers: string[];
    gold_evidence?: string[];
  }

  it("asks TempRAGEval's dated questions of TimeQA's passages and the evidence", async () => {
    const columns =
      'id,original_dataset,question,exact_time,time_specifier,answer,gold_evidence_1,' +
      'gold_evidence_2';
    const own = data({
      'temprageval/data.csv':
        `${columns}\n1,timeqa,Who ran it in 1950?,1,in,Ann | A. Orr,Ann ran the inn in 1950.,\n` +
        '2,timeqa,"Who last ran it\nbefore 1960?",0,before,Ann,Ann ran the inn in 1950.,' +
        'Bo left.\n' +
        '3,situatedqa,Who runs it?,0,,Ann,,\n',
      'timeqa_human/corpus.jsonl': lines([
        { id: 'Inn::0', title: 'The Inn', text: 'The Inn', heading: true },
        { id: 'Inn::1', title: 'The Inn', text: 'Ann ran the inn in 1950 . It burned .' },
      ]),
    });
    const set = await located('temprageval', own);
    assert.deepEqual([set.comparable, set.files.length, set.missing], [false, 2, []]);
    assert.deepEqual(
      set.files.map(({ known }) => known),
      [false, false],
    );
    const passages = rowsOf<{ id: string; text: string }>(set, 'passages.jsonl');
    assert.deepEqual(passages.map(({ text }) => text).sort(), [
      'Ann ran the inn in 1950. It burned.',
      'Bo left.',
    ]);
    const [perturbed] = rowsOf<Query>(set, 'queries-timeqa-perturbed.jsonl');
    assert.equal(perturbed!.text, 'Who last ran it before 1960?');
    assert.equal(perturbed!.gold_evidence!.length, 2);
    const [original] = rowsOf<Query>(set, 'queries-timeqa-original.jsonl');
    assert.deepEqual(original!.answers, ['Ann', 'A. Orr']);
    const qrels = rowsOf<string[]>(set, 'qrels.tsv');
    assert.deepEqual(qrels.map(([query]) => query).sort(), ['1', '2', '2']);
  });

  it('takes examples of 32, 64 and 128 apart, of earlier finals', async () => {
    const set = await located('tennis', undefined);
    const few = [32, 64, 128].map((size) =>
      rowsOf<Query & { asked_at: string }>(set, `queries-few-${size}.jsonl`),
    );
    assert.deepEqual(
      few.map(({ length }) => length),
      [32, 64, 128],
    );
    const all = few.flat();
    assert.equal(new Set(all.map(({ id }) => id)).size, 224);
    assert.ok(all.every(({ asked_at, answers }) => asked_at < '2019' && answers.length > 0));
    const kinds = few[0]!.filter(({ text }) => /score/i.test(text)).length;
    assert.equal(kinds, 8, 'a fourth of each kind');
  });

  it('makes Nobel laureates and revised facts', async () => {
    const own = data({
      'nobel_tsrag/corpus.jsonl': lines([
        { id: 'd0', text: 'Ada Orr\nThe Nobel Prize in Physics 1950.' },
        { id: 'd1', text: 'Bo Lind\nThe Nobel Prize in Physics 1951.' },
      ]),
      'nobel_tsrag/queries.jsonl': lines([
        { id: 'q0', text: 'Who won the Nobel Prize in Physics in 1950?' },
        { id: 'q1', text: 'Which winners were born in the 1900s?' },
      ]),
      'nobel_tsrag/qrels.tsv': 'q0 0 d0 1\nq0 0 d1 0\nq1 0 d1 1\n',
      'hoh_600/corpus.jsonl': lines([
        { id: 'c', title: 'Otago', text: 'It has 9 berths.', published: '2024-11-01' },
        { id: 'o', title: 'Otago', text: 'It has 8 berths.', published: '2024-10-01' },
      ]),
      'hoh_600/queries.jsonl': lines([
        { id: 'h', question: 'How many berths?', answer: '9', gold: 'c', outdated: [{ doc: 'o' }] },
        { id: 'i', question: 'Berths then?', answer: '8', gold: 'o', outdated: [{ doc: 'o' }] },
      ]),
    });
    const nobel = await located('nobel', own);
    const asked = rowsOf<Query>(nobel, 'queries.jsonl');
    assert.deepEqual(
      asked.map(({ answers }) => answers),
      [['Ada Orr']],
    );
    const hoh = await located('hoh', own);
    assert.equal(rowsOf<Query>(hoh, 'queries.jsonl').length, 1, 'not one whose gold is outdated');
    const [[query, , current]] = rowsOf<string[]>(hoh, 'qrels.tsv') as [string[]];
    const [[same, , past]] = rowsOf<string[]>(hoh, 'outdated.tsv') as [string[]];
    assert.ok(query === same && current !== past);
  });

  it("gives RETECO's sample TEMPO's form, a domain by its documents", async () => {
    const own = data({
      'reteco_sample/documents.jsonl': lines([
        { id: 'law/a.txt', content: 'A statute of 1900.' },
        { id: 'hsm/b.txt', content: 'A theorem of 1905.' },
      ]),
      'reteco_sample/examples.jsonl': lines([
        { id: '1', query: 'Which statute?', gold_ids: ['law/a.txt'], gold_answers: ['1900'] },
        { id: '2', query: 'Which theorem?', gold_ids: ['hsm/b.txt'], gold_answers: ['1905'] },
      ]),
      'reteco_sample/steps.jsonl': lines([{ id: '1', query: 'Q', gold_ids: ['law/a.txt'] }]),
    });
    const { tempo } = await locateTempo(own, await filesBelow(own), join(folder, 'work'));
    assert.match(tempo!.label, /a smoke test, another version of its files$/);
    const { domains } = await readTempo(tempo!.folder);
    assert.deepEqual(
      domains.map(({ name, queries }) => [name, queries.length]),
      [
        ['hsm', 1],
        ['law', 1],
      ],
    );
  });

  it('makes every collection of inventions where there are no sources', async () => {
    for (const { name } of paperData) {
      const set = await located(name, undefined);
      assert.ok(!set.comparable && set.label.includes('inventions'), name);
      const passages = rowsOf<{ id: string }>(set, 'passages.jsonl');
      const ids = new Set(passages.map(({ id }) => id));
      const qrels = rowsOf<string[]>(set, 'qrels.tsv');
      assert.ok(passages.length >= 50 && ids.size === passages.length && qrels.length > 10, name);
      assert.ok(qrels.every(([, , passage]) => ids.has(passage!)));
      const none = await located(name, data({ 'readme.txt': 'x' }));
      assert.ok(none.folder === undefined && none.missing.length > 0, name);
    }
  });
});
