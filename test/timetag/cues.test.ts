// Cues of time in wording (native/timetag/cues) against the same in regular expressions.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { splitSentences } from '../../lib/text/sentences.js';
import { contentOfSentences } from '../../lib/time/contentClock.js';
import { tagText } from '../../lib/time/tagger.js';
import { addon } from '../addon.js';
import * as oracle from '../oracle/cues.js';

const reader = binding.openQuestionReader(
  ...(['question-reader', 'default-encoder'].map((name) =>
    fileURLToPath(new URL(`../../models/${name}.bin`, import.meta.url)),
  ) as [string, string]),
);

const words =
  'who which what how many was were been had has did does is are will going to used never newly ' +
  'not first elected appeared named called made up closed owned carried allowed allied stayed ' +
  'needed hundred speed come out took place happened went on came about expected outlook chance ' +
  'of all list supposed likely say sold lately forecast forecasts report reports ' +
  'published issued ' +
  'said stated late early at in on by as from bulletin update of 3 May 2011 9 4 1934 1796 until ' +
  'till through up to left resigned since joined signed over present today now date ' +
  "(2011–present) 2003–) 1796-? ?-1827 – — : , ( ) ; . ' ’s 's s' ’ll death demise " +
  'birth wedding the a an its ' +
  'being he when once end ended close start began year month same very during before after prior ' +
  'following Battle Hastings O’Neill Élan U.S. D-Day for long history historical development ' +
  'evolution evolved chronology sequence events era age epoch period order came earlier which ' +
  'older present-day currently so far at that time over the years throughout yet ' +
  'ago \n \u2028 \u3000 é 東 _ x_y';
const phrases = (
  '3 May 2011|9 May 2011|May 2011|1911|(3 May 2011 update)|said late, on 3 May 2011|. On|' +
  'Update of 3 May 2011:|what was said on 3 May 2011.|report issued on 3 May 2011|14:30 GMT|' +
  '8 p.m. EST|at 1430Z on 5 May 2021|until the early 1934|up to 3 May 1934|the death of|' +
  'in the same year|at the time of the|how many days|in which year'
).split('|');
const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...words.split(' ')) },
  { weight: 3, arbitrary: fc.constantFrom(...phrases) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);
const texts = fc
  .array(fc.tuple(piece, fc.constantFrom(' ', ' ', ' ', ' ', '  ', '', '\u00a0')), {
    maxLength: 30,
  })
  .map((parts) => parts.flat().join(''));
/** The regular expressions fold these letters into ASCII's. */
const folded = /[\u0130\u017f\u212a]/u;

const own = ['news.jsonl', 'narrative.jsonl', 'questions.jsonl'].flatMap((name) =>
  readFileSync(new URL(`../time/${name}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { text?: string; question?: string })
    .map(({ text, question }) => text ?? question ?? ''),
);

/** For texts of our own and for any. */
function holds(check: (text: string) => void): void {
  for (const text of own) check(text);
  fc.assert(
    fc.property(texts, (text) => folded.test(text) || (check(text), true)),
    {
      numRuns: 3000,
    },
  );
}

describe('timetag: cues of wording', () => {
  it('tell the aspect and tense of a predicate', () => {
    holds((text) =>
      assert.equal(binding.readQuestion(reader, text, 0).predicate, oracle.predicateOf(text), text),
    );
  });

  it('tell which end of a state is named', () => {
    holds((text) => assert.equal(binding.courseOf(text), oracle.courseOf(text), text));
  });

  it('are the temporal signals of a query', () => {
    holds((text) => {
      const { spans, kinds, cues } = binding.querySignals(text);
      const found = { spans: [...spans], kinds: [...kinds], cues };
      assert.deepEqual(found, oracle.querySignals(text), text);
    });
  });

  it('tell that a state ends or lasts', () => {
    const years = [1934, 1796, 1827, 2011, 2003, 3, -43];
    holds((text) =>
      assert.deepEqual(
        [...addon.stateCues(text, Int32Array.from(years))],
        years.map((year) => oracle.stateCue(text, year)),
        text,
      ),
    );
  });

  it('tell the dates of a passage from those of its publication', () => {
    const published = [undefined, Date.UTC(2011, 4, 3, 7), Date.UTC(2011, 4, 9)];
    holds((text) => {
      const { mentions } = tagText(text, { reference: '2011-05-03' });
      const sentences = splitSentences(text);
      for (const at of published)
        assert.deepEqual(
          contentOfSentences(text, sentences, mentions, at),
          oracle.contentOfSentences(text, sentences, mentions, at),
          text,
        );
    });
  });

  it('say which mentions have an offset of their own', () => {
    holds((text) => {
      const tagged = binding.tagTimesSync([text], Float64Array.of(1e12), 0);
      assert.deepEqual(
        Array.from(tagged.offsets, Boolean),
        tagText(text, { reference: 1e12 }).mentions.map(oracle.hasOffset),
        text,
      );
    });
  });

  it('refuse arguments of other types, and offsets beyond the text', () => {
    const refused = [
      () => binding.courseOf(1 as never),
      () => binding.querySignals(undefined as never),
      () => addon.stateCues('a', [1] as never),
      () => binding.contentMentions('a', Uint32Array.of(0, 2), new Float64Array(0), 0),
      () => binding.contentMentions('a', Uint32Array.of(0, 1), Float64Array.of(0, 2, 0, 1, 1), 0),
      () => binding.contentMentions('a', Uint32Array.of(0, 1), Float64Array.of(NaN, 1, 0, 1, 1), 0),
    ];
    for (const call of refused) assert.throws(call, { code: 'ERR_INVALID_ARGUMENT' });
  });
});
