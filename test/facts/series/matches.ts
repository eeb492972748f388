// A question and the statements of passages as the ranking by series matches them, with one rarity
// for all words and without an encoder, for tests of features and members.
import {
  compareMatches,
  featurePlaces,
  statementMatcher,
  type FeatureName,
  type StatementMatch,
} from '../../../lib/facts/series/features.js';
import { candidateNames } from '../../../lib/facts/series/names.js';
import { seriesQuestion, type SeriesQuestion } from '../../../lib/facts/series/question.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { AskedTerms, Vocabulary } from '../../../lib/facts/series/vocabulary.js';
import { lexicon, statementsOf, type TestPassage } from './passages.js';

const analyzer = englishAnalyzer();
const rarity = (): number => 12;

export interface Matched {
  question: SeriesQuestion;
  /** Of all statements, by passage. */
  matches: StatementMatch[];
}

export const matched = (text: string, ...given: TestPassage[]): Matched =>
  matchedBy({ idf: 5 }, text, ...given);

/** The same with another rarity of all words in the corpus. */
export function matchedBy(corpus: { idf: number }, text: string, ...given: TestPassage[]): Matched {
  const idf = (): number => corpus.idf;
  const question = seriesQuestion({ text, askedAt: Date.UTC(2020, 0, 1) }, analyzer, {
    idf,
    rarity,
    hasCompound: () => false,
    opensTitle: () => false,
  });
  const passages = given.map(statementsOf);
  const asked = new AskedTerms(question, new Vocabulary(lexicon, passages));
  const names = candidateNames(passages, rarity, asked);
  const match = statementMatcher({ asked, idf, rarity });
  const matches = passages.flatMap((passage, candidate) => {
    const cosines = passage.statements.map(() => 0);
    return match({ passage, candidate, names: names[candidate]!, score: 1, cosines });
  });
  compareMatches(matches);
  return { question, matches };
}

/** A feature of each statement. */
export const featureOf = ({ matches }: Matched, name: FeatureName): number[] =>
  matches.map(({ features }) => features[featurePlaces[name]]!);
