// The type of a test case for readers of questions: a question, its operator on time and the days
// that bound the time of its answer.
export interface OperatorCase {
  text: string;
  askedAt?: string;
  operator:
    | 'as_of'
    | 'current'
    | 'latest'
    | 'first'
    | 'last_before'
    | 'first_after'
    | 'in'
    | 'between'
    | 'before_offset'
    | 'since'
    | 'until'
    | 'when'
    | 'none';
  /** Inclusive ISO days; absent where the question does not fix them. */
  from?: string;
  to?: string;
}

type Bounds = Pick<OperatorCase, 'from' | 'to' | 'askedAt'>;

/** Cases of one operator from their texts and bounds. */
export function cases(
  operator: OperatorCase['operator'],
  questions: readonly (readonly [text: string, bounds?: Bounds])[],
): OperatorCase[] {
  return questions.map(([text, bounds]) => ({ text, operator, ...bounds }));
}
