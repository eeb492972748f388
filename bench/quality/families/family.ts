// A family of dated questions: passages that state real data of one domain, questions in several
// wordings, judgments. A family is built from a package of a registry by a script with a fixed
// seed, so that no data of others is committed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FamilyPassage {
  id: string;
  text: string;
  title?: string | undefined;
  published_at?: string | undefined;
  valid_from?: string;
  valid_to?: string;
  /** Entities of the passage, as questions name them in `entity`. */
  entities?: string[];
}

export interface FamilyQuestion {
  id: string;
  text: string;
  /** The operator on time; `undated` is a control without any. */
  class:
    | 'as_of'
    | 'current'
    | 'latest'
    | 'first'
    | 'last_before'
    | 'first_after'
    | 'in'
    | 'between'
    | 'before_date'
    | 'since'
    | 'when'
    | 'undated';
  /** ISO date or date-time of asking; absent for questions with a date of their own. */
  asked_at?: string | undefined;
  entity: string;
  /** Strings of which a right answer holds one. */
  answers: string[];
  /** Passages that answer, by grade: 2 answers, 1 answers in passing. Empty: unanswerable. */
  relevant: Record<string, 1 | 2>;
  /** Of questions about the state at asking: passages that state an older value of the same. */
  outdated?: string[];
}

export interface Family {
  passages: FamilyPassage[];
  questions: FamilyQuestion[];
}

export interface FamilySource {
  registry: 'npm' | 'PyPI' | 'Debian';
  package: string;
  /** Exact version; Debian's packages are those of its release 12. */
  version?: string;
  license: string;
}

export interface FamilyDefinition {
  name: string;
  /** One line: what its passages state. */
  description: string;
  sources: FamilySource[];
  /** `folders`: the unpacked packages, in the order of `sources`. */
  build(folders: string[], random: Random): Family;
}

/** Reproducible choices (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** Uniform in [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  pick<Item>(list: readonly Item[]): Item {
    return list[this.below(list.length)]!;
  }

  /** `count` different items in random order, or all of a shorter list. */
  sample<Item>(list: readonly Item[], count: number): Item[] {
    const rest = [...list];
    const chosen: Item[] = [];
    while (chosen.length < count && rest.length > 0)
      chosen.push(...rest.splice(this.below(rest.length), 1));
    return chosen;
  }
}

/** Faults of a family that would make its figures wrong. */
export function faultsOf({ passages, questions }: Family): string[] {
  const faults: string[] = [];
  const ids = new Set(passages.map(({ id }) => id));
  if (ids.size !== passages.length) faults.push('two passages of one id');
  if (new Set(questions.map(({ id }) => id)).size !== questions.length)
    faults.push('two questions of one id');
  for (const { id, class: operator, relevant, outdated = [], asked_at: askedAt } of questions) {
    for (const passage of [...Object.keys(relevant), ...outdated])
      if (!ids.has(passage)) faults.push(`${id} judges ${passage}, which is no passage`);
    for (const passage of outdated)
      if (passage in relevant) faults.push(`${id}: ${passage} is both relevant and outdated`);
    if (operator === 'current' && askedAt === undefined) faults.push(`${id} lacks asked_at`);
  }
  return faults;
}

/** Writes passages.jsonl, queries.jsonl, qrels.tsv, outdated.tsv and entities.tsv. */
export function writeFamily(folder: string, family: Family): void {
  mkdirSync(folder, { recursive: true });
  const write = (file: string, lines: string[]): void =>
    writeFileSync(join(folder, file), lines.map((line) => `${line}\n`).join(''));
  const { passages, questions } = family;
  write(
    'passages.jsonl',
    passages.map(({ entities: _, ...passage }) => JSON.stringify(passage)),
  );
  write(
    'queries.jsonl',
    questions.map(({ relevant, outdated: _, ...question }) =>
      JSON.stringify({
        ...question,
        ...(Object.keys(relevant).length === 0 ? { unanswerable: true } : {}),
      }),
    ),
  );
  write(
    'qrels.tsv',
    questions.flatMap(({ id, relevant }) =>
      Object.entries(relevant).map(([passage, grade]) => `${id} 0 ${passage} ${grade}`),
    ),
  );
  write(
    'outdated.tsv',
    questions.flatMap(({ id, outdated = [] }) => outdated.map((each) => `${id} 0 ${each} 1`)),
  );
  write(
    'entities.tsv',
    passages.flatMap(({ id, entities = [] }) => entities.map((entity) => `${id}\t${entity}`)),
  );
}
