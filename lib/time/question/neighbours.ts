// Neighbours in a series that a question asks for by another member or an event: "the predecessor
// of X", "who succeeded X", "the pope after X", "its name before it was renamed"; and states at an
// event: "who owned it when the ship sank".
import { marker, nowMarker } from './bounds.js';
import { isTitle } from './orderWords.js';
import { isState } from './stative.js';
import { past } from './tense.js';

/** The side of the anchor on which the answer lies; `at` is the state at an event. */
export interface Neighbour {
  side: 'before' | 'after' | 'at' | 'since' | 'until';
  /** Words of the member or event. */
  anchor: string;
}

/** Verbs whose subject comes after their object in time, before it, and both as participles. */
const later = {
  past: 'succeeded|followed|replaced|superseded|supplanted|displaced|supplants|supersedes|replaces|succeeds|follows|inherited|deposed|ousted|unseated|took over from|takes over from|came after|comes after|came next after|took the place of',
  base: 'succeed|replace|supersede|supplant|displace|depose|oust|unseat|inherit|take over from|come after|take the place of',
  participle: 'succeeded|followed|replaced|superseded|supplanted|displaced|deposed|ousted|unseated',
};
const earlier = {
  past: 'preceded|precedes|predates|predated|came before|comes before|handed over to|gave way to|made way for|was the forerunner of|paved the way for',
  base: 'precede|predate|come before|hand over to|give way to|make way for',
  participle: 'preceded|predated',
};

const clauseEnd = new RegExp(String.raw`[,;?!${marker}${nowMarker}]|\.(?!\d)|\s+as\s`);
const anchorOf = (words: string): string => words.split(clauseEnd)[0]!.trim();

/** Actions of the reader, explanations and definitions: "how do I replace a tap washer". */
const generic =
  /^\W*(?:how (?:to|do|does|can|should|is|are)\b|why\b|explain\b|define\b|what (?:does|do) .* mean\b)/i;
/** The neighbour that a question asks for, if its dates do not name it. */
export function readNeighbour(skeleton: string): Neighbour | undefined {
  if (generic.test(skeleton) && !past.test(skeleton)) return undefined;
  return ofNoun(skeleton) ?? ofVerb(skeleton) ?? ofPreposition(skeleton) ?? ofClause(skeleton);
}

const takenFrom = /\bfrom (?:whom|who|what|which\b.*?)\s+did\s+(.+?)\s+(?:take over|inherit)\b/i;

const nouns =
  /\b(predecessors?|forerunners?|precursors?|successors?|replacements?)\b(?!\s+(?:functions?|relations?|nodes?|ordinals?|parts?|cost|rate|level|fertility)\b)/i;

