// The re-implementation of MRAG as the paper describes it and as its code computes it, each against
// a plain reckoning over the corpus's own texts and encoder.
import assert from 'node:assert/strict';
import { Corpus, type Passage, type Question, type TextModel } from '../../../lib/index.js';
import { createSystem, reimplementation } from '../../../lib/papers/index.js';
import { encodeTexts } from '../../../lib/vectors/encoder.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { splitSentences } from '../../../lib/text/sentences.js';
import { temporaryFolder } from '../../store/fixtures.js';
import { withCorpus } from '../../corpus.js';

const passages: Passage[] = [
  {
    id: 'mill',
    title: 'Corn mill',
    text:
      'The mill stands by the weir. Ann Orr owned the mill from 1901. Her brother sold the ' +
      'mill in 1920. A flood took the wheel. It was ' +
      'never mended.',
  },
  {
    id: 'quay',
    title: 'Old quay',
    text: 'The quay was owned by the harbour board in 1901. Ships called until 1950.',
  },
  { id: 'inn', text: 'The inn by the weir was owned by Bo Lind in 1930.' },
  {
    id: 'song',
    text:
      'A song of the mill was sung there in 1899, and again in 1931. Nobody knows who ' +
      'wrote it. Some say a miller.',
  },
  { id: 'none', text: 'Corn was ground by hand.' },
];
const question: Question = { text: 'Who owned the mill in 1901?', askedAt: '2000-01-01' };

