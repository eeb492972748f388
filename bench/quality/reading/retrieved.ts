// Questions with the passages that `hybrid` finds for them, of families and answer sets, kept in a
// file a collection below the work folder: retrieval takes minutes, and what reads them seconds.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSystem } from '../../../lib/papers/index.js';
import { defaultPassages, type ReadablePassage } from '../../../lib/reading/answer.js';
import type { Evidence } from '../../../lib/reading/evidence.js';
import { isOver } from '../../../lib/time/validity.js';
import { familyCorpora, familyFiles, judgments } from '../families/files.js';
import { askedOf } from '../sets/answerSets.js';

/** A question that `hybrid` gives an answer to. */
export interface RetrievedQuestion {
  question: { text: string; askedAt?: string };
  /** None where no passage of the collection answers. */
  answers: string[];
  passages: ReadablePassage[];
  /** The judged passages, of sets. */
  judged?: ReadablePassage[];
}

async function kept(
  work: string,
  name: string,
  make: () => Promise<RetrievedQuestion[]>,
): Promise<RetrievedQuestion[]> {
  const path = join(work, `retrieved-${name.replaceAll(' ', '-')}.json`);
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(await make()));
  return JSON.parse(readFileSync(path, 'utf8')) as RetrievedQuestion[];
}

/** What the reader is given of evidence. */
const readable = (evidence: readonly Evidence[]): ReadablePassage[] =>
  evidence
    .slice(0, defaultPassages)
    .filter(({ validity }) => !validity || !isOver(validity))
    .map(({ id, title, text, sentence, score, publishedAt, timeZone }) => ({
      id,
      text,
      score,
      ...(title === undefined ? {} : { title }),
      ...(sentence === undefined ? {} : { sentence }),
      ...(publishedAt === undefined ? {} : { publishedAt }),
      ...(timeZone === undefined ? {} : { timeZone }),
    }));

/** @param given a folder as in bench/quality/families/measure.ts */
export function ofFamily(
  given: string,
  work: string,
): { name: string; questions: Promise<RetrievedQuestion[]> } {
  const files = familyFiles(given);
  const make = async (): Promise<RetrievedQuestion[]> => {
    const found: RetrievedQuestion[] = [];
    for await (const { corpus, queries } of familyCorpora(files, judgments(files), work)) {
      const system = createSystem('hybrid', { corpus });
      for (const { text, asked_at: askedAt, answers = [], unanswerable } of queries) {
        if (!unanswerable && answers.length === 0) continue;
        const question = askedAt === undefined ? { text } : { text, askedAt };
        const { evidence, unanswered } = await system.run(question);
        const passages = readable(evidence);
        if (unanswered === undefined && passages.length > 0)
          found.push({ question, answers: unanswerable ? [] : answers, passages });
      }
    }
    return found;
  };
  return { name: files.name, questions: kept(work, files.name, make) };
}

export const ofSet = (name: string, sample: number, work: string): Promise<RetrievedQuestion[]> =>
  kept(work, name, async () => {
    const asked = await askedOf(name, {
      system: 'hybrid',
      sample,
      passages: defaultPassages,
      keep: work,
    });
    return asked.map(({ text, askedAt, answers, contexts }) => ({
      question: askedAt === undefined ? { text } : { text, askedAt },
      answers,
      passages: readable(contexts['retrieved'] as Evidence[]),
      judged: readable(contexts['oracle'] as Evidence[]),
    }));
  });
