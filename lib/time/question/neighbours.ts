// Neighbours in a series that a question asks for by another member or an event: "the predecessor
// of X", "who succeeded X", "the pope after X", "its name before it was renamed"; and states at an
// event: "who owned it when the ship sank".
import { marker, nowMarker } from './bounds.js';
import { isTitle } from './orderWords.js';
import { isState, past } from './stative.js';

/** A member or an event, and the side of it on which the answer lies. */
export interface Neighbour {
  /** `at`: the state at an event. */
  side: 'before' | 'after' | 'at' | 'since' | 'until';
  /** Words of the member or event; empty for a pronoun. */
  anchor: string;
}

const clauseEnd = new RegExp(String.raw`[,;?!${marker}${nowMarker}]|(?<!\b[A-Z])\.(?!\d)|\s+as\s`);
const anchorOf = (words: string): string => words.split(clauseEnd)[0]!.trim();
/** Words that name one member or event: capitals, versions, pronouns with a verb. */
const definite = /^(?:the |its |his |her |their )?(?:[A-Z]|v?\d+\.\d)|^(?:it|he|she|they)\s+\w+/;

/** Actions of the reader, explanations and definitions: "how do I replace a tap washer". */
const generic = /^\W*(?:how (?:to|do|does|can|should|is|are)|why|explain|define)\b/i;

/** A neighbour and the words that name it with its relation: UTF-16 offsets, half-open. */
export interface NeighbourPhrase extends Neighbour {
  start: number;
  end: number;
}

/** The neighbour that a question asks for; of a question with dates, only by a verb or a noun. */
export function readNeighbour(skeleton: string, hasDates: boolean): Neighbour | undefined {
  if (generic.test(skeleton) && !past.test(skeleton)) return undefined;
  const neighbour = ofNoun(skeleton) ?? ofVerb(skeleton);
  if (hasDates) return neighbour?.anchor ? neighbour : undefined;
  if (neighbour) return neighbour;
  const phrase = ofPreposition(skeleton) ?? ofClause(skeleton);
  return phrase && { side: phrase.side, anchor: phrase.anchor };
}

/**
 * The event or state whose time a question without dates names in place of a date: "while X was
 * mayor", "before the dam burst". A neighbour by a noun or a verb ("the successor of X") is a
 * member of the question's own series.
 */
export function readEventPhrase(skeleton: string): NeighbourPhrase | undefined {
  if (generic.test(skeleton) || ofNoun(skeleton) || ofVerb(skeleton)) return undefined;
  return ofPreposition(skeleton) ?? ofClause(skeleton, true) ?? ofEra(skeleton);
}

const nouns = new RegExp(
  String.raw`\b((?:predecessor|forerunner|precursor)s?|(?:successor|replacement)s?)\b` +
    String.raw`(?!\s+(?:functions?|relations?|nodes?|ordinals?|parts?|cost|rate|level|fertility)\b)`,
  'i',
);

/** "the predecessor of X", "X's successor", "the successor to X". */
function ofNoun(text: string): Neighbour | undefined {
  const noun = nouns.exec(text);
  if (!noun) return undefined;
  const left = text.slice(0, noun.index);
  const of = /^\s+(?:of|to|for)\s+(.+)/.exec(text.slice(noun.index + noun[0].length));
  const owner =
    /(?:^\W*(?:who|what|which)\s+(?:is|was|were|are)\s+|^|\s)((?:[^\s,]+\s+){0,4}?[^\s,]+)['’]s?\s+(?:[a-z-]+\s+){0,2}$/i.exec(
      left,
    );
  const pronoun = /\b(?:his|her|its|their)\s+(?:[a-z-]+\s+){0,2}$/.exec(left);
  if (!of && !owner && !pronoun) return undefined;
  return {
    side: /^(?:succ|repl)/i.test(noun[0]) ? 'after' : 'before',
    anchor: of ? anchorOf(of[1]!) : (owner?.[1] ?? ''),
  };
}

type Side = 'before' | 'after';
const opposite = { before: 'after', after: 'before' } as const;

/** Verbs of order in time by the side of their object on which their subject lies. */
const verbs = {
  after: verbsOf(
    'succeed supersede supplant displace depose oust unseat replace inherit follow'.split(' '),
    '(?:takes?|took|taken) over from|(?:comes?|came)(?: \\w+)? after|took the place of',
  ),
  before: verbsOf(
    'precede predate'.split(' '),
    '(?:comes?|came)(?: \\w+)? before|(?:hands?|handed) over to|' +
      '(?:gives?|gave|made) way (?:to|for)',
  ),
};

