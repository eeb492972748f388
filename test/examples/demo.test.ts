// The example corpus of `asof demo`: that the committed files are what the facts and the writers
// give, and that they are what the command needs. Whether the facts are true no test can tell.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { buildDemo } from '../../examples/demo/build.js';

const folder = fileURLToPath(new URL('../../examples/demo/', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));

interface PassageLine {
  id: string;
  text: string;
  title?: string;
  published_at?: string;
  valid_from?: string;
  valid_to?: string;
}

interface QuestionLine {
  id: string;
  text: string;
  asked_at?: string;
  expected_ids: string[];
  expected_answer: string;
  note: string;
}

function readLines<Line>(file: string): Line[] {
  const text = readFileSync(join(folder, file), 'utf8');
  assert.ok(text.endsWith('\n'));
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/**
 * A whole UTC day or an instant; months and years alone are not for the command line's date fields.
 */
function instant(date: string): number {
  assert.match(date, /^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/);
  const at = Date.parse(date);
  assert.ok(
    Number.isFinite(at) && new Date(at).toISOString().startsWith(date.slice(0, 10)),
    `${date} is a day of the calendar`,
  );
  return at;
}

function filesUnder(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesUnder(join(path, entry.name)) : [join(path, entry.name)],
  );
}

describe('examples/demo', () => {
  const passages = readLines<PassageLine>('passages.jsonl');
  const questions = readLines<QuestionLine>('questions.jsonl');

  it('is what build.ts generates', () => {
    const built = buildDemo();
    assert.equal(readFileSync(join(folder, 'passages.jsonl'), 'utf8'), built.passages);
    assert.equal(readFileSync(join(folder, 'questions.jsonl'), 'utf8'), built.questions);
  });

  it('has at least 1,500 passages with ids of their own and texts of their own', () => {
    assert.ok(passages.length >= 1500);
    assert.equal(new Set(passages.map((passage) => passage.id)).size, passages.length);
    assert.equal(
      new Set(passages.map((passage) => `${passage.title} ${passage.text}`)).size,
      passages.length,
    );
  });

  it('has fields of the right kind only, and dates of the calendar', () => {
    const known = new Set(['id', 'text', 'title', 'published_at', 'valid_from', 'valid_to']);
    for (const passage of passages) {
      assert.deepEqual(
        Object.keys(passage).filter((key) => !known.has(key)),
        [],
      );
      assert.match(passage.id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      for (const date of [passage.published_at, passage.valid_from, passage.valid_to])
        if (date !== undefined) instant(date);
      if (passage.valid_to !== undefined)
        assert.ok(instant(passage.valid_from!) <= instant(passage.valid_to), passage.id);
    }
  });

  it('has whole sentences, none longer than 400 characters, and nothing left of a template', () => {
    for (const { id, text } of passages) {
      for (const sentence of text.split(/(?<=[.!?]) (?=\p{Lu}|\d)/u))
        assert.ok(sentence.length <= 400, `${id}: ${sentence}`);
      assert.match(text, /^[\p{Lu}\p{N}'"].*[.!?]$/su, id);
      assert.doesNotMatch(
        text,
        /undefined|null|NaN|\$\{| {2}|\.\.|,,| [.,;]|\btrue\b|\bfalse\b/,
        id,
      );
    }
  });

  it('has passages of one sentence and of several, dated and undated', () => {
    const sentences = passages.map(({ text }) => text.split(/(?<=[.!?]) (?=\p{Lu}|\d)/u).length);
    assert.ok(sentences.filter((count) => count === 1).length > 300);
    assert.ok(sentences.filter((count) => count >= 2).length > 1000);
    for (const field of ['published_at', 'valid_from'] as const) {
      const having = passages.filter((passage) => passage[field] !== undefined).length;
      assert.ok(having > 200 && having < passages.length - 200, `${field}: ${having}`);
    }
  });

  it(
    'asks a dozen questions or more, whose expected passages are there and were published ' +
      'when they are asked',
    () => {
      const byId = new Map(passages.map((passage) => [passage.id, passage]));
      assert.ok(questions.length >= 12);
      assert.equal(questions[0]!.text, 'Who was UK prime minister as of 6 May 2021?');
      assert.equal(new Set(questions.map((question) => question.id)).size, questions.length);
      for (const question of questions) {
        const asked =
          question.asked_at === undefined
            ? Infinity
            : instant(question.asked_at) + (question.asked_at.length === 10 ? 86_399_999 : 0);
        assert.ok(
          question.expected_ids.length > 0 &&
            question.expected_answer !== '' &&
            question.note !== '',
        );
        for (const id of question.expected_ids) {
          const passage = byId.get(id);
          assert.ok(passage, `${question.id} expects ${id}`);
          if (passage.published_at !== undefined)
            assert.ok(
              instant(passage.published_at) <= asked,
              `${id} is not of ${question.id}'s future`,
            );
          const words = question.expected_answer.toLowerCase().match(/[\p{L}\p{N}.,]+/gu) ?? [];
          for (const word of words)
            assert.ok(
              `${passage.title} ${passage.text}`.toLowerCase().includes(word.replace(/,$/, '')),
              `${id} says ${word}`,
            );
        }
      }
    },
  );

  it('is under a megabyte with its facts, and ships in the package', () => {
    const bytes = filesUnder(folder).reduce((sum, file) => sum + statSync(file).size, 0);
    assert.ok(bytes < 1_000_000, `${bytes} bytes`);
    const files = (
      JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
    ).files;
    assert.ok(files.includes('examples/demo/passages.jsonl'));
    assert.ok(files.includes('examples/demo/questions.jsonl'));
  });
});
