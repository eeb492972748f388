// Temporal perturbation of a question, as by MRAG's annotators (appendix C): another condition,
// relation and date that preserve the answer. Deterministic by seed.
import {
  invalidArgument,
  mustBe,
  mustBeWhole,
  windowOf,
  seededRandom,
  type Random,
} from 'asof/kit';
import type { TimeInput } from 'asof';
import {
  type Condition,
  type ParsedQuestion,
  type Relation,
  type Window,
  parseInstant,
  type Instant,
  type Interval,
  parseQuestion,
} from 'asof/time';
import type { EvaluationQuery } from '../evaluate.js';
import {
  dateGranularities,
  sampleDates,
  intervalOf,
  formatDates,
  unitAround,
  type DateChoice,
  type DateGranularity,
} from './dates.js';
import { preservesAnswer, type Span, type Validity } from './answerPreservation.js';
import { withCondition, withConstraint } from './wording.js';
import { yearOf } from '../calendar.js';

/**
 * A question whose answer holds from `validFrom` to `validTo`, each open if absent. Without both,
 * the question itself must contain the period: "from 1916 to 1920", "between ... and ...", "in
 * ...", "on ...". Dates are intervals: `validTo` is inclusive, and each end is uncertain within its
 * date.
 */
export interface DatedQuestion extends EvaluationQuery {
  validFrom?: TimeInput | undefined;
  validTo?: TimeInput | undefined;
  /**
   * Validity of other answers to the same content, which decide what is first and last. Default:
   * unknown.
   */
  others?: readonly Pick<DatedQuestion, 'validFrom' | 'validTo'>[] | undefined;
}

export type AnswerTimes = Pick<DatedQuestion, 'validFrom' | 'validTo'>;

export interface PerturbOptions {
  /** Whole number; the same seed gives the same questions. Default 1. */
  seed?: number | undefined;
  /**
   * Maximum number of combinations of a question, sampled by the seed. Default: all.
   */
  perQuestion?: number | undefined;
  /** Default: all five. A question keeps its own order word. */
  conditions?: readonly Condition[] | undefined;
  /** Default: all eleven. */
  relations?: readonly Relation[] | undefined;
  /** Default: year, month and day. */
  granularities?: readonly DateGranularity[] | undefined;
  /**
   * Whether dates avoid the years of the question and of the ends of its answer, as in the paper.
   * Default true.
   */
  avoidOverlap?: boolean | undefined;
  /** Latest date. Default: the question's askedAt, or none. */
  until?: TimeInput | undefined;
}

/**
 * A form of a question with another time constraint and the same answers, and therefore the same
 * gold evidence; all else of the question but its times is kept too.
 */
export interface PerturbedQuestion extends EvaluationQuery {
  /**
   * The id of the original question; the form's own id appends the combination:
   * `q7~last-as-of-year`.
   */
  originalId: string;
  condition: Condition;
  relation: Relation;
  interval: Interval;
  /** Window of the parsed form; absent for around. */
  window?: Window | undefined;
}

const allConditions: readonly Condition[] = ['none', 'first', 'earliest', 'last', 'latest'];
const allRelations = Object.keys({
  'as of': true,
  'from-to': true,
  until: true,
  before: true,
  after: true,
  around: true,
  between: true,
  by: true,
  in: true,
  on: true,
  since: true,
} satisfies Record<Relation, true>) as Relation[];

interface Combination {
  condition: Condition;
  relation: Relation;
  granularity: DateGranularity;
}

const drawsPerCombination = 48;
const wordedDraws = 2;

/**
 * The perturbed forms of a question, one for each combination of condition, relation and
 * granularity with a date that preserves the answer (`preservesAnswer`) and a wording that
 * `parseQuestion` parses to exactly that constraint.
 * @throws AsOfError ERR_INVALID_ARGUMENT for a question without a period, ends in the wrong order,
 * and options out of range.
 */
export function perturbQuestion(
  question: DatedQuestion,
  options: PerturbOptions = {},
): PerturbedQuestion[] {
  mustBe('an object', { question, options });
  const { seed = 1, perQuestion = Infinity, avoidOverlap = true } = options;
  mustBeWhole({ seed });
  if (!(perQuestion >= 1)) throw invalidArgument('perQuestion', 'a number from 1 up', perQuestion);
  const parsed = parseQuestion({ text: question.text, ...askedAtOf(question) });
  const answer = validityOf(question, parsed);
  const others = question.others?.map((other, at) => timesOf(other, `others[${at}]`));
  const until = options.until ?? question.askedAt;
  const choice: DateChoice = {
    answer,
    until: until === undefined ? Infinity : parseInstant(until, 'end', 'until'),
    avoided: avoidOverlap ? yearsShown(answer, parsed) : new Set(),
  };
  const random = seededRandom(seed, question.id);
  const perturbed: PerturbedQuestion[] = [];
  for (const combination of random.shuffled(combinations(options, parsed.constraint.condition))) {
    if (perturbed.length >= perQuestion) break;
    const made = perturbTo(combination, question, parsed, { ...choice, answer, others }, random);
    if (made) perturbed.push(made);
  }
  return perturbed;
}

