// TEMPO's data as it lies in folders: parquet as published and JSON lines say the same, and every
// way of being wrong is said by file and row.
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AsOfError } from '../../../lib/index.js';
import { readTempo, type TempoData } from '../../../lib/eval/index.js';
import type { TempoQuery } from '../../../lib/eval/tempo/data.js';
import { parquetRows } from '../../../lib/documents/parquet.js';

const here = dirname(fileURLToPath(import.meta.url));
const [corpus, parquet] = [join(here, 'corpus'), join(here, 'corpusParquet')];

const withoutFiles = ({ domains, reasonings }: TempoData): unknown => ({
  reasonings,
  domains: domains.map(({ files: _, ...domain }) => domain),
});
const queryOf = ({ domains }: TempoData, id: string): TempoQuery =>
  domains.flatMap(({ queries }) => queries).find((query) => query.id === id)!;
const idsOf = async (data: TempoData): Promise<string[]> => {
  const ids: string[] = [];
  for (const domain of data.domains) for await (const { id } of domain.documents()) ids.push(id);
  return ids;
};

describe('readTempo', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'asof-tempo-'));
    cpSync(corpus, folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const at = (file: string): string => join(folder, file);
  /** Changes the rows of a file. */
  const change = (file: string, edit: (rows: Record<string, any>[]) => unknown): void => {
    const rows = readFileSync(at(file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, any>);
    edit(rows);
    writeFileSync(at(file), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  };
  const refuses = async (code: string, message: RegExp, options = {}): Promise<void> => {
    await assert.rejects(readTempo(folder, options), (fault: AsOfError) => {
      assert.equal(fault.code, code, fault.message);
      assert.match(fault.message, message);
      return true;
    });
  };

  it('reads parquet as published and JSON lines alike, nested fields and all', async () => {
    const [lines, binary] = [await readTempo(corpus), await readTempo(parquet)];
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
    const query = queryOf(await readTempo(parquet), '9001_1');
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
    assert.equal((await readTempo(corpus)).domains[1]!.stepsWithoutGold, 1);
    assert.deepEqual(queryOf(await readTempo(corpus), '9000_0').excluded, [
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
      const data = await readTempo(folder, { domains: ['law'] });
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
      JSON.parse(JSON.stringify(withoutFiles(await readTempo(corpus, { domains: ['law'] }))))
        .domains,
    );
    const rows = readFileSync(at('examples/law.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    rmSync(at('examples/law.jsonl'));
    writeFileSync(at('examples/law-00000-of-00002.json'), JSON.stringify(rows.slice(0, 1)));
    writeFileSync(at('examples/law-00001-of-00002.json'), JSON.stringify({ rows: rows.slice(1) }));
    assert.equal((await readTempo(folder, { domains: ['law'] })).domains[0]!.queries.length, 3);
  });

  it('takes queries as another part of the folder words them', async () => {
    const data = await readTempo(parquet, { reasoning: 'our_reason' });
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

  it('rejects other folders, and domains that the folder or TEMPO lacks', async () => {
    await assert.rejects(readTempo(join(folder, 'nowhere')), {
      code: 'ERR_NOT_FOUND',
      message: /documents\/DOMAIN\.parquet/,
    });
    await assert.rejects(readTempo(join(folder, 'examples')), {
      code: 'ERR_NOT_FOUND',
      message: /no examples/,
    });
    await refuses(
      'ERR_NOT_FOUND',
      /domain "monero" .* found economics, history, law, travel\. Name some/,
      { domains: ['monero'] },
    );
    cpSync(at('examples/law.jsonl'), at('examples/harbours.jsonl'));
    await refuses(
      'ERR_INVALID_INPUT',
      /domains of TEMPO \(bitcoin, .*received "harbours"\. Name the domains to read/,
    );
    await refuses('ERR_NOT_FOUND', /documents of the domain harbours/, { domains: ['harbours'] });
    cpSync(at('documents/law.jsonl'), at('documents/harbours.jsonl'));
    assert.equal((await readTempo(folder, { domains: ['harbours'] })).domains[0]!.name, 'harbours');
  });

  const wrongRows: [string, string, (rows: Record<string, any>[]) => unknown, RegExp][] = [
    [
      'a column is missing',
      'examples/law.jsonl',
      (rows) => delete rows[1]!['gold_ids'],
      /law\.jsonl:2: Expected the columns id, query, gold_ids, received id, query/,
    ],
    [
      'a query is there twice',
      'examples/law.jsonl',
      (rows) => rows.push(rows[0]!),
      /law\.jsonl:4: Expected each query id once, received "9003_0" again/,
    ],
    [
      'a document is there twice',
      'documents/law.jsonl',
      (rows) => rows.push(rows[0]!),
      /documents\/law\.jsonl:13: Expected each document id once/,
    ],
    [
      'a gold id is no document',
      'examples/law.jsonl',
      (rows) => rows[2]!['gold_ids'].push('law/lost.txt'),
      /law\.jsonl:3: .*gold documents of "9005_2".*"law\/lost\.txt"/,
    ],
    [
      'a step has a gold id that is none',
      'steps/law.jsonl',
      (rows) => (rows[0]!['query_guidance'].retrieval_plan[0].gold_ids = "['law/lost.txt']"),
      /"law\/lost\.txt"/,
    ],
    [
      'an excluded id is no document',
      'examples/law.jsonl',
      (rows) => (rows[0]!['excluded_ids'] = ['x']),
      /excluded documents of "9003_0" in the corpus, received "x"/,
    ],
    [
      'a document is gold and excluded',
      'examples/law.jsonl',
      (rows) => (rows[0]!['excluded_ids'] = ['law/rent1955.txt']),
      /gold or excluded, received "law\/rent1955\.txt" as both/,
    ],
    [
      'a list is none',
      'examples/law.jsonl',
      (rows) => (rows[0]!['gold_ids'] = { a: 1 }),
      /law\.jsonl:1: Expected "gold_ids" to be a list of texts/,
    ],
    [
      'a written list is broken',
      'steps/law.jsonl',
      (rows) => (rows[0]!['query_guidance'].retrieval_plan[1].gold_ids = "['a"),
      /law\.jsonl:1: .*Write it as \['a', 'b'\]/,
    ],
    [
      'guidance is no object',
      'steps/law.jsonl',
      (rows) => (rows[0]!['query_guidance'] = 'when'),
      /"query_guidance" to be an object, received the string "when"/,
    ],
    [
      'a flag is none',
      'steps/law.jsonl',
      (rows) => (rows[0]!['query_guidance'].is_temporal_query = 'yes'),
      /"is_temporal_query" to be true or false/,
    ],
    [
      'a confidence is none',
      'steps/law.jsonl',
      (rows) => (rows[0]!['gold_passage_annotations'][0].confidence = 7),
      /"confidence" to be a number from 0 to 1/,
    ],
    [
      'steps are of no query',
      'steps/law.jsonl',
      (rows) => (rows[0]!['id'] = 'other'),
      /of a query among the examples, received those of "other"/,
    ],
    [
      'a step id is there twice',
      'steps/law.jsonl',
      (rows) => (rows[0]!['query_guidance'].retrieval_plan[1].step = 1),
      /each step id once, received "9003_0_step1" again/,
    ],
    [
      'an id is empty',
      'documents/law.jsonl',
      (rows) => (rows[0]!['id'] = ''),
      /"id" to be an id, received an empty text/,
    ],
  ];
  for (const [name, file, edit, message] of wrongRows) {
    it(`refuses data where ${name}`, async () => {
      change(file, edit);
      await refuses('ERR_INVALID_INPUT', message, { domains: ['law'] });
    });
  }

  it('says of documents without content where they are, when they are read', async () => {
    change('documents/law.jsonl', (rows) => delete rows[4]!['content']);
    const data = await readTempo(folder, { domains: ['law'] });
    await assert.rejects(idsOf(data), {
      message: /law\.jsonl:5: Expected the columns id, content, received id/,
    });
  });

  it('can leave the ids of documents unread', async () => {
    change('examples/law.jsonl', (rows) => rows[2]!['gold_ids'].push('law/lost.txt'));
    const data = await readTempo(folder, { domains: ['law'], checkDocuments: false });
    assert.equal(data.domains[0]!.documentCount, undefined);
  });

  it('stops at its signal', async () => {
    await assert.rejects(readTempo(corpus, { signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
    const reading = new AbortController();
    const rows = (await readTempo(parquet, { domains: ['law'] })).domains[0]!.documents({
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

  describe('of parquet files', () => {
    beforeEach(() => cpSync(parquet, folder, { recursive: true }));
    const broken = async (message: RegExp): Promise<void> =>
      refuses('ERR_INVALID_INPUT', message, { domains: ['law'] });

    it('refuses one that is cut off, wherever', async () => {
      const whole = readFileSync(at('examples/law.parquet'));
      for (const length of [0, 3, 40, 1000, whole.length - 20, whole.length - 1]) {
        writeFileSync(at('examples/law.parquet'), whole);
        truncateSync(at('examples/law.parquet'), length);
        await broken(
          /examples\/law\.parquet to be a (?:whole )?parquet file, received .*\. Fetch it again\./s,
        );
      }
    });

    it('refuses one whose bytes were changed, or reads what they say', async () => {
      const whole = readFileSync(at('documents/law.parquet'));
      for (let place = 4; place < whole.length - 8; place += 331) {
        const damaged = Buffer.from(whole);
        damaged[place] = damaged[place]! ^ 0xff;
        writeFileSync(at('documents/law.parquet'), damaged);
        await readTempo(folder, { domains: ['law'] })
          .then((data) => idsOf(data))
          .catch((fault: AsOfError) =>
            assert.equal(fault.code, 'ERR_INVALID_INPUT', fault.message),
          );
      }
    });

    it('rejects a Git LFS pointer, text, and the file of another part', async () => {
      writeFileSync(
        at('documents/law.parquet'),
        'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n',
      );
      await broken(/received a Git LFS pointer. .*git lfs pull/);
      writeFileSync(at('documents/law.parquet'), '{"id":"a","content":"b"}\n');
      await broken(/received another kind of file/);
      cpSync(at('documents/travel.parquet'), at('examples/law.parquet'));
      await broken(/law\.parquet: Expected the columns id, query, gold_ids, received id, content/);
    });

    it('reads other codecs by hyparquet-compressors, and several row groups in order', async () => {
      const read = async (file: string): Promise<unknown[]> => {
        const found: unknown[] = [];
        for await (const { record, where } of parquetRows(file, {
          needed: ['id'],
          optional: ['content', 'other'],
        }))
          found.push([where.line, record]);
        return found;
      };
      const rows = await read(join(here, 'lawZstd.parquet'));
      assert.equal(rows.length, 12);
      assert.deepEqual(rows, await read(join(parquet, 'documents/law.parquet')));
      assert.deepEqual((rows[11] as [number])[0], 12);
    });
  });
});
