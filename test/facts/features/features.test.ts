// Features of matching against an oracle that reads them off the words of random passages: shares
// and sums over the question's terms, names as sets of terms, scores against the best.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../../lib/binding.js';
import {
  firstTimed,
  featureNames,
  type FeatureName,
} from '../../../lib/facts/features/features.js';
import { readStatements } from '../../../lib/statements/statements.js';
import { matchesOf, type QuestionTerm, type TestQuestion } from '../matches.js';
import { analyzer, lexicon, passageRow, statementsOf } from '../passages.js';

/** A content word with what stands before it. */
interface Token {
  written: string;
  term: string;
  low: string;
  value: boolean;
  capital: boolean;
  gap: string;
}
type Sentence = readonly Token[];
interface WrittenPassage {
  title: Sentence;
  sentences: readonly Sentence[];
}

const figures = ['7', '12', '1.2', '1.2.3', '12-1', '7.5.1'];
const vocabulary = [
  ...['mill', 'mills', 'wheel', 'bridge', 'bridges', 'Tannau', 'Grell', 'Rowe', 'Anna'],
  ...figures,
].map((written) => {
  const value = figures.includes(written);
  const low = written.toLowerCase();
  const term = value ? low : analyzer.analyze(low)[0]!;
  return { written, low, value, capital: /^[A-Z]/.test(written), term };
});
const absent = { written: 'dragon', low: 'dragon', term: 'dragon', value: false, capital: false };

// Texts: every sentence and title opens with a stop word, so that each capital is one of a name.
const textOf = (sentence: Sentence): string =>
  `The${sentence.map(({ gap, written }) => gap + written).join('')}`;
const wordsIn = (sentence: Sentence): number =>
  1 + sentence.reduce((sum, { gap }) => sum + (gap === ' of ' ? 2 : 1), 0);

function handleOf({ title, sentences }: WrittenPassage) {
  const spans: { start: number; end: number }[] = [];
  let text = '';
  for (const sentence of sentences) {
    const start = text.length;
    text += `${textOf(sentence)}. `;
    spans.push({ start, end: text.length - 1 });
  }
  const record = { id: 'p', text, ...(title.length > 0 ? { title: textOf(title) } : {}) };
  const others = { rows: spans.map((_, at) => at), row: passageRow };
  return readStatements([{ record, sentences: spans, ...others }], lexicon)[0]!.handle;
}

interface Statement {
  tokens: Sentence;
  kind: 'sentence' | 'whole' | 'title';
}
function statementsIn({ title, sentences }: WrittenPassage): Statement[] {
  const count = sentences.reduce((sum, each) => sum + wordsIn(each), 0);
  return [
    ...sentences.map((tokens): Statement => ({ tokens, kind: 'sentence' })),
    ...(sentences.length > 1 && count <= 60
      ? [{ tokens: sentences.flat(), kind: 'whole' } as const]
      : []),
    ...(title.some(({ value }) => value) ? [{ tokens: title, kind: 'title' } as const] : []),
  ];
}

type Name = ReadonlySet<string>;
/** Runs of words of names that only blanks and "of" part. */
function namesIn(sentence: Sentence, sought: Name): Name[] {
  const names: Set<string>[] = [];
  let run: Set<string> | undefined;
  for (const { term, value, capital, gap } of sentence) {
    if (value || (!capital && !sought.has(term))) run = undefined;
    else if (run && gap !== ', ') run.add(term);
    else names.push((run = new Set([term])));
  }
  return names;
}
/** A short title begins with a name, which a capital and a small word are not. */
function namesOfTitle(title: Sentence, sought: Name): Name[] {
  const names = namesIn(title, sought);
  const [first, second] = title;
  if (!first || first.value || title.length > 4) return names;
  const isName = !first.capital || !second || second.value || second.capital;
  return isName && !names.some((name) => name.has(first.term))
    ? [new Set([first.term]), ...names]
    : names;
}
const namesOf = (
  { title, sentences }: WrittenPassage,
  { tokens, kind }: Statement,
  sought: Name,
): Name[] =>
  kind === 'title'
    ? namesOfTitle(title, sought)
    : (kind === 'whole' ? sentences : [tokens]).flatMap((each) => namesIn(each, sought));

/** How far words have a term: a value counts less where only a version within it is stated. */
function share(tokens: Sentence, { term, value = false }: QuestionTerm): number {
  if (tokens.some((token) => token.term === term)) return 1;
  const isWithin = (text: string): boolean =>
    text.startsWith(term) && ['.', '-', '_'].includes(text[term.length]!);
  return value && tokens.some((token) => isWithin(token.term)) ? 0.8 : 0;
}

