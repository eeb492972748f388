// Hand-written questions of many domains and registers, each with its operator on time and the
// days that bound its answer, to test readers of questions.
import { beforeOffsetCases, firstAfterCases, lastBeforeCases } from './neighbours.js';
import { noneCases, whenCases } from './other.js';
import { betweenCases, inCases, sinceCases } from './periods.js';
import { asOfCases, currentCases, firstCases, latestCases } from './state.js';
import type { OperatorCase } from './shared.js';

export type { OperatorCase } from './shared.js';

export const operatorCases: OperatorCase[] = [
  ...asOfCases,
  ...currentCases,
  ...latestCases,
  ...firstCases,
  ...lastBeforeCases,
  ...firstAfterCases,
  ...inCases,
  ...betweenCases,
  ...beforeOffsetCases,
  ...sinceCases,
  ...whenCases,
  ...noneCases,
];
