// Writes the example corpus of `asof demo`: passages.jsonl and questions.jsonl from the fact tables
// in facts/ and the writers in source/. The same facts give the same bytes. Run: node --import tsx
// examples/demo/build.ts
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { championPassages } from './source/champions.js';
import { fictionPassages } from './source/fiction.js';
import { figurePassages } from './source/figures.js';
import { laureatePassages } from './source/laureates.js';
import { officePassages } from './source/offices.js';
import type { Draft } from './source/passage.js';
import { demoQuestions, type AnsweredQuestion } from './source/questions.js';
import { recordPassages } from './source/records.js';

export interface DemoFiles {
  passages: string;
  questions: string;
}

/** The two files' whole text. */
export function buildDemo(): DemoFiles {
  const drafts = [
    ...officePassages(),
    ...championPassages(),
    ...recordPassages(),
    ...figurePassages(),
    ...laureatePassages(),
    ...fictionPassages(),
  ].sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0));
  return {
    passages: lines(drafts.map(passageLine)),
    questions: lines(demoQuestions(drafts).map(questionLine)),
  };
}

const lines = (values: object[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** The command line's form of a passage; absent fields are omitted. */
function passageLine({ id, title, text, publishedAt, validFrom, validTo }: Draft): object {
  return {
    id,
    ...(title && { title }),
    // A name that ends in a point ends its sentence too.
    text: text.replaceAll('Jr..', 'Jr.'),
    ...(publishedAt && { published_at: publishedAt }),
    ...(validFrom && { valid_from: validFrom }),
    ...(validTo && { valid_to: validTo }),
  };
}

function questionLine({
  id,
  text,
  askedAt,
  expectedIds,
  expectedAnswer,
  note,
}: AnsweredQuestion): object {
  return {
    id,
    text,
    ...(askedAt && { asked_at: askedAt }),
    expected_ids: expectedIds,
    expected_answer: expectedAnswer,
    note,
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { passages, questions } = buildDemo();
  writeFileSync(new URL('passages.jsonl', import.meta.url), passages);
  writeFileSync(new URL('questions.jsonl', import.meta.url), questions);
  console.log(
    `passages.jsonl: ${passages.split('\n').length - 1} passages; questions.jsonl: ${questions.split('\n').length - 1} questions`,
  );
}