interface Case {
  passages: readonly WrittenPassage[];
  question: TestQuestion;
  idf: (term: string) => number;
  scores: readonly number[];
  /** By candidate and statement, in their order. */
  cosines: readonly number[];
  measured: readonly boolean[];
}

const sum = <T>(list: readonly T[], of: (each: T) => number): number =>
  list.reduce((total, each) => total + of(each), 0);
const kinds = ['other', 'none', 'version', 'number', 'score', 'date'] as const;
const wholeKinds = [...kinds, 'person', 'name', 'organisation', 'place'] as const;

/** What is known of one statement before it is compared with others. */
function oracle(given: Case): Partial<Record<FeatureName, number>>[] {
  const { passages, question, idf, scores, cosines, measured } = given;
  const { terms, names = [], anchor = [], order, wanted = 1 } = question;
  const asked = new Set(terms.map(({ term }) => term));
  const isNew = (term: string): boolean => !asked.has(term) && !anchor.includes(term);
  const everything = passages.flatMap(({ title, sentences }) => [...title, ...sentences.flat()]);
  const isKnown = (term: QuestionTerm): boolean => share(everything, term) > 0;
  const known = terms.filter(isKnown);
  const sought = new Set(names.flat().map((t) => terms[t]!.term));
  const whole = names.map((name) => new Set(name.map((t) => terms[t]!.term)));
  const mass = (name: Name): number => sum([...name], idf);
  const telling = names.length === 0 ? 0 : 1 - Math.exp(-Math.max(...whole.map(mass)));
  const wantedKind = wholeKinds[wanted]!;

  /** Rarity-weighted Jaccard with the nearest of some names; words asked elsewhere do not count. */
  const likeness = (name: Name, among: readonly Name[]): number =>
    Math.max(
      0,
      ...among.map((other) => {
        const both = [...other].filter((term) => name.has(term));
        const others = [...other].filter((term) => !name.has(term) && !asked.has(term));
        return sum(both, idf) / (mass(name) + sum(others, idf));
      }),
    );
  const isOfQuestion = (name: Name): boolean => [...name].some((term) => sought.has(term));
  const hasTitleOfName = passages.some(({ title }) =>
    namesOfTitle(title, sought).some(isOfQuestion),
  );

  const rows = passages.flatMap((passage, candidate) =>
    statementsIn(passage).map((statement, nth, all) => {
      const { title, sentences } = passage;
      const { tokens, kind } = statement;
      const isTitle = kind === 'title';
      const ofTitle = namesOfTitle(title, sought);
      const own = namesOf(passage, statement, sought);
      const stated = (term: QuestionTerm): number =>
        Math.max(share(tokens, term), share(title, term));
      // A sentence goes on with the one before, and with the first, names above all.
      const held = (term: QuestionTerm): number =>
        Math.max(
          stated(term),
          isTitle ? 0 : (term.name ? 0.8 : 0.7) * share(sentences[0]!, term),
          kind === 'sentence' && nth > 0 ? 0.9 * share(sentences[nth - 1]!, term) : 0,
        );
      const missing = (of: (term: QuestionTerm) => boolean, weigh: (t: QuestionTerm) => number) =>
        sum(known.filter(of), (term) => (1 - held(term)) * weigh(term));
      const values = terms.filter(({ value }) => value);
      const words = known.filter((term) => !term.value && held(term) > 0);
      const lows = new Set([...title, ...sentences.flat()].map(({ low }) => low));
      const first = namesOf(passage, all[0]!, sought);
      const overlap =
        names.length === 0
          ? 0
          : sum(whole, (name) => {
              const inherited = nth > 0 && !isTitle ? 0.9 * likeness(name, first) : 0;
              return mass(name) * Math.max(likeness(name, [...ofTitle, ...own]), inherited);
            }) / sum(whole, mass);
      const titleTerms = [...new Set(title.filter(({ value }) => !value).map(({ term }) => term))];
      const askedOfTitle = titleTerms.filter((term) => asked.has(term));
      const inNames = terms.filter((_, t) => names.some((name) => name.includes(t)));
      const everywhere = [...title, ...sentences.flat()];
      const hasFigure = (of: Sentence, pattern = /^/): boolean =>
        of.some(({ value, term }) => value && isNew(term) && pattern.test(term));
      const typeMissing = (): number => {
        switch (wantedKind) {
          case 'version':
            if (hasFigure([...tokens, ...title], /\d\.\d/)) return 0;
            return hasFigure(tokens) ? 0.5 : 1;
          case 'number':
          case 'score':
            return hasFigure(tokens) ? 0 : 1;
          case 'date':
            return 1;
          case 'other':
          case 'none':
            return 0;
          default:
            if (own.some((name) => [...name].some(isNew))) return 0;
            return wantedKind === 'name' && hasFigure(tokens) ? 0 : 1;
        }
      };
      const isAbsent = names.some((name) => name.every((t) => held(terms[t]!) === 0));
      const isOther = own.some((name) => ![...name].some((term) => asked.has(term)));
      const scan = isTitle ? 0 : scores[candidate]!;
      const weightOf = ({ weight }: QuestionTerm): number => weight;
      const unknown = terms.filter((term) => !isKnown(term));
      return {
        scan,
        overlap,
        hasTitleOfOther: ofTitle.length > 0 && !ofTitle.some(isOfQuestion),
        features: {
          bias: 1,
          nameInPassage:
            sum(inNames, (term) => term.weight * share(everywhere, term)) /
              sum(inNames, weightOf) || 0,
          nameOverlap: telling * overlap,
          substituted: Number(isAbsent && isOther),
          titleAsked: askedOfTitle.length === 0 ? 0 : sum(askedOfTitle, idf) / sum(titleTerms, idf),
          valueShare:
            values.length === 0
              ? 0
              : sum(values, (term) => term.weight * stated(term)) / sum(values, weightOf),
          asksValue: Number(values.length > 0),
          valueMissing: missing(
            ({ value }) => value === true,
            () => 1,
          ),
          nameMissing: missing(
            ({ name, value }) => name === true && !value,
            ({ weight }) => weight / 8,
          ),
          rarityMissing: missing(
            ({ name, value, kind: isKind }) => !name && !value && !isKind,
            ({ rarity }) => Math.min(1, rarity / 18),
          ),
          kindMissing: missing(
            ({ name, value, kind: isKind }) => !name && !value && isKind === true,
            ({ rarity }) => Math.min(1, rarity / 18),
          ),
          unknown: sum(unknown, ({ weight }) => weight / 8),
          unknownName: unknown.filter(({ name, value }) => name || value).length,
          exactForm:
            words.length === 0
              ? 0
              : sum(
                  words.filter(({ low }) => lows.has(low)),
                  weightOf,
                ) / sum(words, weightOf),
          ofTitleAlone: Number(isTitle),
          length: Math.log1p(tokens.length) / 3,
          passageLength: Math.log1p(sum(sentences, wordsIn)) / 5,
          typeMissing: typeMissing(),
          valueConflict: 0,
          pairConflict: 0,
        } satisfies Partial<Record<FeatureName, number>>,
      };
    }),
  );
  const bestScan = Math.max(
    1e-9,
    ...rows.filter((_, match) => measured.length === 0 || measured[match]).map(({ scan }) => scan),
  );
  const bestOverlap = Math.max(0, ...rows.map(({ overlap }) => overlap));
  return rows.map(({ features, scan, overlap, hasTitleOfOther }, match) => ({
    ...features,
    cosine: cosines[match]!,
    cosineBelowBest: cosines[match]! - Math.max(...cosines.slice(0, rows.length)),
    [order === 2 ? 'scanUnordered' : 'scanOrdered']: Math.min(1, scan / bestScan),
    [order === 2 ? 'scanOrdered' : 'scanUnordered']: 0,
    // Of another name, where one has nearly the very name.
    sibling: bestOverlap > 0.95 && overlap < 0.8 ? telling : 0,
    titleSibling: Number(names.length > 0 && hasTitleOfName && hasTitleOfOther),
  }));
}