describe('reimplementation', () => {
  const folder = temporaryFolder();
  let corpus: Corpus;
  withCorpus(passages, (made) => (corpus = made));

  const cosines = async (text: string, others: readonly string[]): Promise<number[]> => {
    const [query, vectors] = [
      await encodeTexts(corpus.encoder, [text], { kind: 'query' }),
      await encodeTexts(corpus.encoder, others, { kind: 'passage' }),
    ];
    return others.map((_, i) =>
      query.reduce((sum, value, j) => sum + value * vectors[i * query.length + j]!, 0),
    );
  };
  const close = (a: number, b: number, what: string): void =>
    assert.ok(Math.abs(a - b) < 1e-3, `${what}: ${a} and ${b}`);

  it('scores a passage by its best sentence: columns of similarity and overlap', async () => {
    const { evidence, answer, trace } = await reimplementation({ corpus }).run(question);
    assert.equal(evidence.length, passages.length);
    assert.equal(evidence[0]!.sentence, 'Ann Orr owned the mill from 1901.');
    assert.equal(answer?.text, 'Ann Orr');
    const analyzer = englishAnalyzer();
    for (const { id, score, scores } of evidence) {
      const { title, text } = passages.find((each) => each.id === id)!;
      const sentences = splitSentences(text).map(
        ({ start, end }) => `${title ? `${title} ` : ''}${text.slice(start, end)}`,
      );
      const similar = await cosines(question.text, sentences);
      const overlaps = sentences.map((sentence) => {
        const words = ['own', 'mill', '1901'].filter((term) =>
          analyzer.analyze(sentence).includes(term),
        ).length;
        return (words + (/\bin 1901\b/.test(sentence) ? 1 : 0)) / 4;
      });
      const best = sentences
        .map((_, i) => ({
          score: similar[i]! + overlaps[i]!,
          similarity: similar[i]!,
          overlap: overlaps[i]!,
        }))
        .sort((a, b) => b.score - a.score)[0]!;
      close(score, best.score, id);
      close(scores['similarity']!, best.similarity, id);
      assert.equal(scores['overlap'], best.overlap, id);
      close(
        scores['retrieval']!,
        (await cosines(question.text, [title ? `${title}. ${text}` : text]))[0]!,
        `${id} retrieval`,
      );
    }
    assert.deepEqual(trace.find(({ stage }) => stage === 'overlap')!.notes, {
      keywords: { words: ['own', 'mill'], cues: ['1901'], phrases: ['in 1901'] },
    });
  });

  it('weighs its scores as told, and cuts where the first stage is told to', async () => {
    const similar = await reimplementation({ corpus, weights: { overlap: 0 } }).run(question);
    for (const { score, scores } of similar.evidence) assert.equal(score, scores['similarity']);
    const overlapping = await reimplementation({ corpus, weights: { similarity: 0 } }).run(
      question,
    );
    for (const { score, scores } of overlapping.evidence) assert.equal(score, scores['overlap']);
    assert.equal((await reimplementation({ corpus, depth: 2 }).run(question)).evidence.length, 2);
  });

  it('adds what a summary of the passage has of the keywords, by rules or by a model', async () => {
    const analyzer = englishAnalyzer();
    const has = (text: string): number =>
      (['own', 'mill', '1901'].filter((term) => analyzer.analyze(text).includes(term)).length +
        (/\bin 1901\b/i.test(text) ? 1 : 0)) /
      4;
    const said: Record<string, string | undefined> = {
      weir: 'The mill was owned by Ann Orr in 1901.',
      harbour: 'The quay was owned by the board.',
    };
    const model: TextModel = {
      id: 'double',
      generate: async ({ prompt }) => {
        const passage = Object.keys(said).find((word) => prompt.includes(word));
        return {
          text: JSON.stringify({
            answers: passage !== undefined && said[passage] !== undefined,
            sentence: (passage && said[passage]) ?? '',
          }),
        };
      },
    };
    const { evidence, trace } = await reimplementation({ corpus, model, summaries: 5 }).run(
      question,
    );
    assert.equal(trace.find(({ stage }) => stage === 'summaryOverlap(5)')!.notes!['by'], 'double');
    for (const { id, score, scores } of evidence) {
      const summary =
        id === 'mill' || id === 'inn'
          ? has(said['weir']!)
          : id === 'quay'
            ? has(said['harbour']!)
            : 0;
      assert.equal(scores['summary'], summary, id);
      close(score, scores['overlap']! + scores['similarity']! + summary, id);
    }
    const byRules = await reimplementation({ corpus, summaries: 1, weights: { summary: 0.5 } }).run(
      question,
    );
    assert.equal(
      byRules.trace.find(({ stage }) => stage === 'summaryOverlap(1)')!.notes!['by'],
      'extraction',
    );
    const summarised = byRules.evidence.filter(({ scores }) => scores['summary'] !== undefined);
    assert.equal(summarised.length, 1, 'only the first of the first stage');
    for (const { score, scores } of byRules.evidence) {
      close(
        score,
        scores['overlap']! + scores['similarity']! + 0.5 * (scores['summary'] ?? 0),
        'weighed',
      );
    }
    assert.throws(() => reimplementation({ corpus, summaries: -1 }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /summaries/,
    });
  });

  it('computes the scores of the published code: windows of three, scaled, by years', async () => {
    for (const [base, years] of [
      [0, 1],
      [0.3, 0.4],
    ] as const) {
      const { evidence } = await reimplementation({
        corpus,
        variant: 'published',
        base,
        years,
      }).run(question);
      const windows: Record<string, string[]> = {
        mill: [
          'The mill stands by the weir. Ann Orr owned the mill from 1901. Her brother sold ' +
            'the mill in 1920.',
          'Ann Orr owned the mill from 1901. Her brother sold the mill in 1920. A flood took ' +
            'the wheel.',
          'Her brother sold the mill in 1920. A flood took the wheel. It was never mended.',
        ],
        quay: [passages[1]!.text],
        inn: [passages[2]!.text],
        song: [passages[3]!.text],
        none: [passages[4]!.text],
      };
      const t: Record<string, number> = { mill: 1, quay: 1, inn: 0, song: 0.9, none: 0.5 };
      const ids = passages.map(({ id }) => id);
      const best = await Promise.all(
        ids.map(async (id) => Math.max(...(await cosines('Who owned the mill ?', windows[id]!)))),
      );
      const whole = await cosines(
        'Who owned the mill ?',
        passages.map(({ title, text }) => (title ? `${title}. ${text}` : text)),
      );
      const scaled = (values: number[]): number[] =>
        values.map(
          (value) => (value - Math.min(...values)) / (Math.max(...values) - Math.min(...values)),
        );
      const [window, dense] = [scaled(best), scaled(whole)];
      assert.equal(evidence.length, passages.length);
      for (const { id, score } of evidence) {
        const i = ids.indexOf(id);
        close(
          score,
          (base * dense[i]! + (1 - base) * window[i]!) * (years * t[id]! + 1 - years),
          `${id} at ${base}, ${years}`,
        );
      }
      assert.deepEqual(
        evidence.map(({ score }) => score),
        evidence.map(({ score }) => score).sort((a, b) => b - a),
      );
    }
  });

  it('prints as its composition, by either name', () => {
    assert.equal(
      String(createSystem('reimplementation', { corpus })),
      'rawQuery -> dense(100) -> sentences(similarity) -> overlap -> rank(overlap + ' +
        'similarity) -> bestPerPassage -> limit -> read',
    );
    const published = createSystem('reimplementation+published', { corpus });
    assert.equal(
      String(published),
      'withoutYears -> dense(100) -> bestWindow(3 by 1) -> minMax(similarity, window) -> ' +
        'rank(0 similarity + window) -> years(20) -> ' +
        'times(years) -> limit -> read',
    );
    const { variant, depth, base, years } = published.options;
    assert.deepEqual(
      { variant, depth, base, years },
      { variant: 'published', depth: 100, base: 0, years: 1 },
    );
  });

  it('refuses what it does not know, and answers from an empty corpus with nothing', async () => {
    assert.throws(() => reimplementation({ corpus, variant: 'other' as never }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /variant/,
    });
    assert.throws(() => reimplementation({ corpus, variant: 'published', base: 2 }), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /base/,
    });
    await using empty = await Corpus.open(folder.path('empty'));
    for (const variant of ['paper', 'published'] as const) {
      assert.deepEqual(
        (await reimplementation({ corpus: empty, variant }).run(question)).evidence,
        [],
      );
    }
    const controller = new AbortController();
    controller.abort();
    await assert.rejects(
      reimplementation({ corpus }).run(question, { signal: controller.signal }),
      { code: 'ERR_ABORTED' },
    );
  });
});
