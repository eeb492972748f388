// Office holders in statements: "the mayor of Ostrand is X", "X leads Y", "named X".
import { appoints, namesRole, tellsOfHolding } from './lexicon.js';
import { stemOf, type Statement, type Token } from './statement.js';

export const copulas = new Set(['is', 'was', 'are', 'be', 'been']);

const oneOfMany = /\b(?:an?|one of (?:the|its|their|our))\s(?:\p{L}+\s){0,2}$/iu;
/** "An ambassador", "one of the directors": an office of several holders. */
export const ofMany = ({ tokens, text }: Statement): boolean =>
  tokens.some(
    ({ kind, key, start }, at) =>
      kind === 'word' &&
      namesRole(key) &&
      oneOfMany.test(text.slice(tokens[Math.max(0, at - 4)]!.start, start)),
  );

/**
 * Whether tokens stand where the holder of an office, a title or a record stands, of which there is
 * one at a time.
 */
export function fillsRole({ tokens }: Statement, filling: readonly Token[]): boolean {
  const [from, to] = [tokens.indexOf(filling[0]!), tokens.indexOf(filling.at(-1)!)];
  const role = ({ kind, key }: Token): boolean =>
    (kind === 'word' && namesRole(key)) || (kind === 'name' && namesRole(stemOf(key)));
  const before = tokens.slice(Math.max(0, from - 8), from);
  const after = tokens.slice(to + 1, to + 9);
  const holding = ({ kind, key }: Token): boolean => kind === 'word' && tellsOfHolding(key);
  const last = before
    .filter(({ kind, key }) => kind !== 'small' || copulas.has(key) || key === 'by')
    .at(-1);
  // "Prime Minister X", "named X"
  if (last && (role(last) || (last.kind === 'word' && appoints(last.key)))) return true;
  const linked =
    before.at(-1)?.kind === 'small' &&
    (copulas.has(before.at(-1)!.key) ||
      before.at(-1)!.key === 'by' ||
      before.at(-1)!.key === 'the');
  // "the mayor of Y is X"
  if (linked && before.some((token) => role(token) || holding(token))) return true;
  const next = after.find(({ kind, key }) => kind !== 'small' || copulas.has(key));
  if (next && holding(next)) return true; // "X leads Y"
  // "X is the mayor of Y", "X was named"
  if (
    next &&
    copulas.has(next.key) &&
    after.slice(0, 6).some((token) => role(token) || holding(token))
  )
    return true;
  return after[0]?.apart === true && after.slice(0, 4).some(role); // "X, the mayor of Y"
}