const token: fc.Arbitrary<Token> = fc
  .tuple(fc.constantFrom(...vocabulary), fc.constantFrom(' ', ' ', ' ', ', ', ' of '))
  .map(([word, gap]) => ({ ...word, gap }));
const sentence = fc
  .array(token, { maxLength: 7 })
  // The stop word in front is of no name, whatever parts it from one.
  .map((tokens) => tokens.map((each, at) => (at === 0 ? { ...each, gap: ' ' } : each)));
const passage: fc.Arbitrary<WrittenPassage> = fc.record({
  title: fc.oneof(fc.constant([]), sentence),
  sentences: fc.array(sentence, { minLength: 1, maxLength: 5 }),
});
const positive = fc.integer({ min: 1, max: 64 }).map((eighths) => eighths / 8);
const question: fc.Arbitrary<TestQuestion> = fc
  .record({
    words: fc.uniqueArray(fc.constantFrom(...vocabulary, absent), {
      selector: ({ term }) => term,
      maxLength: 6,
    }),
    flags: fc.array(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.nat(9)), {
      minLength: 6,
      maxLength: 6,
    }),
    weights: fc.array(positive, { minLength: 6, maxLength: 6 }),
    rarities: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 6, maxLength: 6 }),
    anchor: fc.subarray(['tannau', '7', 'mill']),
    wanted: fc.nat(9),
    order: fc.nat(2),
  })
  .map(({ words, flags, weights, rarities, ...rest }) => {
    const terms = words.map(({ term, low, value, capital }, t): QuestionTerm => {
      const [isName, isKind, , chance] = flags[t]!;
      // Small words are names now and then.
      const name = !value && (capital ? isName : isName && chance < 2);
      const kind = !value && !name && isKind;
      return { term, low, value, name, kind, weight: weights[t]!, rarity: rarities[t]! };
    });
    const names: number[][] = [];
    terms.forEach(({ name }, t) => {
      if (!name) return;
      if (names.length > 0 && flags[t]![2]) names.at(-1)!.push(t);
      else names.push([t]);
    });
    return { ...rest, terms, names };
  });
