// TEMPO data that is wrong: folders, domains and rows, each refused by file and row.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { readTempo } from '../../lib/index.js';
import { copiedFolder, idsOf } from './data.js';

describe('readTempo refuses', () => {
  const { at, read, change, refuses } = copiedFolder();

  it('other folders, and domains that the folder or TEMPO lacks', async () => {
    await assert.rejects(readTempo(at('nowhere')), {
      code: 'ERR_NOT_FOUND',
      message: /documents\/DOMAIN\.parquet/,
    });
    await assert.rejects(readTempo(at('examples')), {
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
    assert.equal((await read({ domains: ['harbours'] })).domains[0]!.name, 'harbours');
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
      /"query_guidance" to be an object, received "when"/,
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
    it(`data where ${name}`, async () => {
      change(file, edit);
      await refuses('ERR_INVALID_INPUT', message, { domains: ['law'] });
    });
  }

  it('documents without content by their row, when they are read', async () => {
    change('documents/law.jsonl', (rows) => delete rows[4]!['content']);
    const data = await read({ domains: ['law'] });
    await assert.rejects(idsOf(data), {
      message: /law\.jsonl:5: Expected the columns id, content, received id/,
    });
  });
});