/** Patterns of an active verb, of its base after an auxiliary, and of its participle. */
function verbsOf(regular: readonly string[], phrases: string) {
  const base = regular.join('|');
  const participle = regular.map((verb) => (/e$/.test(verb) ? `${verb}d` : `${verb}ed`)).join('|');
  const active = `(?:${base})s|${participle}|${phrases}`;
  return {
    // "Whom did X replace?", "Which law did the act supersede?"
    object: new RegExp(
      String.raw`\b(?:did|would|had)\s+(.{1,99}?)\s+(?:${base.replace('|follow', '')}|${phrases}|` +
        String.raw`${participle})\b|\bwhom?\s+did\s+(.{1,99}?)\s+follow\b`,
      'i',
    ),
    // "By whom was X succeeded?", "Who was X followed by?"
    agent: new RegExp(
      String.raw`\bby (?:whom|who|what|which\b.{0,99}?)\s+(?:was|were|is|has)\s+(.{1,99}?)\s+(?:been\s+)?` +
        String.raw`(?:${participle})\b|` +
        String.raw`\b(?:was|were|is|got)\s+(.{1,99}?)\s+(?:${participle})\s+by(?=\s*(?:$|[?,.]|(?:as|in)\b))`,
      'i',
    ),
    // "Who was replaced by X?"
    patient: new RegExp(
      String.raw`\b(?:was|were|is|got|been)\s+(?:\w+ly\s+)?(?:${participle})\s+by\s+(.+)`,
      'i',
    ),
    // "Who succeeded X?", "Who will succeed X?", "the post immediately preceding X"
    subject: new RegExp(
      String.raw`(?<!\b(?:the|an?|most|least|best|which|was|were|is|are|been|be)\s+)` +
        String.raw`\b(?:${active}|(?:will|would)\s+(?:${base})|` +
        String.raw`(?:immediately|directly|right|just)\s+(?:${participle.replaceAll(/e?d\b/g, 'ing')}))\b` +
        String.raw`(?!\s+(?:in|by|up|suit|through|that|whom|not)\b)\s*(.*)`,
      'i',
    ),
  };
}

/** "From whom did X take over?", "To whom did X hand over?" */
const stranded =
  /\b(from|to) (?:whom|who|what|which\b.{0,99}?)\s+did\s+(.{1,99}?)\s+(?:take over|inherit|hand over|give way)\b/i;

/** The side follows from the verb and from whether its subject or its object is asked. */
function ofVerb(text: string): Neighbour | undefined {
  const fronted = stranded.exec(text);
  if (fronted)
    return {
      side: /^from/i.test(fronted[1]!) ? 'before' : 'after',
      anchor: anchorOf(fronted[2]!),
    };
  for (const subjectSide of ['after', 'before'] as const) {
    const { object, agent, patient, subject } = verbs[subjectSide];
    for (const [pattern, side] of [
      [object, opposite[subjectSide]],
      [agent, subjectSide],
      [patient, opposite[subjectSide]],
    ] as [RegExp, Side][]) {
      const match = pattern.exec(text);
      const anchor = match && anchorOf(match[1] ?? match[2]!);
      // "The king was succeeded by whom?"
      if (match && /^(?:who|what|which)/i.test(anchor!))
        return { side: opposite[side], anchor: anchorOf(text.slice(0, match.index)) };
      if (match) return { side, anchor: anchor! };
    }
    const match = subject.exec(text);
    if (!match) continue;
    const anchor = anchorOf(match[1]!);
    // "What comes before a noun?" is no order in time.
    const verb = match[0].slice(0, -match[1]!.length);
    if (anchor !== '' && (past.test(verb) || /^w/i.test(verb) || definite.test(anchor)))
      return { side: subjectSide, anchor };
  }
  return undefined;
}

/** Relations to a member or an event, by side. */
const relations: readonly (readonly [side: Neighbour['side'], words: string])[] = [
  [
    'before',
    'before|prior to|preceding|ahead of|previous to|leading up to|' +
      'in the (?:run|lead|build)[- ]?up to',
  ],
  [
    'after',
    'after|following|subsequent to|in the (?:wake|aftermath) of|on the heels of|once|as soon as',
  ],
  ['since', 'since'],
  ['until', 'until|till'],
];
const preposition = new RegExp(
  String.raw`\b(?:(just|immediately|right|directly|shortly|straight|soon|long|last|first|next|one)\s+)?` +
    String.raw`(${relations.map(([, words]) => words).join('|')})\s+` +
    String.raw`(?!(?:and|or|that|this|then|now|all|hours?|tax|interest|noon|dark|work|school|each|` +
    String.raw`every|you|i|we|first|last)\b|[,?.])([^${marker}${nowMarker}]+)`,
  'gi',
);
/** Verbs and numbers before a preposition that is no relation in time: "look after", "2 before". */
const phrasal = new RegExp(
  String.raw`(?:\d|\b(?:look(?:s|ed|ing)?|model(?:l?ed)|takes?|taken|go(?:es)?|went|sought|` +
    String.raw`patterned|year|day|month|week))\s+$`,
  'i',
);

