// Agreement of what two statements of a series state.

const isNumber = (value: string): boolean => /^\p{N}/u.test(value);

/**
 * Whether two sets of values state the same: the numbers of one are among those of the other, or
 * where one has none, its values. Names next to numbers are those of the wording: of who reports,
 * of a unit. What states nothing contradicts nothing.
 */
export function agree(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [a, b] = [[...one].filter(isNumber), [...other].filter(isNumber)];
  return a.length > 0 && b.length > 0 ? isAmong(a, b) : isAmong([...one], [...other]);
}

/** Whether the smaller of two lists is among the other. */
function isAmong(one: readonly string[], other: readonly string[]): boolean {
  const [fewer, more] = one.length <= other.length ? [one, other] : [other, one];
  return fewer.every((value) => more.includes(value));
}
