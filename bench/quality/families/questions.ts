// Random draws of questions until a count is reached, their grades and their ids.
import type { FamilyQuestion, Random } from './family.js';
import { capital } from './dates.js';

export type Grades = FamilyQuestion['relevant'];
export type UnnumberedQuestion = Omit<FamilyQuestion, 'id'>;

/** A question without id and text; draws of the same key are dropped. */
export type Draft = Omit<FamilyQuestion, 'id' | 'text'> & { key: string };

/** What a draw returns: undefined where it does not allow a question. */
export type QuestionDraw<Context> = { draft: Draft; context: Context } | undefined;

export const graded = (grade: 1 | 2, passages: Iterable<string>): Grades =>
  Object.fromEntries([...passages].map((id) => [id, grade]));

/** Numbers questions, without repeated texts. */
export function numbered(questions: UnnumberedQuestion[]): FamilyQuestion[] {
  const texts = new Set<string>();
  return questions
    .filter(({ text }) => !texts.has(text) && texts.add(text))
    .map((question, index) => ({ id: `q-${index + 1}`, ...question }));
}

/** Calls `attempt` until it has returned `count` questions. @throws Error after 5,000 attempts. */
export function collect(
  count: number,
  attempt: () => UnnumberedQuestion | undefined,
): UnnumberedQuestion[] {
  const found: UnnumberedQuestion[] = [];
  const texts = new Set<string>();
  for (let tries = 0; found.length < count; tries++) {
    if (tries > 5000) throw new Error(`only ${found.length} of ${count} questions`);
    const question = attempt();
    if (question === undefined || texts.has(question.text)) continue;
    texts.add(question.text);
    found.push(question);
  }
  return found;
}

/** Numbered questions from drafts, with the wordings of each kind in turn. */
export class QuestionCollector<Context> {
  readonly questions: FamilyQuestion[] = [];
  private readonly keys = new Set<string>();

  constructor(
    private readonly prefix: string,
    private readonly random: Random,
  ) {}

  /** Calls `draw` until `count` different questions are found, at most 4,000 times. */
  ask(
    count: number,
    wordings: ((context: Context) => string)[],
    draw: (random: Random) => QuestionDraw<Context>,
  ): void {
    for (let tries = 0, asked = 0; asked < count && tries < 4000; tries += 1) {
      const drawn = draw(this.random);
      if (drawn === undefined || this.keys.has(drawn.draft.key)) continue;
      const { key, ...rest } = drawn.draft;
      const text = capital(wordings[asked % wordings.length]!(drawn.context));
      if (this.questions.some((question) => question.text === text)) continue;
      this.keys.add(key);
      this.questions.push({ id: `${this.prefix}-${this.questions.length + 1}`, text, ...rest });
      asked += 1;
    }
  }
}
