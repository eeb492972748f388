// Features of a statement as a member of the series that a question asks for. Missing terms count
// as sums, not as shares, so that each adds its own evidence: the log-odds are linear in them.
import type { Name, PassageNames } from '../question/names.js';
import type { SeriesQuestion } from '../question/question.js';
import type { PassageStatements, Statement } from '../statements/statements.js';
import type { WordRange } from '../statements/textWords.js';
import { VaryingTerms } from './varying.js';
import { asked, ofName, type AskedTerms } from '../question/vocabulary.js';
import {
  entityMatcher,
  hasOtherModifier,
  isFigure,
  shareAsked,
  typeMissing,
  valueAfter,
} from './agreement.js';

/**
 * Names in the order of weight files, by the sign that a weight may have: 1 only raises the
 * log-odds, -1 only lowers them, 0 either.
 */
const signs = {
  bias: 0,
  // The question's names: overlap with the statement's whole names, share in the passage, ...
  nameOverlap: 1,
  nameInPassage: 1,
  sibling: -1,
  substituted: -1,
  nameExtra: -1,
  titleAsked: 1,
  titleSibling: -1,
  // Values and words of the question.
  valueShare: 1,
  valueMissing: -1,
  asksValue: 0,
  valueConflict: -1,
  rarityMissing: -1,
  nameMissing: -1,
  kindMissing: -1,
  pairConflict: -1,
  exactForm: 1,
  unknown: -1,
  unknownName: -1,
  // Similarity of the whole.
  cosine: 1,
  cosineBelowBest: 1,
  scanUnordered: 1,
  scanOrdered: 1,
  // Shape.
  ofTitleAlone: 0,
  length: 0,
  passageLength: 0,
  typeMissing: -1,
  // Time.
  compared: -1,
  roleOfOther: -1,
  previous: -1,
  later: -1,
  ofTitle: 0,
  undated: -1,
  before: -1,
  beforeOfFigure: -1,
  outside: -1,
  overhang: -1,
  gap: -1,
  coarse: -1,
  span: -1,
  equal: 1,
  laterReport: -1,
  publishedAfter: -1,
  publishedGap: -1,
} as const;
export type FeatureName = keyof typeof signs;
export const featureNames = Object.keys(signs) as FeatureName[];
export const featureSigns: readonly number[] = Object.values(signs);
export const width = featureNames.length;
/** The features before this place are of the statement, those from it on of its time. */
export const firstTimed = featureNames.indexOf('compared');
export const featurePlaces = Object.fromEntries(
  featureNames.map((name, place) => [name, place]),
) as Record<FeatureName, number>;

/** A statement of a candidate and how it matches the question, its times aside. */
export interface StatementMatch {
  passage: PassageStatements;
  /** Index of the passage among the candidates. */
  candidate: number;
  statement: Statement;
  features: Float64Array;
  /** Bits of the question's first terms that it, its title or what it continues has. */
  matched: number;
  /** Offsets of the question's role (`SeriesQuestion.role`). */
  roles: readonly number[];
  /** Numbers and names that question and title lack: what may vary within a series. */
  values: ReadonlySet<string>;
  /** Numbers and names that the question lacks: of the statement, else of the title. */
  slots: ReadonlySet<string>;
}

export interface MatchContext {
  asked: AskedTerms;
  idf(term: string): number;
  rarity(low: string): number;
}

/** Terms of a question that a statement's bits cover. */
export const mostMatched = 30;

/** Weights in idf are divided by this, its cap. */
const idfScale = 8;
const rarityScale = 18;

/** What a sentence inherits: words of the one before, and of the first, names above all. */
const [inheritedName, inheritedBefore, inheritedFirst] = [0.8, 0.9, 0.7];

export interface CandidateStatements {
  passage: PassageStatements;
  /** Index of the passage among the candidates. */
  candidate: number;
  names: PassageNames;
  /** Of the first stage. */
  score: number;
  /** Of the statements. */
  cosines: ArrayLike<number>;
}

/** A function that matches all statements of a candidate with a question. */
export function statementMatcher(
  context: MatchContext,
): (candidate: CandidateStatements) => StatementMatch[] {
  const entity = entityMatcher(context.asked, context.idf);
  return (candidate) => matchStatements(context, entity, candidate);
}