/** "the predecessor of X", "X's successor", "the successor to X". */
function ofNoun(text: string): Neighbour | undefined {
  const noun = nouns.exec(text);
  if (!noun) return undefined;
  const right = text.slice(noun.index + noun[0].length);
  const left = text.slice(0, noun.index);
  const of = /^\s+(?:of|to|for)\s+(.+)/.exec(right);
  const owner = /([^\s,]+(?:\s+[^\s,]+){0,4})['’]s?\s+(?:[a-z-]+\s+){0,2}$/.exec(left);
  const pronoun = /\b(?:his|her|its|their)\s+(?:[a-z-]+\s+){0,2}$/.exec(left);
  if (!of && !owner && !pronoun) return undefined;
  return {
    side: /^(?:succ|repl)/i.test(noun[0]) ? 'after' : 'before',
    anchor: of ? anchorOf(of[1]!) : (owner?.[1] ?? ''),
  };
}

/** The side follows from the verb and from whether its subject or its object is asked. */
function ofVerb(text: string): Neighbour | undefined {
  const taken = takenFrom.exec(text);
  if (taken) return { side: 'before', anchor: anchorOf(taken[1]!) };
  for (const [verbs, subjectSide] of [
    [later, 'after'],
    [earlier, 'before'],
  ] as const) {
    const objectSide = subjectSide === 'after' ? 'before' : 'after';
    // "Whom did X replace?", "Which law did the act supersede?"
    const object = new RegExp(
      String.raw`\b(?:did|would|had)\s+(.+?)\s+(?:${verbs.base}|${verbs.participle}|(?<=\bwhom?\b.*)follow)\b`,
      'i',
    ).exec(text);
    if (object) return { side: objectSide, anchor: anchorOf(object[1]!) };
    // "By whom was X succeeded?", "Who was X followed by?"
    const agent = new RegExp(
      String.raw`(?:\bby (?:whom|who|what|which\b.*?)\s+(?:was|were|is|has)\s+(.+?)\s+(?:been\s+)?(?:${verbs.participle})\b)|` +
        String.raw`\b(?:was|were|is|got)\s+(.+?)\s+(?:${verbs.participle})\s+by\b(?=\s*(?:$|[?,.]|as\b|in\b))`,
      'i',
    ).exec(text);
    if (agent) return { side: subjectSide, anchor: anchorOf(agent[1] ?? agent[2]!) };
    // "Who was replaced by X?"
    const patient = new RegExp(
      String.raw`\b(?:was|were|is|got|been)\s+(?:\w+ly\s+)?(?:${verbs.participle})\s+by\s+(.+)`,
      'i',
    ).exec(text);
    if (patient) return { side: objectSide, anchor: anchorOf(patient[1]!) };
    // "Who succeeded X?", "the post preceding X"
    const subject = new RegExp(
      String.raw`\b(?:${verbs.past}|(?:immediately|directly|right|just)\s+${subjectSide === 'after' ? '(?:succeeding|following)' : 'preceding'})\b(?!\s+(?:in|by|up|suit|through|that|whom|not)\b)\s*(.*)`,
      'i',
    ).exec(text);
    if (!subject || /\b(?:the|an?|most|least|best|which)\s+$/i.test(text.slice(0, subject.index)))
      continue;
    const anchor = anchorOf(subject[1]!);
    // "What comes before a noun?" is no order in time.
    if (!/^(?:comes|\w+s\b)/i.test(subject[0]) || definite.test(anchor))
      return { side: subjectSide, anchor };
  }
  return undefined;
}

const preposition = new RegExp(
  String.raw`\b(?:(just|immediately|right|directly|shortly|straight|soon|long|last|first|next|one)\s+)?` +
    String.raw`(before|prior to|preceding|ahead of|previous to|leading up to|in the (?:run|lead|build)[- ]?up to|after|following|subsequent to|in the wake of|in the aftermath of|on the heels of|once|as soon as|since|until|till)\s+` +
    String.raw`(?!(?:and|or|that|this|then|now|all|hours?|tax|interest|noon|dark|work|school|each|every|you|i|we|first|last)\b|[,?.])([^${marker}${nowMarker}]+)`,
  'gi',
);
/** Words that name one member or event: capitals, versions, pronouns with a verb. */
const definite = /^(?:the |its |his |her |their )?(?:[A-Z]|v?\d+\.\d)|^(?:it|he|she|they)\s+\w+/;

/** Words before a preposition that is no relation in time: "named after", "2 before". */
const phrasal =
  /(?:\d|\b(?:looks?|looked|looking|modell?ed|taken?|takes|go(?:es)?|went|christened|patterned|year|day|month|week|sought))\s*$/i;
const namedAfter = /\b(?:named?|called|christened)\s*$/i;

/** "before Tony Blair", "right after version 3.1", "before it was renamed". */
function ofPreposition(text: string): Neighbour | undefined {
  for (const match of text.matchAll(preposition)) {
    const [, intensifier, word, words] = match as unknown as [string, string?, string?, string?];
    const capital = /^[A-Z]/.test(match[0]) && !/^\W*$/.test(text.slice(0, match.index));
    const before = text.slice(0, match.index);
    if (capital || phrasal.test(before) || isTitle(before)) continue;
    if (/^after/i.test(word!) && namedAfter.test(before)) continue;
    const anchor = anchorOf(words!);
    if (/^(?:until|till)$/i.test(word!) && !past.test(text)) continue;
    if (/^(?:once|as soon)/i.test(word!) && !pastClause.test(anchor)) continue;
    if (/\bwhat(?: \w+)? happen(?:s|ed)?\b/i.test(text) || anchor === '') continue;
    const outside = text.slice(0, match.index) + text.slice(match.index + match[0].length);
    if (!(past.test(text) || definite.test(anchor) || intensifier)) continue;
    if (/^\W*(?:why|how (?:long|do|does|to|is|are))\b/i.test(text) && !past.test(outside)) continue;
    if (!past.test(outside) && !definite.test(anchor) && !intensifier && !/^\s*(?:the )/.test(text))
      continue;
    const kind = word!.toLowerCase();
    const side =
      kind === 'since'
        ? 'since'
        : kind === 'until' || kind === 'till'
          ? 'until'
          : /^(?:after|following|subs|in the wake|in the after|on the heels|once|as soon)/.test(
                kind,
              )
            ? 'after'
            : 'before';
    return { side, anchor };
  }
  return undefined;
}

/** "when the Titanic sank", "at the time of the earthquake". */
const stateAt =
  /\b(?:((?:back )?when|while|by the time(?: that)?|the (?:year|day|month|week|moment|summer|winter|spring)(?: when| that)?)|(during|amid|throughout)|at the (?:time|moment|start|outbreak|end|outset|beginning|close) (?:of|that|when)|on the (?:eve|day) (?:of|that))\s+(.+)/i;
/** A clause with a subject of its own and a past tense; "when applied to", "when it rains" are none. */
const pastClause = new RegExp(
  String.raw`^(?!(?:you|i|we|[a-z]+ing|[a-z]+ed|used|subjected)\b)(?:\S+\s+){1,8}?(?:${past.source})`,
  'i',
);
/** A change that an event brings: "When Moyes was sacked, who took over?" */
const change = /\b(?:took over|stepped in|came next|succeeded|replaced|got the job)\b/i;

function ofClause(text: string): Neighbour | undefined {
  const match = stateAt.exec(text);
  if (!match) return undefined;
  const [, conjunction, stretch, words] = match;
  const anchor = anchorOf(words!);
  if (anchor === '' || (conjunction && !pastClause.test(anchor))) return undefined;
  const main =
    text.slice(0, match.index) + text.slice(match.index + match[0].indexOf(words!) + anchor.length);
  if (stretch && !isState(main)) return undefined;
  if (!past.test(main)) return undefined;
  return { side: change.test(main) ? 'after' : 'at', anchor };
}
