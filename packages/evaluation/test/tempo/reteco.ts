// Rows of our own in the form of RETECO's release: a folder of each domain, a file of each part and
// split, TREC judgements, and a map of duplicates.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TempoQuery } from '../../lib/tempo/data.js';
import { corpusFolder, domainOf } from './data.js';

const jsonLines = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** TREC judgements between tabs. */
const judgements = (topics: readonly { id: string; relevant: readonly string[] }[]): string =>
  topics.flatMap(({ id, relevant }) => relevant.map((each) => `${id}\t0\t${each}\t1\n`)).join('');

/**
 * Writes our corpus into a folder as RETECO's: the last query of a domain is its dev split, and its
 * test split without gold documents; the others are train.
 */
export async function writeReteco(folder: string, domains: readonly string[]): Promise<void> {
  for (const name of domains) {
    const { queries } = await domainOf(name);
    const at = (file: string): string => join(folder, name, file);
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(
      at('documents.jsonl'),
      readFileSync(join(corpusFolder, 'documents', `${name}.jsonl`)),
    );
    writeFileSync(at('duplicate_map.json'), '{"a": "b"}\n');
    const write = (split: string, part: readonly TempoQuery[]): void => {
      const gold = (ids: readonly string[]): object => (split === 'test' ? {} : { gold_ids: ids });
      const examples = part.map(({ id, text, relevant, answers }) => ({
        id,
        query: text,
        ...gold(relevant),
        ...(split === 'test' ? {} : { gold_answers: answers }),
      }));
      const steps = part.map(({ id, text, steps: those }) => ({
        id,
        query: text,
        steps: those.map((step, place) => ({
          step_id: step.id,
          step: place + 1,
          step_instruction: step.text,
          ...gold(step.relevant),
        })),
      }));
      writeFileSync(at(`examples_${split}.jsonl`), jsonLines(examples));
      writeFileSync(at(`steps_${split}.jsonl`), jsonLines(steps));
      if (split === 'test') return;
      writeFileSync(
        at(`guidance_${split}.jsonl`),
        jsonLines(
          part.map(({ id }) => ({
            id,
            query_guidance: { is_temporal_query: true, key_time_anchors: ['1955', '2019'] },
            gold_passage_annotations: [],
          })),
        ),
      );
      writeFileSync(at(`qrels_${split}.txt`), judgements(part));
      writeFileSync(
        at(`qrels_steps_${split}.txt`),
        judgements(part.flatMap(({ steps: those }) => those)),
      );
    };
    write('train', queries.slice(0, -1));
    write('dev', queries.slice(-1));
    write('test', queries.slice(-1));
  }
}