function matchStatements(
  context: MatchContext,
  entity: ReturnType<typeof entityMatcher>,
  { passage, candidate, names, score, cosines }: CandidateStatements,
): StatementMatch[] {
  const { asked: ofQuestion, idf } = context;
  const { question, marks } = ofQuestion;
  const { terms, operator, wanted } = question;
  const title = ofQuestion.presence(passage.title);
  const rows = passage.statements.map(({ words }) => ofQuestion.presence(words));
  const inPassage = title.map((held, t) =>
    rows.reduce((most, row) => Math.max(most, row[t]!), held),
  );
  const forms = new Uint8Array(terms.length);
  ofQuestion.putForms(passage.title, forms);
  ofQuestion.putForms(passage.text, forms);
  const titleAsked = shareAsked(passage.title, ofQuestion, idf);
  const nameInPassage = entity.share(inPassage);
  // Of the question's name -1, of another 1; compared with other passages below.
  const isOfName = (name: Name): boolean => name.some((term) => (marks[term]! & ofName) !== 0);
  const titleSibling =
    question.names.length === 0 || names.title.length === 0
      ? 0
      : names.title.some(isOfName)
        ? -1
        : 1;
  // Together, since to make a typed array costs more than to fill it.
  const columns = new Float64Array(passage.statements.length * width);
  return passage.statements.map((statement, nth): StatementMatch => {
    const features = columns.subarray(nth * width, (nth + 1) * width);
    const put = (name: FeatureName, value: number): void =>
      void (features[featurePlaces[name]] = value);
    const { words, whole, isTitle } = statement;
    const own = rows[nth]!;
    const first = isTitle ? undefined : rows[0];
    const before = nth > 0 && !whole && !isTitle ? rows[nth - 1] : undefined;
    const held = (t: number): number =>
      Math.max(
        own[t]!,
        title[t]!,
        terms[t]!.name ? inheritedName * (first?.[t] ?? 0) : 0,
        inheritedBefore * (before?.[t] ?? 0),
        inheritedFirst * (first?.[t] ?? 0),
      );
    if (question.names.length > 0)
      putNameEvidence(put, { asked: ofQuestion, entity, names, nth, isTitle, held });
    put('nameInPassage', nameInPassage);
    put('titleSibling', titleSibling);
    put('titleAsked', titleAsked);
    const foreign = putPairEvidence(
      features,
      ofQuestion,
      [words, passage.title],
      (t) => own[t]! > 0 || title[t]! > 0,
    );
    const isOwn = (t: number): number => (foreign.has(t) ? 0 : held(t));
    const matched = putTermEvidence(features, context, isOwn, forms);
    const isStated = (t: number): number => (foreign.has(t) ? 0 : Math.max(own[t]!, title[t]!));
    put('valueShare', valueShare(question, isStated));
    put('asksValue', terms.some(({ value }) => value) ? 1 : 0);
    put('bias', 1);
    // Cleared with the time where the statement is not before the window.
    put('beforeOfFigure', isFigure(wanted) ? 1 : 0);
    put('cosine', cosines[nth]!);
    // What the first stage found in a text says nothing of its title.
    if (isTitle) put('ofTitleAlone', 1);
    else put(operator.order === 'any' ? 'scanUnordered' : 'scanOrdered', score);
    put('length', Math.log1p(words.length) / 3);
    put('passageLength', Math.log1p(passage.text.of.length) / 5);
    put('typeMissing', typeMissing(ofQuestion, statement, passage, names.statements[nth]!));
    const varying = new VaryingTerms(ofQuestion, passage, statement, names, nth);
    return {
      passage,
      candidate,
      statement,
      features,
      matched,
      roles: rolesIn(words, ofQuestion),
      get values() {
        return varying.values;
      },
      get slots() {
        return varying.slots;
      },
    };
  });
}

/** UTF-16 offsets of the question's role in a statement. */
function rolesIn({ of: { words, starts, lexicon }, from, to }: WordRange, { role }: AskedTerms) {
  const roles: number[] = [];
  if (role < 0) return roles;
  for (let at = from; at < to; at += 1)
    if (lexicon.terms[words[at]!] === role) roles.push(starts[at]!);
  return roles;
}

interface NameContext {
  asked: AskedTerms;
  entity: ReturnType<typeof entityMatcher>;
  names: PassageNames;
  /** Number of the statement. */
  nth: number;
  isTitle: boolean;
  held(t: number): number;
}

function putNameEvidence(
  put: (name: FeatureName, value: number) => void,
  { asked: { question, marks }, entity, names, nth, isTitle, held }: NameContext,
): void {
  const own = names.statements[nth]!;
  const isFirst = nth === 0 || isTitle;
  const { overlap, extra } = entity.match(
    [...names.title, ...own],
    isFirst ? [] : names.statements[0]!,
  );
  put('nameOverlap', entity.telling * overlap);
  // Cleared where no other statement has the very name.
  put('sibling', entity.telling);
  put('nameExtra', extra);
  const isAbsent = question.names.some((name) => name.every((t) => held(t) === 0));
  const isOther = (name: Name): boolean => !name.some((term) => (marks[term]! & asked) !== 0);
  put('substituted', isAbsent && own.some(isOther) ? 1 : 0);
}

