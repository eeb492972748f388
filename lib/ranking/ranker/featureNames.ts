// Names of the ranker's features, in the order of weight files.
import { competitionFeatureNames } from './competingCandidates.js';
import { dateFeatureNames } from './times.js';

export const relevanceNames = [
  'retrieval',
  'bm25',
  'bm25OfPassage',
  'similarity',
  'similarityOfPassage',
  'covers',
  'coversWithTitle',
  'coversBeyondTitle',
  'passageCovers',
  'titleCovers',
  'titleNamed',
  'names',
  'passageNames',
  'pairs',
  'similarityBelowBest',
  'coversBelowBest',
  'bm25BelowBest',
  'titleShare',
  'newNames',
  'answers',
  'coversEqually',
  'besideTime',
  'equallyBelowBest',
  'means',
  'meansBelowBest',
  'relevanceOfBest',
  'relevanceOfPassage',
] as const;
export const shapeNames = [
  'sentenceLength',
  'passageLength',
  'position',
  'listItem',
  'opensWithTitle',
  'dates',
  'datesOfPassage',
] as const;
export const timeNames = [
  'temporal',
  'temporalOfPassage',
  'temporalBelowBest',
  'fit',
  'fitOfPassage',
  ...dateFeatureNames,
  'interimOfTitle',
  'opens',
  'parenthesis',
  'dateOfTitle',
  'age',
  'valid',
] as const;
const questionNames = ['asksOfTime', 'asksPast', 'asksFuture', 'asksYears', 'asksOrder'] as const;

/** Features of relevance, of the sentence, of time, of competing candidates, of the question. */
export const featureNames = [
  ...relevanceNames,
  ...shapeNames,
  ...timeNames,
  ...competitionFeatureNames,
  ...questionNames,
] as const;
export type FeatureName = (typeof featureNames)[number];
