// Quality floors on whole texts: our news (news.jsonl, from the TimeML guidelines, before tuning),
// independently annotated news, our stories (narrative.jsonl, WikiWars' conventions), and WikiWars'
// development half. bench/quality/time/timex.ts prints misses.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import {
  genreSets,
  heldOutNewsSet,
  heldOutStorySet,
  readTimexSet,
  scoreTimexes,
  storySet,
  tagDocuments,
  wikiWarsSet,
  type TimexDocument,
} from '../../bench/quality/time/timex.js';
import type { TagMode } from '../../lib/time/index.js';
import { assertEach } from '../assertEach.js';

interface Floors {
  value: number;
  strict: number;
  relaxed: number;
}

async function holds(
  documents: readonly TimexDocument[],
  mode: TagMode,
  floors: Floors,
): Promise<void> {
  const tagged = await tagDocuments(documents, mode);
  const { scores, misses } = scoreTimexes(
    documents,
    tagged.map(({ timexes }) => timexes),
  );
  const reached = {
    value: 100 * scores.value,
    strict: 100 * scores.strict.f1,
    relaxed: 100 * scores.relaxed.f1,
  };
  for (const name of ['value', 'strict', 'relaxed'] as const) {
    assert.ok(
      reached[name] >= floors[name],
      `${name} F1 ${reached[name].toFixed(1)}, floor ${floors[name]}; the first misses:\n${misses.slice(0, 10).join('\n')}`,
    );
  }
}

describe('TIMEX3 expressions of whole texts', () => {
  const news = readTimexSet();

  it('annotations of the news set match the text at their offsets', () => {
    for (const { doc, text, timex } of news) {
      for (const each of timex) assert.equal(text.slice(each.start, each.end), each.text, doc);
    }
    assert.ok(news.length >= 30 && news.reduce((sum, { timex }) => sum + timex.length, 0) >= 260);
  });

  it('scores match the TempEval-3 toolkit: one-to-one alignment by overlap', () => {
    const document: TimexDocument = {
      doc: 'd',
      dct: '2020-01-01',
      text: 'x'.repeat(60),
      timex: [
        { start: 0, end: 10, type: 'DATE', value: '2019', text: '' },
        { start: 20, end: 30, type: 'DATE', value: '2018', text: '' },
        { start: 40, end: 50, type: 'DURATION', value: 'P3D', text: '' },
      ],
    };
    const { scores, misses } = scoreTimexes(
      [document],
      [
        [
          { start: 0, end: 10, type: 'DATE', value: '2019' },
          { start: 22, end: 25, type: 'DATE', value: '2018' },
          { start: 26, end: 30, type: 'DATE', value: '2018' },
          { start: 40, end: 50, type: 'DATE', value: 'P3D' },
        ],
      ],
    );
    assert.deepEqual([scores.gold, scores.found], [3, 4]);
    assert.deepEqual([scores.strict.precision, scores.strict.recall], [2 / 4, 2 / 3]);
    assert.deepEqual([scores.relaxed.precision, scores.relaxed.recall], [3 / 4, 1]);
    assert.equal(scores.value, scores.relaxed.f1);
    assert.equal(scores.type, (scores.relaxed.f1 * 2) / 3);
    assertEach(misses, (line) => line.split(' ')[0], ['EXTENT', 'VALUE', 'FALSE']);
  });

  it('our news, in news mode', () => holds(news, 'news', { value: 94, strict: 97, relaxed: 98 }));

  it('held-out news, in news mode', async () => {
    const heldOut = readTimexSet(heldOutNewsSet);
    for (const { doc, text, timex } of heldOut) {
      for (const each of timex) assert.equal(text.slice(each.start, each.end), each.text, doc);
    }
    assert.ok(
      heldOut.length === 26 && heldOut.reduce((sum, { timex }) => sum + timex.length, 0) >= 338,
    );
    await holds(heldOut, 'news', { value: 95.5, strict: 97.5, relaxed: 98 });
  });

  for (const [name, set, floors] of [
    ['our stories', storySet, { value: 97, strict: 98, relaxed: 99 }],
    ['held-out stories', heldOutStorySet, { value: 96, strict: 96, relaxed: 99 }],
  ] as const) {
    it(`${name}, in narrative mode`, async () => {
      const stories = readTimexSet(set);
      for (const { doc, text, timex } of stories) {
        for (const each of timex) assert.equal(text.slice(each.start, each.end), each.text, doc);
      }
      assert.ok(
        stories.length >= 10 && stories.reduce((sum, { timex }) => sum + timex.length, 0) >= 140,
      );
      await holds(stories, 'narrative', floors);
    });
  }

  for (const [mode, annotated, floors] of [
    ['news', 445, { value: 95, strict: 96, relaxed: 98 }],
    ['narrative', 190, { value: 95.5, strict: 98, relaxed: 98.5 }],
  ] as const) {
    it(`sentences of many genres, in ${mode} mode`, async () => {
      const documents = readTimexSet(genreSets[mode]);
      for (const { doc, text, timex } of documents) {
        for (const each of timex) assert.equal(text.slice(each.start, each.end), each.text, doc);
      }
      assert.ok(documents.reduce((sum, { timex }) => sum + timex.length, 0) >= annotated);
      await holds(documents, mode, floors);
    });
  }

  it('WikiWars, in narrative mode', async function () {
    if (!existsSync(wikiWarsSet)) {
      console.log('      skipped: ../shared/data/wikiwars is absent');
      this.skip();
    }
    await holds(readTimexSet(wikiWarsSet), 'narrative', { value: 91.5, strict: 94, relaxed: 96 });
  });
});