/** The weighted share of the question's values that are held; 0 of a question without any. */
function valueShare({ terms }: SeriesQuestion, held: (t: number) => number): number {
  let [sum, total] = [0, 0];
  terms.forEach(({ value, weight }, t) => {
    if (!value) return;
    sum += weight * held(t);
    total += weight;
  });
  return total > 0 ? sum / total : 0;
}

/** Writes what is missing of the question's terms; returns the bits of those that are held. */
function putTermEvidence(
  features: Float64Array,
  { asked: { question, inPool }, rarity }: MatchContext,
  held: (t: number) => number,
  forms: Uint8Array,
): number {
  let [matched, weightMatched, weightExact] = [0, 0, 0];
  question.terms.forEach(({ low, name, value, weight, kind }, t) => {
    if (!inPool[t]) {
      features[featurePlaces.unknown]! += weight / idfScale;
      if (name || value) features[featurePlaces.unknownName]! += 1;
      return;
    }
    const has = held(t);
    if (has > 0 && t < mostMatched) matched |= 1 << t;
    if (value) features[featurePlaces.valueMissing]! += 1 - has;
    else if (name) features[featurePlaces.nameMissing]! += ((1 - has) * weight) / idfScale;
    else
      features[kind ? featurePlaces.kindMissing : featurePlaces.rarityMissing]! +=
        (1 - has) * Math.min(1, rarity(low) / rarityScale);
    if (has > 0 && !value) {
      weightMatched += weight;
      if (forms[t] === 1) weightExact += weight;
    }
  });
  features[featurePlaces.exactForm] = weightMatched > 0 ? weightExact / weightMatched : 0;
  return matched;
}

/**
 * Writes conflicts with adjacent terms of the question: another value, another modifier. Returns
 * the values that stand elsewhere than after their words: of "Electron 12", "Node 12".
 */
function putPairEvidence(
  features: Float64Array,
  asked: AskedTerms,
  texts: readonly WordRange[],
  isHeld: (t: number) => boolean,
): Set<number> {
  const foreign = new Set<number>();
  const { question, inPool, vocabulary } = asked;
  const numberOf = (t: number): number => vocabulary.lexicon.numberOf(question.terms[t]!.term);
  for (const [a, b] of question.pairs) {
    const second = question.terms[b]!;
    if (!inPool[a] || (!inPool[b] && !second.value)) continue;
    if (second.value) {
      const follows = texts.map((text) => valueAfter(numberOf(a), b, text, asked));
      if (follows.find((each) => each !== 0) === -1) {
        features[featurePlaces.valueConflict] = 1;
        foreign.add(b);
      }
    } else if (!isHeld(a) && isHeld(b) && texts.some((text) => hasOtherModifier(numberOf(b), text)))
      features[featurePlaces.pairConflict] = 1;
  }
  return foreign;
}

/**
 * Shares of the best candidate, at most 1, and siblings: other names where one has the very name.
 * `measured`: the statements among which the scan's best is sought.
 */
export function compareMatches(
  matches: readonly StatementMatch[],
  measured: readonly StatementMatch[] = matches,
): void {
  const greatest = (name: FeatureName, least: number, among = matches): number =>
    among.reduce((most, { features }) => Math.max(most, features[featurePlaces[name]]!), least);
  const best = {
    cosine: greatest('cosine', -1),
    scan: Math.max(
      greatest('scanUnordered', 1e-9, measured),
      greatest('scanOrdered', 1e-9, measured),
    ),
    name: greatest('nameOverlap', 0),
  };
  const hasTitle = matches.some(({ features }) => features[featurePlaces.titleSibling] === -1);
  for (const { features } of matches) {
    if (!hasTitle || features[featurePlaces.titleSibling] === -1)
      features[featurePlaces.titleSibling] = 0;
    features[featurePlaces.cosineBelowBest] = features[featurePlaces.cosine]! - best.cosine;
    for (const name of ['scanUnordered', 'scanOrdered'] as const)
      features[featurePlaces[name]] = Math.min(1, features[featurePlaces[name]]! / best.scan);
    const telling = features[featurePlaces.sibling]!;
    const isOther = features[featurePlaces.nameOverlap]! < 0.8 * telling;
    if (best.name <= 0.95 * telling || !isOther) features[featurePlaces.sibling] = 0;
  }
}

/** What a statement lacks of the question: the smaller, the more it is about it. */
export const missingOf = ({ features }: StatementMatch): number =>
  features[featurePlaces.rarityMissing]! +
  features[featurePlaces.nameMissing]! +
  features[featurePlaces.valueMissing]! -
  features[featurePlaces.nameOverlap]!;
