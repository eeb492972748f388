// A collector of a family's passages and questions, with running ids and wordings in turn.
import type { Family, FamilyPassage, FamilyQuestion, Random } from './family.js';

type Judgment = Pick<FamilyQuestion, 'entity' | 'answers' | 'relevant' | 'asked_at' | 'outdated'>;

export class FamilyBuilder implements Family {
  readonly passages: FamilyPassage[] = [];
  readonly questions: FamilyQuestion[] = [];
  private readonly turns = new Map<string, number>();

  constructor(
    private readonly prefix: string,
    private readonly random: Random,
  ) {}

  /** Adds a passage and returns its id. */
  say(text: string, more: Omit<FamilyPassage, 'id' | 'text'> = {}): string {
    const id = `${this.prefix}-${this.passages.length + 1}`;
    this.passages.push({ id, text, ...more });
    return id;
  }

  /** Adds a question in the next of its wordings, unless a question has the same text. */
  ask(operator: FamilyQuestion['class'], wordings: string[], judgment: Judgment): void {
    const topic = `${operator} ${wordings.length} ${Object.keys(judgment.relevant).length > 0}`;
    const turn = this.turns.get(topic) ?? this.random.below(wordings.length);
    this.turns.set(topic, turn + 1);
    const text = wordings[turn % wordings.length]!;
    if (this.questions.some((question) => question.text === text)) return;
    const id = `${this.prefix}-q${this.questions.length + 1}`;
    this.questions.push({ id, text, class: operator, ...judgment });
  }
}
