// Statements: what a passage says to a question, as tokens that can be compared. A time of issue is
// marked, since it is publication and not content.
import { stemmer } from 'stemmer';
import { englishStopWords } from '../../text/analyzer.js';
import { splitSentences } from '../../text/sentences.js';
import type { Interval } from '../../time/interval.js';
import type { Mention } from '../../time/mention.js';
import { publicationDateTest } from '../../time/publicationDates.js';
import { clockQuantities, rangeQuantities } from './clocks.js';
import {
  aliasesOf,
  headOf,
  measuresOf,
  namesEvent,
  namesRole,
  schedules,
  stateCodes,
  tellsOfHolding,
  type Measures,
} from './lexicon.js';
import type { GenerationalCache } from '../../runtime/generationalCache.js';
import { quantitiesOf, type Quantity } from './quantities.js';

/** A passage, or the sentence of it that won its place, with its publication. */
export interface Version {
  id: string;
  title?: string;
  text: string;
  /** UTC epoch milliseconds. */
  publishedAt?: number;
}

/** `small` are function words and punctuation-like words; they align texts and tell nothing. */
export type TokenKind = 'word' | 'name' | 'quantity' | 'time' | 'small';

export interface Token {
  kind: TokenKind;
  /**
   * Equal keys of one kind are the same word or name; quantities have their dimension, times one
   * key.
   */
  key: string;
  /** A name as the text has it. */
  written?: string;
  /** UTF-16 offsets into the version's text. */
  start: number;
  end: number;
  /** Counts up at commas, stops, brackets and "with": words of one clause belong together. */
  clause: number;
  /** Whether a comma or an opening bracket stands right before it. */
  apart: boolean;
  quantity?: Quantity;
  time?: Interval;
  /** Of times: "as of", "by" or a state's stretch, which a newer one supersedes. */
  asOf?: boolean;
  /** Of times: when the report was issued. */
  issued?: boolean;
}

export interface Statement extends Version {
  tokens: readonly Token[];
  /** Words of the title, folded; empty without one. */
  titled: ReadonlySet<string>;
  names: ReadonlySet<string>;
  /** What rarity in the corpus is looked up by: names as written, by their key. */
  spelled: ReadonlyMap<string, string>;
  /** Stems of content words, one for all words of a group. */
  words: ReadonlySet<string>;
  /** The raw stems: what families of measures are looked up by. */
  stems: ReadonlySet<string>;
  /** What its words measure, without and with the families of kinds. */
  measures: Measures;
  kinds: Measures;
  /** Whether it has a word of an office or of holding one, and one of planning. */
  holding: boolean;
  scheduling: boolean;
  /**
   * The times it tells of, as keys "start end", and those of them that are not told as how far a
   * state is known.
   */
  times: ReadonlySet<string>;
  firmTimes: ReadonlySet<string>;
}

const dayLength = 86_400_000;
const small = new Set([
  ...englishStopWords,
  ...(
    'has had have been being were would could can may might must shall should which who whom ' +
    'whose what when where while it its he she his ' +
    'her him them we our you your also about around ' +
    'approximately nearly almost some over more than than from up out so do does did just ' +
    'only very still now currently per each any all ' +
    'both near roughly under after before since until during'
  ).split(' '),
]);
for (const word of ['no', 'not']) small.delete(word);

