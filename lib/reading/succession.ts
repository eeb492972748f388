// Who came and who went in a sentence of succession: "A succeeded B", "B was replaced by A", "A
// took over from B", "it moved from B to A". Which of the two a question wants: the one it asks for
// by such a verb itself, and else the one who held at its time. It knows no office and reads no
// other sentence.
import type { Window } from '../time/constraint.js';
import type { Features } from './contest.js';
import type { TextSpan } from './spans.js';

const verbs = new RegExp(
  String.raw`\b(?:(?:was|were|is|been|being)\s(?:succeeded|replaced|followed)\sby|` +
    String.raw`succeed(?:s|ed|ing)|replac(?:es|ed|ing)|followed\s(?:him|her|them)|(?:took|takes|` +
    String.raw`taking)\sover\sfrom|` +
    String.raw`(?:sold|passed|handed(?:\sover)?)\s(?:(?:it|them)\s)?to)\b`,
  'i',
);
/** "moved from B to A": who came stands behind "to". */
const change = new RegExp(
  String.raw`\b(?:move[sd]?|moving|relocate[sd]?|transfer(?:s|red)|switche[sd]|change[sd]?|` +
    String.raw`renamed|raise[sd]?|rises?|rose|risen|increase[sd]?|` +
    String.raw`grows?|grew|falls?|fell|lower(?:s|ed)|reduce[sd]|cut|drop(?:s|` +
    String.raw`ped))\b[^.;]{0,40}?\sfrom\s()[^.;]{1,60}?\s(to)\s`,
  'di',
);
const asksSuccessor = new RegExp(
  String.raw`\b(?:who|whom|which [\p{L} ]{1,30}?)\s(?:(?:has|had)\s)?(?:succeed(?:s|ed)|` +
    String.raw`replace[sd]|followed|took over from)\b|` +
    String.raw`\b(?:succeeded|replaced|followed) by (?:who|whom|which)\b|\bsuccessor\b`,
  'iu',
);
const asksPredecessor =
  /\b(?:did|does|was) [\p{L}\p{M}'’. -]+ (?:succeed|replace|take over from)\b|\bpredecessor\b|\bwho(?:m)? was (?:succeeded|replaced)\b/iu;

/** Who held it first: of a succession the one who went. */
export const asksOfFirst = /\b(?:who|which|what)\b[^?]{0,30}\bthe first (?!to\b|time\b)\p{Ll}/iu;

/** By UTF-16 offsets of its sentence, half-open. */
export interface SuccessionVerb {
  start: number;
  end: number;
  /** Whether the one who came stands behind it. */
  passive: boolean;
  /** Of "from B to A", where B begins: what stands before is neither. */
  from?: number;
}

/** The verb of succession; what changed "from B to A" has a word that is asked about. */
export function successionIn(
  sentence: string,
  isAsked: (words: string) => boolean,
): SuccessionVerb | undefined {
  const found = verbs.exec(sentence);
  if (found)
    return {
      start: found.index,
      end: found.index + found[0].length,
      passive: /(?:by|to)$/i.test(found[0]),
    };
  const [, from, to] = change.exec(sentence)?.indices ?? [];
  return from && to && isAsked(sentence.slice(0, from[0]))
    ? { start: to[0], end: to[1], passive: true, from: from[0] }
    : undefined;
}

type Party = 'successor' | 'predecessor';

/** Whom a question asks for by a verb of succession. */
export function askedParty(question: string): Party | undefined {
  const [successor, predecessor] = [asksSuccessor.test(question), asksPredecessor.test(question)];
  return successor === predecessor ? undefined : successor ? 'successor' : 'predecessor';
}

/** Who held at the time that is asked about, of those before and after the succession `at`. */
function holding(window: Window | undefined, at: number | undefined): Party | undefined {
  if (!window || at === undefined) return undefined;
  if (window.end <= at) return 'predecessor';
  // "As of" and "until" a time after it: who held last.
  return window.start >= at || !Number.isFinite(window.start) ? 'successor' : undefined;
}

/** For or against spans by their side of the verb, and by whom the question names. */
export function sidesOf(
  question: string,
  sentence: string,
  verb: SuccessionVerb,
  window: Window | undefined,
  at: number | undefined,
) {
  const asked = askedParty(question);
  const wanted =
    asked ??
    holding(window, at) ??
    (!window && asksOfFirst.test(question) ? 'predecessor' : undefined);
  if (!wanted) return undefined;
  const wantedBehind = (wanted === 'successor') === verb.passive;
  const other = wantedBehind ? sentence.slice(0, verb.start) : sentence.slice(verb.end);
  const names: readonly string[] = other.match(/\p{Lu}[\p{L}\p{M}'’-]+/gu) ?? [];
  // Behind the name of another "who" and "he" are that other.
  const another = wantedBehind && names.length > 0 && !sentence.startsWith(names.at(-1)!);
  const named =
    names.some((name) => question.includes(name)) ||
    (!another && /\b(?:he|she|they|him|her|them|who)\b/i.test(other));
  // Of a time it only tells who did not hold then: who came may have left since, as another
  // sentence says. Who went held until then.
  const { from = 0 } = verb;
  const told: Features =
    asked && named ? { contestRight: 1 } : from > 0 ? { contestRight: 0.4 } : {};
  const right: Features =
    !asked && wanted === 'predecessor' ? { ...told, inside: 0, holds: 1, outside: 0 } : told;
  return ({ start }: TextSpan): Features =>
    start < from ? {} : start >= verb.end === wantedBehind ? right : { contestWrong: 1 };
}
