// How cases of versions are written down and checked: statements with their publication, and which
// of them are outdated. It holds no case.
import assert from 'node:assert/strict';
import { voteOnVersions } from '../../../lib/facts/versions/byRules.js';

/** Ids of the statements that are outdated; each is [published, text, title?]. */
async function outdated(
  question: string,
  askedAt: string,
  ...statements: [published: string, text: string, title?: string][]
): Promise<string[]> {
  const passages = statements.map(([publishedAt, text, title], at) => ({
    id: String(at),
    text,
    publishedAt,
    ...(title === undefined ? {} : { title }),
  }));
  const votes = await voteOnVersions({ text: question, askedAt }, passages);
  return votes.filter(({ vote }) => vote < 0).map(({ id }) => id);
}

export interface Case {
  kind: string;
  question: string;
  askedAt?: string;
  statements: [string, string, string?][];
  /** Places of those that are outdated. */
  lost: number[];
}

export function check({ kind, question, askedAt = '2025-06-30', statements, lost }: Case): void {
  it(kind, async () =>
    assert.deepEqual(await outdated(question, askedAt, ...statements), lost.map(String)),
  );
}
