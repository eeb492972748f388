// TEMPO's data as it lies in folders: parquet as published and JSON lines say the same, in every
// layout.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readTempo, type TempoData } from '../../lib/index.js';
import type { TempoQuery } from '../../lib/tempo/data.js';
import { copiedFolder, corpusFolder, idsOf, parquetFolder } from './data.js';

const withoutFiles = ({ domains, reasonings }: TempoData): unknown => ({
  reasonings,
  domains: domains.map(({ files: _, ...domain }) => domain),
});
const queryOf = ({ domains }: TempoData, id: string): TempoQuery =>
  domains.flatMap(({ queries }) => queries).find((query) => query.id === id)!;

describe('readTempo', () => {
  const { at, read, change, refuses } = copiedFolder();

  it('reads parquet as published and JSON lines alike, nested fields and all', async () => {
    const [lines, binary] = [await readTempo(corpusFolder), await readTempo(parquetFolder)];
    assert.deepEqual(
      JSON.parse(JSON.stringify(withoutFiles(lines))),
      JSON.parse(JSON.stringify(withoutFiles(binary))),
    );
    assert.deepEqual(await idsOf(lines), await idsOf(binary));
    assert.deepEqual(
      binary.domains.map(({ name, queries, documentCount }) => [
        name,
        queries.length,
        documentCount,
      ]),
      [
        ['economics', 4, 11],
        ['history', 3, 13],
        ['law', 3, 12],
        ['travel', 4, 12],
      ],
    );
  });

  it('reads gold, excluded and negative documents, answers, annotations and steps', async () => {
    const query = queryOf(await readTempo(parquetFolder), '9001_1');
    assert.deepEqual(
      [query.domain, query.relevant, query.excluded],
      ['history', ['history/mill_guild.txt'], []],
    ); // "N/A" is none
    assert.equal(query.negatives.length, 3);
    assert.match(query.answers[0]!, /guild/);
    assert.deepEqual(
      [query.annotation!.primaryClass, query.annotation!.anchors],
      ['time_period_contextualization', ['1790s']],
    );
    assert.deepEqual(query.passageAnnotations[0]!.scope, {
      start: '1790',
      end: '1799',
      granularity: 'decade',
    });
    // A step without gold documents is omitted, and counted.
    assert.deepEqual(
      query.steps.map(({ id, relevant }) => [id, relevant]),
      [['9001_1_step1', ['history/mill_guild.txt']]],
    );
    assert.equal((await readTempo(corpusFolder)).domains[1]!.stepsWithoutGold, 1);
    assert.deepEqual(queryOf(await readTempo(corpusFolder), '9000_0').excluded, [
      'history/ferry_song.txt',
    ]);
  });

  it(
    'reads steps that have rows of their own, as the published code does, and steps nested ' +
      'in a row',
    async () => {
      change('steps/law.jsonl', (rows) =>
        rows.splice(
          0,
          rows.length,
          {
            q_id: '9003_0',
            step_id: 7,
            step: 'Find the act',
            query: 'q',
            gold_ids: ['law/rent1955.txt'],
            excluded_ids: ['law/rent_form.txt', 'N/A'],
          },
          {
            id: '9004_1',
            steps: [
              { step: 1, step_instruction: 'Find the fire', gold_ids: ['law/smoke_fire.txt'] },
            ],
          },
        ),
      );
      const data = await read({ domains: ['law'] });
      const [rents, fire] = [queryOf(data, '9003_0'), queryOf(data, '9004_1')];
      assert.deepEqual(
        [rents.steps, rents.excluded],
        [
          [{ id: '7', text: 'Find the act', relevant: ['law/rent1955.txt'] }],
          ['law/rent_form.txt'],
        ],
      );
      assert.deepEqual(fire.steps, [
        { id: '9004_1_step1', text: 'Find the fire', relevant: ['law/smoke_fire.txt'] },
      ]);
    },
  );

  it('reads folders by domain, splits, shards and JSON arrays', async () => {
    const other = at('byDomain');
    for (const [part, name] of [
      ['documents', 'documents'],
      ['examples', 'examples_dev'],
      ['steps', 'steps_dev'],
    ]) {
      mkdirSync(join(other, 'law'), { recursive: true });
      cpSync(at(`${part}/law.jsonl`), join(other, 'law', `${name}.jsonl`));
    }
    assert.deepEqual(
      JSON.parse(JSON.stringify(withoutFiles(await readTempo(other)))).domains,
      JSON.parse(JSON.stringify(withoutFiles(await readTempo(corpusFolder, { domains: ['law'] }))))
        .domains,
    );
    const rows = readFileSync(at('examples/law.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    rmSync(at('examples/law.jsonl'));
    writeFileSync(at('examples/law-00000-of-00002.json'), JSON.stringify(rows.slice(0, 1)));
    writeFileSync(at('examples/law-00001-of-00002.json'), JSON.stringify({ rows: rows.slice(1) }));
    assert.equal((await read({ domains: ['law'] })).domains[0]!.queries.length, 3);
  });

  it('takes queries as another part of the folder words them', async () => {
    const data = await readTempo(parquetFolder, { reasoning: 'our_reason' });
    assert.match(
      queryOf(data, '9012_2').text,
      /^Who first issued paper money in Norland, and when\?\n\nHelpful documents/,
    );
    await refuses('ERR_NOT_FOUND', /"gpt4o_reason" in .*found our_reason/, {
      reasoning: 'gpt4o_reason',
    });
    change('our_reason/law.jsonl', (all) => all.pop());
    await refuses(
      'ERR_INVALID_INPUT',
      /law\.jsonl: Expected every query reworded, received none for "9005_2"/,
      { reasoning: 'our_reason' },
    );
  });

  it('can leave the ids of documents unread', async () => {
    change('examples/law.jsonl', (rows) => rows[2]!['gold_ids'].push('law/lost.txt'));
    const data = await read({ domains: ['law'], checkDocuments: false });
    assert.equal(data.domains[0]!.documentCount, undefined);
  });

  it('stops at its signal', async () => {
    await assert.rejects(readTempo(corpusFolder, { signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
    const reading = new AbortController();
    const rows = (await readTempo(parquetFolder, { domains: ['law'] })).domains[0]!.documents({
      signal: reading.signal,
    });
    await rows.next();
    reading.abort();
    await assert.rejects(
      async () => {
        for await (const _ of rows) assert.ok(_);
      },
      { code: 'ERR_ABORTED' },
    );
  });
});
