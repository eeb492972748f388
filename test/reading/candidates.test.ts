// Features of candidate spans against their equations, over texts of a few words; and the names
// that weights refer to.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import { answerWeights, spanWeights } from '../../lib/reading/weights.js';

const stops = ['of', 'by', 'the'];
const asked = ['zib', 'mub'];
const token = fc.constantFrom(...asked, ...stops, 'kor', 'tad', 'fen', 'lox');
const passage = fc.array(token, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '));

function candidatesIn(texts: string[]) {
  const none = new Float64Array(texts.length).fill(NaN);
  return addon.candidatesOf({
    texts,
    titles: texts.map(() => ''),
    sentenceEnds: Uint32Array.from(texts, (_, at) => at + 1),
    sentences: Uint32Array.from(texts.flatMap(({ length }) => [0, length])),
    references: none,
    publishedAt: none,
    publishedDays: new Float64Array(2 * texts.length).fill(NaN),
    instants: new Float64Array(0),
    instantEnds: new Uint32Array(texts.length),
    words: asked,
    places: Uint32Array.of(0, 1),
    stems: asked.length,
    said: asked,
    time: new Float64Array(0),
    implied: false,
    asksDate: false,
    lists: false,
  });
}

/** Words of a text and where they begin. */
function wordsOf(text: string): { word: string; start: number; end: number }[] {
  let start = -1;
  return text.split(' ').map((word) => {
    const from = start + 1;
    start = from + word.length;
    return { word, start: from, end: start };
  });
}

const has = (text: string, words: string): boolean => ` ${text} `.includes(` ${words} `);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

describe('candidates of the extractive reader', () => {
  it('have the features of their equations', () => {
    const { ofSpans } = addon.readerFeatures();
    fc.assert(
      fc.property(fc.array(passage, { minLength: 1, maxLength: 4 }), (texts) => {
        const rarity = asked.map((stem) =>
          Math.log(1 + (texts.length + 1) / (texts.filter((text) => has(text, stem)).length + 0.5)),
        );
        const shares = rarity.map((each) => each / sum(rarity));
        const found = candidatesIn(texts);
        for (let at = 0; at < found.texts.length; at += 1) {
          const [of, start, end] = [found.passages[at]!, found.starts[at]!, found.ends[at]!];
          const text = texts[of]!;
          const given = text.slice(start, end);
          assert.equal(found.texts[at], given);
          const said = wordsOf(text).filter(({ word }) => asked.includes(word));
          const around = said.filter((each) => each.end <= start || each.start >= end);
          const shareOf = (words: readonly { word: string }[]): number =>
            sum(words.map(({ word }) => shares[asked.indexOf(word)]!));
          const near = asked.map((stem, place) => {
            const gaps = around
              .filter(({ word }) => word === stem)
              .map((each) => (each.end <= start ? start - each.end : each.start - end));
            return gaps.length > 0 ? shares[place]! / (1 + Math.min(...gaps) / 24) : 0;
          });
          const before = around.filter((each) => each.end <= start);
          const content = given.split(' ').filter((word) => !stops.includes(word));
          const others = texts.filter((_, place) => place !== of);
          const expected: Record<string, number> = {
            rank: 1 / (1 + of),
            withTitle: sum(shares.filter((_, place) => has(text, asked[place]!))),
            near: sum(near),
            clause: sum(shares.filter((_, place) => near[place]! > 0)),
            side: around.length > 0 ? shareOf(before) / shareOf(around) : 0.5,
            fresh: content.filter((word) => !asked.includes(word)).length / content.length,
            length: Math.min(8, given.split(' ').length) / 8,
            constancy:
              others.length > 0
                ? others.filter((other) => has(other, given)).length / others.length
                : 0,
          };
          const features = Object.fromEntries(
            Array.from(found.features, (number, place) => [
              ofSpans[number]!,
              found.values[place]!,
            ]).slice(at === 0 ? 0 : found.featureEnds[at - 1], found.featureEnds[at]),
          ) as Record<string, number>;
          for (const [name, value] of Object.entries(expected))
            assert.ok(
              Math.abs((features[name] ?? 0) - value) < 1e-12,
              `${name} of ${given} in ${JSON.stringify(texts)}: ${features[name]}, not ${value}`,
            );
        }
      }),
      { numRuns: 300 },
    );
  });

  it('weigh features by names that the addon has', () => {
    const { ofSpans, ofAnswers } = addon.readerFeatures();
    assert.deepEqual(
      Object.keys(spanWeights).filter((name) => !ofSpans.includes(name)),
      [],
    );
    assert.deepEqual(Object.keys(answerWeights).sort(), [...ofAnswers].sort());
  });
});