/** One spelling for all: without marks, possessive, dots and hyphens, in lower case. */
export function fold(word: string): string {
  if (/^[a-z0-9]*$/i.test(word)) return word.toLowerCase();
  return word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/['’]s?$/u, '')
    .replace(/[.'’\-‐]/gu, '')
    .toLowerCase();
}

/** Stems of words met lately, forgotten all at once when there are many. */
const stems = new Map<string, string>();

export function stemOf(folded: string): string {
  let stem = stems.get(folded);
  if (stem !== undefined) return stem;
  if (stems.size >= 20_000) stems.clear();
  stem = stemmer(folded);
  stems.set(folded, stem);
  return stem;
}

/** Caches of names and statements, weighed by their approximate bytes. */
export interface StatementCaches {
  names: GenerationalCache<readonly string[]>;
  statements: GenerationalCache<{
    statement: Statement;
    capitals: readonly string[];
    known: string;
  }>;
}

/** Words that some text capitalises inside a sentence: names wherever they stand. */
export function knownNames(
  texts: readonly string[],
  { names }: Pick<StatementCaches, 'names'>,
): ReadonlySet<string> {
  const known = new Set<string>();
  for (const text of texts)
    for (const word of names.getOrCompute(text, 4 * text.length + 200, () => readNames(text)))
      known.add(word);
  return known;
}

const readNames = (text: string): string[] =>
  [...text.matchAll(/(?<=[\p{Ll}\p{N},:(] |[\p{Ll}\p{N}]-)(\p{Lu}[\p{L}\p{N}]*)/gu)]
    .map(([, word]) => fold(word!))
    .filter((word) => !small.has(word));

/** `readStatement`, cached while the known names among the version's words stay the same. */
export function statementOf(
  version: Version,
  mentions: readonly Mention[],
  known: ReadonlySet<string>,
  { statements }: Pick<StatementCaches, 'statements'>,
): Statement {
  const { id, title = '', text, publishedAt } = version;
  const key = `${id}\n${publishedAt}\n${title}\n${text}`;
  const cached = statements.get(key);
  const knownOf = (capitals: readonly string[]): string =>
    capitals.filter((word) => known.has(word)).join(' ');
  const capitals = cached?.capitals ?? capitalsOf(text);
  const knownNow = knownOf(capitals);
  if (cached?.known === knownNow) return cached.statement;
  const statement = readStatement(version, mentions, known);
  statements.set(key, { statement, capitals, known: knownNow }, 1000 + 100 * text.length);
  return statement;
}

const capitalsOf = (text: string): string[] => [
  ...new Set(
    (text.match(/\p{Lu}[\p{L}\p{N}'’.&‐-]*/gu) ?? []).flatMap((word) => [
      fold(word),
      ...word.split(/[-‐]/).map(fold),
    ]),
  ),
];

/**
 * Reads a version. `mentions` are the times of its text, read with its publication as reference;
 * `known` names of the texts around it.
 */
export function readStatement(
  version: Version,
  mentions: readonly Mention[],
  known: ReadonlySet<string>,
): Statement {
  const { text, publishedAt } = version;
  const times = timeTokens(text, mentions, publishedAt);
  const quantities = quantitiesOf(text, times).map(quantityToken);
  const clocks = [...clockQuantities(text, times), ...rangeQuantities(text, times)].map(
    quantityToken,
  );
  const taken = [
    ...times,
    ...clocks,
    ...quantities.filter(
      (each) => !clocks.some((clock) => each.start < clock.end && each.end > clock.start),
    ),
  ].sort((a, b) => a.start - b.start);
  const tokens = withRanks(
    withClauses(
      text,
      [...taken.filter((each) => each.start < each.end), ...wordTokens(text, taken, known)].sort(
        (a, b) => a.start - b.start,
      ),
    ),
  );
  const of = (kind: TokenKind): Token[] => tokens.filter((each) => each.kind === kind);
  const stems = new Set(of('word').map(({ key }) => key));
  // "new cases" are those of a day; "the new town" is not.
  if (
    tokens.some(
      ({ key }, at) =>
        key === 'new' &&
        tokens.slice(at + 1, at + 3).some((next) => next.kind === 'word' && namesEvent(next.key)),
    )
  )
    stems.add(stemOf('newly'));
  const told = of('time').filter((each) => !each.issued);
  return {
    ...version,
    tokens,
    titled: new Set(
      version.title === undefined
        ? []
        : (version.title.match(/[\p{L}\p{N}]+(?:['’.\-][\p{L}\p{N}]+)*/gu) ?? [])
            .map(fold)
            .filter((word) => !small.has(word)),
    ),
    names: new Set(of('name').map(({ key }) => key)),
    spelled: new Map(of('name').map(({ key, written }) => [key, written ?? key])),
    words: new Set([...stems].map(headOf)),
    stems,
    measures: measuresOf(stems, false),
    kinds: measuresOf(stems, true),
    holding: tokens.some(
      ({ kind, key }) =>
        (kind === 'word' && (namesRole(key) || tellsOfHolding(key))) ||
        (kind === 'name' && namesRole(stemOf(key))),
    ),
    scheduling: [...stems].some(schedules),
    times: new Set(told.map(timeKey)),
    firmTimes: new Set(told.filter(({ asOf }) => !asOf).map(timeKey)),
  };
}

const timeKey = ({ time }: Token): string => `${time!.start} ${time!.end}`;

type Bare = Omit<Token, 'clause' | 'apart'>;

const quantityToken = (quantity: Quantity): Bare => ({
  kind: 'quantity',
  key: quantity.dimension,
  start: quantity.start,
  end: quantity.end,
  quantity,
});

function timeTokens(
  text: string,
  mentions: readonly Mention[],
  publishedAt: number | undefined,
): Bare[] {
  const issues = publicationDateTest(text);
  const dated = mentions.filter(
    ({ interval, confidence, timexType, timexValue, text: said }) =>
      interval !== undefined &&
      confidence >= 0.5 &&
      timexType !== 'SET' &&
      !(timexType === 'TIME' && onlyClock(said, timexValue)),
  );
  const tokens = dated.map(({ start, end, interval, relation, text: said }): Bare => {
    const time = nearest(
      interval!.end - interval!.start < dayLength ? dayOf(interval!) : interval!,
      said,
      publishedAt,
    );
    const asOf =
      relation === 'as of' ||
      relation === 'by' ||
      relation === 'until' ||
      stating.test(text.slice(Math.max(0, start - 24), start)) ||
      !/\d/.test(said);
    return {
      kind: 'time',
      key: 'time',
      start,
      end,
      time,
      ...(asOf ? { asOf } : {}),
      ...(issues(start) ? { issued: true } : {}),
    };
  });
  // A report's own day beside the day that it tells of is its issue: behind words of reporting, or
  // where the other day is still to come.
  const told = tokens.filter((each) => !each.issued);
  for (const each of told) {
    const { start, end } = each.time!;
    if (
      told.length < 2 ||
      publishedAt === undefined ||
      end - start > dayLength ||
      publishedAt < start ||
      publishedAt >= end + dayLength
    )
      continue;
    const other = told.filter(({ time }) => time!.start !== start);
    const reporting =
      issuing.test(text.slice(Math.max(0, each.start - 40), each.start)) ||
      /^\W{0,3}(?:update|bulletin|report|dispatch)\b/i.test(text.slice(each.end));
    if (
      other.length > 0 &&
      (reporting || (publishedAt < end && other.some(({ time }) => time!.start >= end)))
    )
      each.issued = true;
  }
  return tokens;
}

/**
 * A day without its year is the one nearest to the publication: a forecast for "November 30" is of
 * the next one, in whatever tense.
 */
function nearest(time: Interval, said: string, publishedAt: number | undefined): Interval {
  if (
    publishedAt === undefined ||
    time.granularity !== 'day' ||
    !/\p{L}{3}/u.test(said) ||
    !/\d/.test(said) ||
    /\d{4}|[’']\d{2}/.test(said)
  )
    return time;
  const day = new Date(time.start);
  const readings = [-1, 0, 1].map((years) =>
    Date.UTC(day.getUTCFullYear() + years, day.getUTCMonth(), day.getUTCDate()),
  );
  const start = readings.reduce(
    (best, each) => (Math.abs(each - publishedAt) < Math.abs(best - publishedAt) ? each : best),
    time.start,
  );
  return { start, end: start + dayLength, granularity: 'day' };
}

/** Words before the time of a state; a time without a number ("today", "this week") is one. */
const stating =
  /\b(?:as of|as at|updated|correct(?: as)?(?: of)?|accurate|to date|through|up to)(?:\s+(?:on|at|of|in))?\s*\(?$/i;
const issuing = new RegExp(
  '\\b(?:issued|released?|published|updated?|posted|announced|report(?:s|ed)?|predicted|dated|' +
    'bulletin|statement|stated|said|says|wrote|writes|' +
    'dispatched|filed)\\b',
  'i',
);

const onlyClock = (said: string, value: string): boolean =>
  /T\d/.test(value) &&
  !/\b(?:\d{4}|today|tomorrow|yesterday|tonight|[a-z]*day|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i.test(
    said,
  ) &&
  !/\d[/-]\d/.test(said);

const dayOf = (interval: Interval): Interval => {
  const start = Math.floor(interval.start / dayLength) * dayLength;
  return { start, end: start + dayLength, granularity: 'day' };
};

function wordTokens(
  text: string,
  taken: readonly { start: number; end: number }[],
  known: ReadonlySet<string>,
): Bare[] {
  const starts = new Set(splitSentences(text).map(({ start }) => start));
  const raw: (Bare & { written: string; starting: boolean })[] = [];
  for (const match of text.matchAll(
    /[\p{L}\p{N}]+(?:['’.\-&‐](?=[\p{L}\p{N}])[\p{L}\p{N}]+)*['’]?/gu,
  )) {
    const [from, to] = [match.index, match.index + match[0].length];
    const over = taken.find(({ start, end }) => from < end && to > start);
    if (over) {
      if (to > over.end && from < over.end && text[over.end] === '-')
        raw.push({
          kind: 'word',
          key: '',
          start: over.end,
          end: to,
          written: text.slice(over.end + 1, to),
          starting: false,
        });
      continue;
    }
    const starting =
      starts.has(from) || (/["“‘(]/.test(text[from - 1] ?? '') && starts.has(from - 1));
    for (const [at, part] of partsOf(match[0]))
      raw.push({
        kind: 'word',
        key: '',
        start: from + at,
        end: from + at + part.length,
        written: part,
        starting: starting && at === 0,
      });
  }
  return withAliases(
    text,
    raw.map((each, at) => {
      each.kind = kindOf(each, raw[at + 1], text, known);
      return each;
    }),
  );
}

/** "Dallas-Fort" is two names, "semi-final" one word. */
function* partsOf(word: string): Generator<[number, string]> {
  if (!/^\p{Lu}[\p{L}’']+[-‐]\p{Lu}/u.test(word) || /\d/.test(word)) return void (yield [0, word]);
  for (const match of word.matchAll(/[^-‐]+/gu)) yield [match.index, match[0]];
}

const articles = new Set([
  'the',
  'a',
  'an',
  'of',
  'in',
  'at',
  'on',
  'for',
  'and',
  'by',
  'to',
  'from',
  'with',
]);

function kindOf(
  { written, starting, end }: { written: string; starting: boolean; end: number },
  next: { written: string; start: number } | undefined,
  text: string,
  known: ReadonlySet<string>,
): TokenKind {
  const folded = fold(written);
  const capital = /^\p{Lu}/u.test(written);
  const leads =
    capital &&
    !starting &&
    next !== undefined &&
    /^\p{Lu}/u.test(next.written) &&
    text.slice(end, next.start) === ' ' &&
    !articles.has(folded);
  // but "Per Alm", "WHO"
  if (small.has(folded) && !leads && !(capital && /^\p{Lu}{2,}$/u.test(written))) return 'small';
  if (/\d/.test(written) && /\p{L}/u.test(written)) return 'name'; // "9K38", "COVID-19"
  if (!capital) return 'word';
  if (/^[\p{Lu}\p{N}&]{2,}$/u.test(written.replace(/\./g, ''))) return 'name';
  if (known.has(folded)) return 'name';
  if (text[end] === ':') return 'word'; // a label
  if (!starting) return 'name';
  // The first word of a sentence is a name where another capital follows: "Key West", "Lunden,
  // Norvia", not "Location: Fresno".
  return next !== undefined &&
    /^\p{Lu}/u.test(next.written) &&
    /^,? $/.test(text.slice(end, next.start))
    ? 'name'
    : 'word';
}

function withAliases(text: string, raw: readonly (Bare & { written: string })[]): Bare[] {
  const out: Bare[] = [];
  for (let at = 0; at < raw.length; at += 1) {
    const token = raw[at]!;
    const { kind, written, start, end } = token;
    if (kind === 'small') {
      out.push({ kind, key: fold(written), start, end });
      continue;
    }
    const state =
      kind === 'name' && text.slice(Math.max(0, start - 2), start) === ', '
        ? stateCodes.get(written)
        : undefined;
    if (state !== undefined) {
      for (const key of state.split('-')) out.push({ kind: 'name', key, written, start, end });
      continue;
    }
    const folded = fold(written);
    const alias = aliasesOf
      .get(folded)
      ?.find(
        ([from]) =>
          from.every(
            (word, ahead) => ahead === 0 || fold(raw[at + ahead]?.written ?? '') === word,
          ) && fitsAlias(from, raw, at),
      );
    if (alias) {
      for (const key of alias[1])
        out.push({
          kind: /^\p{Ll}/u.test(written) ? 'word' : 'name',
          key,
          written: text.slice(start, raw[at + alias[0].length - 1]!.end),
          start,
          end: raw[at + alias[0].length - 1]!.end,
        });
      at += alias[0].length - 1;
      continue;
    }
    if (folded === '') continue;
    out.push(
      kind === 'name'
        ? { kind, key: folded, written, start, end }
        : { kind, key: stemOf(folded), start, end },
    );
  }
  return out;
}

/**
 * Short aliases are words too ("us", "who", "la"): they count where they are written in capitals,
 * the others where they are names.
 */
function fitsAlias(
  from: readonly string[],
  raw: readonly { written: string; kind: TokenKind }[],
  at: number,
): boolean {
  if (from.length > 1) return raw[at]!.kind === 'name';
  const { written, kind } = raw[at]!;
  if (from[0]!.startsWith('co')) return true; // covid, coronavirus, corp
  if (/^(?:ft|st|mt|mr|mrs|ms|dr|sir|inc|corp|ltd|plc|spgs|spgfld|hts|intl|univ)$/.test(from[0]!))
    return /^\p{Lu}/u.test(written);
  return kind === 'name' && (from[0]!.length > 3 || /^[\p{Lu}.]+$/u.test(written));
}

const ordinals = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth'
    .split(' ')
    .map((word, at) => [stemOf(word), at + 1]),
);
const ranking = new Set([
  'is',
  'are',
  'was',
  'were',
  'be',
  ...'ranked placed lie stand sit remain finished'.split(' ').map(stemOf),
]);

/** "are third in": a rank, as "ranked 3rd" is. "The third edition" is a name. */
function withRanks(tokens: readonly Token[]): Token[] {
  return tokens.map((token, at) => {
    const rank = token.kind === 'word' ? ordinals.get(token.key) : undefined;
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    if (
      rank === undefined ||
      !before ||
      !ranking.has(before.key) ||
      (next?.kind !== 'small' && next?.clause === token.clause)
    )
      return token;
    const { start, end } = token;
    const quantity: Quantity = {
      start,
      end,
      value: rank,
      written: rank,
      dimension: 'ordinal',
      factor: 1,
      grain: 0,
      slack: 0,
    };
    return { ...token, kind: 'quantity', key: 'ordinal', quantity };
  });
}

/** Marks clauses by the punctuation and the linking words between tokens, in place. */
function withClauses(text: string, tokens: readonly Bare[]): Token[] {
  let clause = 0;
  let end = 0;
  for (const token of tokens as readonly Token[]) {
    const gap = token.start - end;
    const between =
      gap <= 0 || (gap === 1 && text[end] === ' ') ? '' : text.slice(end, token.start);
    if (
      (between !== '' && parting.test(between)) ||
      (token.kind === 'small' && linking.has(token.key))
    )
      clause += 1;
    end = Math.max(end, token.end);
    token.clause = clause;
    token.apart = between !== '' && /[,(]\s*$/.test(between);
  }
  return tokens as Token[];
}

const parting = /[,;:.!?()[\]–—]/;
const linking = new Set(['with', 'and', 'but', 'while', 'which', 'who', 'or']);