function combinations(options: PerturbOptions, own: Condition): Combination[] {
  const {
    conditions = allConditions,
    relations = allRelations,
    granularities = dateGranularities,
  } = options;
  const check = <T>(name: string, given: readonly T[], known: readonly T[]): void => {
    const wrong = given.find((each) => !known.includes(each));
    if (wrong !== undefined) throw invalidArgument(name, `some of ${known.join(', ')}`, wrong);
  };
  check('conditions', conditions, allConditions);
  check('relations', relations, allRelations);
  check('granularities', granularities, dateGranularities);
  const fitting = own === 'none' ? conditions : conditions.filter((condition) => condition === own);
  const pairs = fitting.flatMap((condition) =>
    relations.map((relation) => ({ condition, relation })),
  );
  const all = pairs.flatMap((pair) =>
    granularities.map((granularity): Combination => ({ ...pair, granularity })),
  );
  return all.filter(({ relation, granularity }) =>
    relation === 'in' ? granularity !== 'day' : relation !== 'on' || granularity === 'day',
  );
}

function perturbTo(
  { condition, relation, granularity }: Combination,
  question: DatedQuestion,
  parsed: ParsedQuestion,
  choice: DateChoice & { answer: Validity; others?: readonly Span[] },
  random: Random,
): PerturbedQuestion | undefined {
  const contents =
    parsed.constraint.condition === 'none'
      ? withCondition(parsed.mainContent, condition)
      : [parsed.mainContent];
  let worded = 0;
  for (let draw = 0; draw < drawsPerCombination && worded < wordedDraws; draw += 1) {
    const dates = sampleDates(relation, granularity, choice, random);
    if (!dates) continue;
    const interval = intervalOf(dates);
    if (!preservesAnswer(condition, relation, interval, choice.answer, choice.others)) continue;
    worded += 1;
    const words = formatDates(dates, granularity, relation, random);
    for (const place of random.next() < 0.3
      ? (['front', 'end'] as const)
      : (['end', 'front'] as const)) {
      for (const content of contents) {
        const text = withConstraint(content, words, place);
        if (!readsBack(text, question, condition, relation, interval)) continue;
        const window = windowOf(relation, interval);
        const { validFrom: _from, validTo: _to, others: _others, ...kept } = question;
        const id = `${question.id}~${condition}-${relation.replace(' ', '-')}-${granularity}`;
        return {
          ...kept,
          id,
          originalId: question.id,
          text,
          condition,
          relation,
          interval,
          ...(window ? { window } : {}),
        };
      }
    }
  }
  return undefined;
}

function readsBack(
  text: string,
  question: DatedQuestion,
  condition: Condition,
  relation: Relation,
  interval: Interval,
): boolean {
  const { constraint } = parseQuestion({ text, ...askedAtOf(question) });
  const read = constraint.interval;
  const same =
    read?.start === interval.start &&
    read.end === interval.end &&
    read.granularity === interval.granularity;
  return same && constraint.condition === condition && constraint.relation === relation;
}

const askedAtOf = ({ askedAt }: EvaluationQuery): { askedAt?: TimeInput } =>
  askedAt === undefined ? {} : { askedAt };

function validityOf(
  question: DatedQuestion,
  { constraint: { relation, interval } }: ParsedQuestion,
): Validity {
  if (question.validFrom !== undefined || question.validTo !== undefined)
    return timesOf(question, 'the question');
  const named =
    relation === 'from-to' || relation === 'between' || relation === 'in' || relation === 'on';
  if (named && interval) {
    const unit = dateGranularities.find((each) => each === interval.granularity);
    const vague =
      unit === undefined
        ? []
        : [unitAround(interval.start, unit), unitAround(interval.end - 1, unit)];
    return { start: interval.start, end: interval.end, vague };
  }
  throw invalidArgument(
    'the question',
    'one with validFrom or validTo, or with a period in its text ("from 1916 to 1920")',
    question.text,
  );
}

function timesOf({ validFrom, validTo }: AnswerTimes, name: string): Validity {
  const vague: Span[] = [];
  const edge = (value: TimeInput | undefined, side: 'start' | 'end', open: Instant): Instant => {
    if (value === undefined) return open;
    const stretch = {
      start: parseInstant(value, 'start', `${name}'s times`),
      end: parseInstant(value, 'end', `${name}'s times`),
    };
    vague.push(stretch);
    return stretch[side];
  };
  const start = edge(validFrom, 'start', -Infinity);
  const end = edge(validTo, 'end', Infinity);
  if (!(start < end))
    throw invalidArgument(
      `${name}'s times`,
      'a period that starts before it ends',
      `${String(validFrom)} to ${String(validTo)}`,
    );
  return { start, end, vague };
}

/** The years in the question or in the passage with its answer. */
function yearsShown({ start, end }: Validity, { constraints }: ParsedQuestion): Set<number> {
  const ends = [
    start,
    end - 1,
    ...constraints.flatMap(({ interval }) => (interval ? [interval.start, interval.end - 1] : [])),
  ];
  return new Set(ends.filter(Number.isFinite).map(yearOf));
}