const cases: fc.Arbitrary<Case> = fc
  .record({
    passages: fc.array(passage, { minLength: 1, maxLength: 4 }),
    question,
    idfs: fc.array(positive, {
      minLength: vocabulary.length,
      maxLength: vocabulary.length,
    }),
    scores: fc.array(fc.nat(8), { minLength: 4, maxLength: 4 }),
    cosines: fc.array(fc.integer({ min: -8, max: 8 }), { minLength: 28, maxLength: 28 }),
    measured: fc.option(fc.array(fc.boolean(), { minLength: 28, maxLength: 28 }), { nil: [] }),
  })
  .map(({ idfs, cosines, scores, ...rest }) => {
    const idf = new Map(vocabulary.map(({ term }, at) => [term, idfs[at]!]));
    return {
      ...rest,
      idf: (term: string) => idf.get(term) ?? 9,
      scores: scores.map((each) => each / 8),
      cosines: cosines.map((each) => each / 8),
    };
  });

describe('features of matching', () => {
  it('are what the words of question and passages say', () => {
    const untold = new Set<FeatureName>(['nameExtra', 'beforeOfFigure']);
    const told = featureNames.slice(0, firstTimed).filter((name) => !untold.has(name));
    fc.assert(
      fc.property(cases, (given) => {
        const expected = oracle(given);
        const measured = given.measured.slice(0, expected.length);
        const found = matchesOf(lexicon, given.passages.map(handleOf), given.question, {
          idf: given.idf,
          scores: given.scores,
          cosine: (nth) => given.cosines[nth]!,
          measured: Uint8Array.from(measured, Number),
        });
        assert.equal(found.candidate.length, expected.length);
        expected.forEach((row, match) => {
          const features = found.features(match);
          for (const name of told) {
            const difference = Math.abs(features[name] - row[name]!);
            assert.ok(difference < 1e-9, `${name} ${match}: ${features[name]} for ${row[name]}`);
          }
        });
      }),
      { numRuns: 1000 },
    );
  });

  const nodes = [
    { term: 'node', low: 'node', weight: 4, rarity: 12 },
    { term: '12', low: '12', weight: 8, rarity: 8, value: true },
  ];
  const conflictsIn = (text: string, terms: readonly QuestionTerm[]): number[] => {
    const pairs = [[0, 1]] as const;
    const found = matchesOf(lexicon, [statementsOf({ text }).handle], { terms, pairs });
    const { valueConflict, pairConflict, valueShare, valueMissing } = found.features(0);
    return [valueConflict, pairConflict, valueShare, valueMissing];
  };

  it('tell values of other words, which are missing then', () => {
    assert.deepEqual(conflictsIn('It runs on node 12 and electron 11.', nodes), [0, 0, 1, 0]);
    assert.deepEqual(conflictsIn('It runs on node 11 and electron 12.', nodes), [1, 0, 0, 1]);
    assert.deepEqual(conflictsIn('It runs on electron 12.', nodes), [0, 0, 1, 0]);
  });

  it('tell another word before one that the question gives with its own', () => {
    const prices = [
      { term: 'consum', low: 'consumer', weight: 4, rarity: 12 },
      { term: 'price', low: 'prices', weight: 4, rarity: 8 },
    ];
    const all = (text: string): number => conflictsIn(`${text} Nobody is a consumer.`, prices)[1]!;
    assert.equal(all('Then producer prices rose.'), 1);
    assert.equal(all('Then consumer prices rose.'), 0);
    assert.equal(all('Producers of goods at the prices.'), 0);
  });

  it('are of one question, whatever others are asked of the same passages', () => {
    fc.assert(
      fc.property(cases, cases, (one, other) => {
        const handles = one.passages.map(handleOf);
        const rowsOf = ({ question: asked, idf }: Case): Float64Array[] => {
          const found = matchesOf(lexicon, handles, asked, { idf });
          return Array.from(found.candidate, (_, match) => binding.featuresOf(found.handle, match));
        };
        const alone = rowsOf(one);
        rowsOf(other);
        assert.deepEqual(rowsOf(one), alone);
      }),
      { numRuns: 50 },
    );
  });
});
