// In which of several states a thing is: open or closed, pending, approved or rejected, allowed or
// banned. Two statements of one subject that name different states of one family contradict each
// other, whatever reasons they give. Subjects that differ in a word are two subjects.
import { headOf } from './lexicon.js';
import { endingsDiffer } from './modality.js';
import type { Statement } from './statement.js';

/**
 * Families of states; the words of a state exclude those of the others. "!" before a family: what
 * is not one is the other.
 */
const families: readonly (readonly string[])[] = [
  ['! open|opened|reopened|re-opened', 'closed|shut|shut down|sealed off|blocked'],
  [
    'pending|under review|under debate|under discussion|under consideration|being ' +
      'reviewed|awaiting approval|undecided',
    'approved|passed|granted|accepted|adopted|ratified',
    'rejected|refused|denied|declined|defeated|turned down|thrown out',
    'withdrawn|dropped',
  ],
  ['available|in stock|on sale', 'sold out|unavailable|out of stock|not available'],
  [
    'running|operating|operational|in service|in operation|back in service|restored|resumed',
    'suspended|halted|stopped|out of service|out of order|cancelled|canceled',
  ],
  ['! safe', 'unsafe|dangerous|contaminated|polluted'],
  ['! allowed|permitted|legal|welcome', 'banned|forbidden|prohibited|illegal|barred'],
  ['on time|on schedule', 'delayed|late', 'cancelled|canceled'],
  ['ongoing|in progress|under way|underway', 'finished|completed|complete|over|concluded'],
  ['! compulsory|mandatory|obligatory|required', 'optional|voluntary'],
];

interface State {
  family: number;
  state: number;
  said: string;
  /**
   * Words and names of the subject, quantities among them, and what follows the state, reasons
   * aside.
   */
  subject: ReadonlySet<string>;
  behind: ReadonlySet<string>;
}

const states = new Map<string, readonly (readonly [family: number, state: number])[]>();
const binary = new Set<number>();
families.forEach((groups, family) => {
  groups.forEach((group, state) => {
    if (group.startsWith('! ')) binary.add(family);
    for (const word of group.replace('! ', '').split('|'))
      states.set(word, [...(states.get(word) ?? []), [family, state]]);
  });
});
const words = [...states.keys()].sort((a, b) => b.length - a.length).join('|');
const pattern = new RegExp(
  `\\b(?:(?:is|are|was|were|be|been|remains?|stays?|stands?|became|becomes?)` +
    `(?: (?:now|still|currently|again|fully|temporarily|being|already|back|declared))*` +
    `|(?:has|have)(?: (?:now|since|already))*)` +
    `( not(?: yet)?| no longer)?(?: (?:now|still|currently|again|fully|temporarily))* (${words})\\b`,
  'iu',
);
const reason =
  /\b(?:because|after|since|following|due to|owing to|as|so that|while|when|until|by|for|again|today|now)\b|[;(]/i;

const found = new WeakMap<Statement, State[]>();

function statesOf(statement: Statement): State[] {
  let read = found.get(statement);
  if (!read) found.set(statement, (read = readStates(statement)));
  return read;
}

/** "Regulators approved the plan": the thing stands behind the verb. */
const active = new RegExp(
  '\\b(?:has |have ' +
    ')?(approved|passed|granted|rejected|refused|denied|banned|allowed|permitted|suspended|' +
    'cancelled|canceled|closed|shut|' +
    'reopened|restored) (?=(?:the|its|their|all|a|an)\\b|\\p{Lu})',
  'u',
);

function readStates({ text, tokens }: Statement): State[] {
  const passive = pattern.exec(text);
  const match = passive ?? active.exec(text);
  if (!match) return [];
  const end = match.index + match[0].length;
  const cut = reason.exec(text.slice(end));
  const stop = cut ? end + cut.index : text.length;
  const keys = (from: number, to: number): Set<string> =>
    new Set(
      tokens
        .filter(
          ({ kind, start }) =>
            (kind === 'word' || kind === 'name' || kind === 'quantity') &&
            start >= from &&
            start < to,
        )
        .map(({ kind, key, quantity }) =>
          quantity ? `${key} ${quantity.value}` : kind === 'word' ? headOf(key) : key,
        ),
    );
  const negated = passive?.[1] !== undefined;
  const word = (passive ? passive[2] : match[1])!.toLowerCase();
  const said = text.slice(match.index, end).trim();
  return states.get(word)!.flatMap(([family, state]): State[] => {
    if (negated && !binary.has(family)) return [];
    const [subject, behind] = passive
      ? [keys(0, match.index), keys(end, stop)]
      : [keys(end, stop), new Set<string>()];
    return [{ family, state: negated ? 1 - state : state, said, subject, behind }];
  });
}

/** The states that two statements of one subject and family of states give, where they differ. */
export function compareStates(
  older: Statement,
  newer: Statement,
): { older: string; newer: string } | undefined {
  for (const one of statesOf(older)) {
    for (const other of statesOf(newer)) {
      if (one.family !== other.family || one.state === other.state || !sameThing(one, other))
        continue;
      if (endingsDiffer(older, newer) && one.family === 0 && other.state === 0) continue;
      return { older: one.said, newer: other.said };
    }
  }
  return undefined;
}

function sameThing(one: State, other: State): boolean {
  const [a, b] = [union(one), union(other)];
  if (one.subject.size === 0 || other.subject.size === 0) return false;
  const apart = (mine: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean =>
    [...mine].some((key) => !theirs.has(key));
  if (apart(one.subject, b) || apart(other.subject, a)) return false;
  return !(apart(one.behind, b) && apart(other.behind, a));
}

const union = ({ subject, behind }: State): Set<string> => new Set([...subject, ...behind]);
