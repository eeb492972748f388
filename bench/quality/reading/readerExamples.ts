// Questions as examples for the extractive reader's weights: the features of each candidate span
// and how right it is, and then those of the best span.
import { exactMatch, tokenF1 } from '../../../packages/evaluation/lib/measures/answers.js';
import { addon } from '../../../test/addon.js';
import type { AnswerCandidates } from '../../../test/native/addon/testBinding.js';
import { fitPassages } from '../../../lib/reading/context.js';
import { asksStatement, mostCharacters } from '../../../lib/reading/extract.js';
import { passagesToRead } from '../../../lib/reading/passages.js';
import { kindGroup } from '../../../lib/reading/score.js';
import { parseQuestion } from '../../../lib/time/index.js';
import { accuracy } from './accuracy.js';
import type { RetrievedQuestion } from './retrieved.js';

/** What a model is fitted to: rows of features, of which the good ones are to be chosen. */
export interface Example {
  weight: number;
  /** Feature indices and values of each candidate. */
  rows: readonly { at: Uint16Array; values: Float32Array }[];
  /** How much of the likelihood each candidate may have: 1 where it is exactly right. */
  good: readonly number[];
}

export interface SpanExample extends Example {
  /** The collection, and what is held out with it. */
  group: string;
  family: string;
  /** In the addon. */
  candidates: AnswerCandidates['handle'];
  accuracy: readonly number[];
  /** What is read: what was retrieved, its first passage alone, or what was judged. */
  context: 'retrieved' | 'first' | 'judged';
  /** Whether the sentence that is given in place of a span is right. */
  statement: number;
}

/** Features by name; those that are absent are 0. */
type Features = Readonly<Record<string, number>>;

/** Names by index; a name with "@group" is the deviation of a group of kinds of answers. */
export class FeatureNames {
  readonly names: string[] = [];
  private readonly indices = new Map<string, number>();

  /** @param without names that are left out */
  constructor(private readonly without: ReadonlySet<string> = new Set()) {}

  rowOf(features: Features): Example['rows'][number] {
    const entries = Object.entries(features).filter(
      ([name, value]) => value !== 0 && !this.without.has(name),
    );
    const at = entries.map(([name]) => {
      let index = this.indices.get(name);
      if (index === undefined) this.indices.set(name, (index = this.names.push(name) - 1));
      return index;
    });
    return { at: Uint16Array.from(at), values: Float32Array.from(entries, ([, value]) => value) };
  }
}

/** What differs by the kind of answer: the form of a span, and what is next to it. */
const differs = /^(?:side$|(?:date|value|name|quoted|code|chunk|phrase|shape|asked) )/;

/** Undefined where the reader gives a sentence, or finds no span. */
export async function exampleOf(
  { question: asked, answers }: RetrievedQuestion,
  given: RetrievedQuestion['passages'],
  names: FeatureNames,
): Promise<Pick<SpanExample, 'rows' | 'good' | 'accuracy' | 'candidates'> | undefined> {
  const passages = fitPassages(given, mostCharacters);
  const question = parseQuestion(asked);
  if (asksStatement(question.text)) return undefined;
  const { request, kind } = await passagesToRead(question, passages);
  const candidates = addon.candidatesOf(request);
  const { texts } = candidates;
  if (texts.length === 0) return undefined;
  const group = kindGroup(kind);
  const rows = texts.map((_, at) => {
    const features = featuresOf(candidates, at);
    const deviations = Object.entries(features)
      .filter(([name]) => differs.test(name))
      .map(([name, value]) => [`${name}@${group}`, value]);
    return names.rowOf({ ...features, ...(Object.fromEntries(deviations) as Features) });
  });
  const held = texts.map((text) => accuracy.of({ answer: text, answers }) ?? 0);
  // A span that holds the answer counts by how little else it holds.
  const good = texts.map((text, at) =>
    held[at] === 0
      ? 0
      : exactMatch(text, answers) === 1
        ? 1
        : Math.max(0.15, tokenF1(text, answers)),
  );
  return { rows, good, accuracy: held, candidates: candidates.handle };
}

const { ofSpans, ofAnswers } = addon.readerFeatures();

function featuresOf(candidates: AnswerCandidates, at: number): Features {
  const { featureEnds, features, values } = candidates;
  const all: Record<string, number> = {};
  for (let place = at === 0 ? 0 : featureEnds[at - 1]!; place < featureEnds[at]!; place += 1)
    all[ofSpans[features[place]!]!] = values[place]!;
  return all;
}

/** The place of the span that scores choose, and what its probability depends on. */
export function bestSpan(
  candidates: AnswerCandidates['handle'],
  scores: readonly number[],
): { candidate: number; features: Features } {
  const { candidate, features } = addon.bestSpan(candidates, Float64Array.from(scores))!;
  return {
    candidate,
    features: Object.fromEntries(ofAnswers.map((name, at) => [name, features[at]!])),
  };
}