/** "before Tony Blair", "right after version 3.1", "before it was renamed". */
function ofPreposition(text: string): NeighbourPhrase | undefined {
  if (/\bwhat(?: \w+)? happen(?:s|ed)?\b/i.test(text)) return undefined;
  const explains = /^\W*(?:why|how (?:long|do|does|to|is|are))\b/i.test(text);
  for (const match of text.matchAll(preposition)) {
    const [whole, intensifier, words, right] = match;
    const left = text.slice(0, match.index);
    const isName = /^[A-Z]/.test(whole) && !/^\W*$/.test(left);
    const anchor = anchorOf(right!);
    if (isName || anchor === '' || isTitle(left) || phrasal.test(left)) continue;
    if (/\b(?:named?|called|christened)\s+$/i.test(left) && /^after/i.test(words!)) continue;
    if (/^(?:once|as soon)/i.test(words!) && !pastClause.test(anchor)) continue;
    const end = match.index + whole.length - right!.length + right!.indexOf(anchor) + anchor.length;
    const happened = past.test(left + text.slice(end));
    const phrase = /^\W*the\s/i.test(text);
    const side = relations.find(([, each]) => new RegExp(`^(?:${each})$`, 'i').test(words!))![0];
    // In the present tense only a name or "just before" makes it an order of members.
    if (
      happened ||
      (!explains &&
        side !== 'until' &&
        (intensifier || definite.test(anchor) || (phrase && past.test(text))))
    ) {
      const start = match.index + (intensifier ? whole.indexOf(words!, intensifier.length) : 0);
      return { side, anchor, start, end };
    }
  }
  return undefined;
}

/** "when the Titanic sank", "the day the dam burst", "at the time of the earthquake". */
const stateAt = new RegExp(
  String.raw`\b(?:((?:back )?when|while|by the time(?: that)?|` +
    String.raw`the (?:year|day|month|week|moment|summer|winter|spring)(?: when| that)?)|` +
    String.raw`(during|amid|throughout)|on the (?:eve|day) (?:of|that)|` +
    String.raw`at the (?:time|moment|start|outbreak|end|outset|beginning|close|release|launch|opening|` +
    String.raw`introduction|publication|appearance|arrival|founding|signing|death|birth) (?:of|that|when))\s+(.+)`,
  'i',
);
/** Of events in clauses, besides those of `past`. */
const rarePast =
  'blew|blown|fled|forbade|froze|frozen|hung|overcame|overthrew|overthrown|overtook|rode|seen|' +
  'shook|shaken|slid|sought|split|sprang|stuck|swept|tore|torn|undertook|withdrew|withdrawn';
/** A past tense in a clause of time. */
export const pastInClause = String.raw`${past.source}|\b(?:${rarePast})\b`;
/** A clause with a subject and a past tense; "when applied to", "when it rains" are none. */
const pastClause = new RegExp(
  String.raw`^(?!(?:[Yy]ou|[Ii]|[Ww]e|[a-z]+ing|[a-z]+ed)\b)(?:\S+\s+){1,8}?(?:${pastInClause})`,
);
/** A change that an event brings: "When Moyes was sacked, who took over?" */
const change =
  /\b(?:took (?:over|the|his|her|its|their)|stepped in|came next|succeeded|replaced|became|got the job)\b/i;

/** `ofAny`: during a stretch, any predicate rather than a state. */
function ofClause(text: string, ofAny = false): NeighbourPhrase | undefined {
  const match = stateAt.exec(text);
  if (!match) return undefined;
  const [whole, conjunction, stretch, words] = match;
  const anchor = anchorOf(words!);
  if (anchor === '' || (conjunction && !pastClause.test(anchor))) return undefined;
  const end = match.index + whole.length - words!.length + words!.indexOf(anchor) + anchor.length;
  const main = text.slice(0, match.index) + text.slice(end);
  // "its price when the plant opened": a noun phrase has no tense of its own.
  const isPhrase =
    conjunction && !/\b(?:is|are|do|does|can|will|how|why|what|which|who)\b/i.test(main);
  if (!(isPhrase || past.test(main)) || (stretch && !ofAny && !isState(main))) return undefined;
  return { side: change.test(main) ? 'after' : 'at', anchor, start: match.index, end };
}

/** "in the Meiji era", "in the days of X", "in the same year as X". */
const era = new RegExp(
  String.raw`\b(?:in|under)\s+(?:(the\s+(?:[\p{L}\p{N}.’'-]+\s+){1,3}?(?:era|age|dynasty|reign|` +
    String.raw`regime|presidency|administration|years)\b)|the (?:time|days|age|era|reign) of\s+(.+)|` +
    String.raw`the (?:same|very) (?:year|month|week|day) (?:as|that|when|in which)\s+(.+))`,
  'iu',
);

function ofEra(text: string): NeighbourPhrase | undefined {
  const match = era.exec(text);
  if (!match) return undefined;
  const anchor = anchorOf(match[1] ?? match[2] ?? match[3]!);
  const end = text.indexOf(anchor, match.index) + anchor.length;
  return anchor === '' ? undefined : { side: 'at', anchor, start: match.index, end };
}
