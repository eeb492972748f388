// Temporal perturbation of a collection's questions: forms with the judgements of their originals
// and the distance of their dates, in years.
import { mustBe, throwIfAborted, yieldToEventLoop } from 'asof/kit';
import { parseInstant, type Interval, parseQuestion } from 'asof/time';
import type { Qrels } from '../files/trec.js';
import {
  perturbQuestion,
  type DatedQuestion,
  type PerturbedQuestion,
  type PerturbOptions,
} from './perturbQuestion.js';
import { yearOf } from '../calendar.js';

/** The perturbed forms of a collection, with the judgements of their originals. */
export interface PerturbedQuestions {
  forms: PerturbedQuestion[];
  /** The judgements of each form, copied from its original. */
  qrels: Qrels;
  /** The id of a form's original. */
  originalOf(id: string): string | undefined;
  /**
   * Distance in whole years between the dates of a form and those of its original; 0 for a shared
   * year.
   */
  yearsOff: ReadonlyMap<string, number>;
}

/**
 * Whether a question has answer-preserving forms: it has a validity (`validFrom`, `validTo`), or an
 * expected answer and a period in its text, "from 1916 to 1920". For any other wording the validity
 * is unknown: the answer may hold longer, or be an event of one day.
 */
export function isPerturbable(question: DatedQuestion): boolean {
  if (question.validFrom !== undefined || question.validTo !== undefined) return true;
  return (
    (question.answers?.length ?? 0) > 0 && parseQuestion(question).constraint.relation === 'from-to'
  );
}

/**
 * The forms of all perturbable questions; others are skipped. `qrels` are copied to the
 * forms. Errors: those of `perturbQuestion`; ERR_ABORTED.
 */
export async function perturbQuestions(
  questions: readonly DatedQuestion[],
  options: PerturbOptions & { qrels?: Qrels | undefined; signal?: AbortSignal | undefined } = {},
): Promise<PerturbedQuestions> {
  mustBe('an array', { questions });
  mustBe('an object', { options });
  const { qrels: judged, signal, ...how } = options;
  throwIfAborted(signal);
  const forms: PerturbedQuestion[] = [];
  const qrels: Qrels = new Map();
  const originals = new Map<string, string>();
  const yearsOff = new Map<string, number>();
  for (const question of questions) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    if (!isPerturbable(question)) continue;
    const shown = yearsShown(question);
    for (const form of perturbQuestion(question, how)) {
      forms.push(form);
      originals.set(form.id, question.id);
      yearsOff.set(
        form.id,
        Math.min(
          ...yearsOf(form.interval).flatMap((year) => shown.map((other) => Math.abs(year - other))),
        ),
      );
      const grades = judged?.get(question.id);
      if (grades) qrels.set(form.id, grades);
    }
  }
  return { forms, qrels, originalOf: (id) => originals.get(id), yearsOff };
}

/** The years of a question's dates and of the ends of its answer. */
function yearsShown({ validFrom, validTo, ...question }: DatedQuestion): number[] {
  const named = parseQuestion(question).constraints.flatMap(({ interval }) =>
    interval ? yearsOf(interval) : [],
  );
  const ends = [validFrom, validTo].flatMap((end) =>
    end === undefined ? [] : [yearOf(parseInstant(end, 'start'))],
  );
  return [...named, ...ends];
}

/** The years of an interval's ends. */
const yearsOf = ({ start, end }: Interval): number[] =>
  [start, end - 1].filter(Number.isFinite).map(yearOf);
