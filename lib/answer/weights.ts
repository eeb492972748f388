// What the features of a candidate span count for in the extractive reader. Fitted by a listwise logistic model on questions of
// TimeQA and HoH with pages held out, rounded, the small ones left out (bench/quality/answer/fitReader.ts prints them and what they reach).
// Those of contests, units, clauses, what happened, who did it, the subjects of records and words that the question has not said are set by
// hand, where the questions were too few or too alike to teach them. A sum of these is a score among the candidates of one question only.
import type { AnswerKind } from '../text/wanted.js';

/** Of every kind: where the span stands, how its time fits the question's, and whether a contest or a unit decides. */
export const sharedWeights: Readonly<Record<string, number>> = {
  rank: 1.3, winner: 0.2, inSentence: -0.9, withTitle: 2, near: 1, fresh: 1.5, ofTitle: -1.4, length: 0.3, inside: 0.8, holds: 0.8,
  nearInTime: 1.1, outside: -1, apart: -0.7, contestRight: 1.5, contestWrong: -1.5, unitFits: 1, unitLacks: -1, unitOther: -1,
  unitCounted: 1.4, clause: 0.5, happened: 2, agent: 1.5,
};

/** By the kind that is asked for: what the span's form and the words around it count for. */
export const cueWeights: Readonly<Record<AnswerKind, Readonly<Record<string, number>>>> = {
  date: {},
  number: {
    as: 0.4, bracketBefore: 0.3, with: -0.3,
  },
  score: {},
  version: {},
  person: {
    unasked: 3.3, namelike: 1.5, title: -1.5, event: -1.2, of: -0.8, org: -0.8, first: 0.7, bracketAfter: 0.6, bracketBefore: -0.6,
    placeword: -0.6, afterCountry: -0.5, oneword: -0.5, by: 0.4, comma: 0.4, acronym: -0.3, in: -0.3, inner: 0.3, country: -0.2,
    longer: -0.2,
  },
  organisation: {
    phrase: -1.7, title: -1.4, namelike: 1.2, org: 0.9, oneword: 0.7, event: -0.6, afterCountry: -0.5, bracketAfter: 0.5, country: -0.4,
    first: -0.4, from: 0.4, nationality: -0.4, to: 0.4, acronym: -0.3, roleword: -0.3, verb: -0.3, with: 0.3, inner: 0.2, longer: -0.2,
    unasked: -0.2,
  },
  place: {
    phrase: -1.8, to: 1.3, title: -1.1, in: 1, namelike: 0.7, of: 0.7, oneword: 0.7, placeword: 0.7, event: -0.6, acronym: -0.4,
    afterCountry: 0.3, country: -0.3, first: -0.3, from: 0.3, bracketBefore: -0.2, roleword: -0.2,
  },
  role: {
    roleword: 0.9, as: 0.4, namelike: 0.4, to: 0.4, comma: -0.3, phrase: -0.3, with: -0.3, bracketAfter: 0.2, in: -0.2, longer: 0.2,
    oneword: -0.2,
  },
  name: {
    phrase: -1.4, title: -1.3, namelike: 0.7, bracketAfter: 0.4, roleword: 0.4, afterCountry: -0.3, country: -0.3, event: -0.3, from: -0.3,
    org: 0.3, verb: 0.3, acronym: -0.2,
  },
};
