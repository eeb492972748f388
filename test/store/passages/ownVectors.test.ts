// Passages and questions that bring vectors: stored as an encoder's are, compared when they are
// added again, and refused with the passage's place where they are wrong.
import assert from 'node:assert/strict';
import { Corpus, dense, type CorpusOptions, type Passage } from '../../../lib/index.js';
import { layOutRows } from '../../../lib/store/writing/rows.js';
import { splitSentences } from '../../../lib/time/index.js';
import { contents, fails, hashEncoder, passagesFrom, temporaryFolder } from '../fixtures.js';

const encoder = hashEncoder();
const { id, dimensions } = encoder;
const named = { id, dimensions };

/** A passage with the vectors that the encoder would give. */
async function withVectors(passage: Passage): Promise<Passage> {
  const { id, text, title } = passage;
  const stored = { id, text, ...(title === undefined ? {} : { title }) };
  const { texts } = await layOutRows([stored], true);
  const rows = await encoder.encode(texts, { kind: 'passage' });
  const vectors = texts.map((_, row) => rows.slice(row * dimensions, (row + 1) * dimensions));
  const [vector, ...sentenceVectors] = vectors;
  return { ...passage, vector: vector!, ...(vectors.length > 1 ? { sentenceVectors } : {}) };
}

/** The vectors of all rows by passage and span. */
function vectorsOf(corpus: Corpus): Map<string, number[]> {
  using snapshot = corpus.snapshot();
  const found = new Map<string, number[]>();
  snapshot.segments.forEach(({ segment, rows }, at) => {
    const passages = segment.read('rows.passage') as Uint32Array;
    const spans = segment.read('rows.sentence') as Uint32Array;
    const vectors = segment.read('vectors.f32') as Float32Array;
    for (let row = 0; row < rows; row += 1) {
      const key = `${snapshot.id(at, passages[row]!)} ${spans[2 * row]}-${spans[2 * row + 1]}`;
      found.set(key, [...vectors.subarray(row * dimensions, (row + 1) * dimensions)]);
    }
  });
  return found;
}

const direction = (...components: number[]): number[] =>
  Array.from({ length: dimensions }, (_, at) => components[at] ?? 0);

describe('vectors of passages', () => {
  const folder = temporaryFolder();
  let number = 0;
  const open = (options: CorpusOptions): Promise<Corpus> =>
    Corpus.open(folder.path(`${(number += 1)}`), options);

  it('are stored as those of the encoder are, bit for bit', async () => {
    const passages = passagesFrom(0, 30);
    await using encoded = await open({ encoder });
    await encoded.add(passages);
    await using own = await open({ encoder: named });
    const withOwn = await Promise.all(passages.map(withVectors));
    await own.add(withOwn.slice(0, 20));
    await own.add(withOwn.slice(20));
    await own.compact();
    assert.deepEqual(vectorsOf(own), vectorsOf(encoded));
    assert.deepEqual(contents(own), contents(encoded));
    assert.ok(!('vector' in own.get('p1')!));
    assert.deepEqual(await encoded.add(withOwn), { added: 0, replaced: 0, unchanged: 30 });
    await own.verify();
  });

  it('are scaled to length 1, and copied', async () => {
    await using corpus = await open({ encoder: named });
    const vector = Float32Array.from(direction(3, 4));
    const lists = { id: 'lists', text: 'One. Two.', vector: direction(0, 1e30) };
    const sentenceVectors = [direction(-2), direction(0, 0, 1e-30)];
    await corpus.add([
      { id: 'a', text: 'One', vector },
      { ...lists, sentenceVectors },
    ]);
    vector.fill(0);
    const rounded = (values: number[]): number[] => [...Float32Array.from(values)];
    assert.deepEqual(
      vectorsOf(corpus),
      new Map([
        ['lists 0-9', direction(0, 1)],
        ['a 0-3', rounded(direction(0.6, 0.8))],
        ['lists 0-4', direction(-1)],
        ['lists 5-9', direction(0, 0, 1)],
      ]),
    );
  });

  it('replace others, and are unchanged where they are the same', async () => {
    await using corpus = await open({ encoder });
    const text = 'It opened. It closed.';
    const counts = async (...passages: Omit<Passage, 'id' | 'text'>[]) => {
      const all = passages.map((each) => ({ id: 'p', text, ...each }));
      const { added, replaced, unchanged } = await corpus.add(all);
      return [added, replaced, unchanged];
    };
    const [x, y] = [direction(1), direction(0, 2)];
    assert.deepEqual(await counts({}), [1, 0, 0]);
    assert.deepEqual(await counts({ vector: x }), [0, 1, 0]);
    assert.deepEqual(await counts({ vector: direction(7) }), [0, 0, 1], 'of the same direction');
    assert.deepEqual(await counts({}), [0, 0, 1], 'without one those that are there stay');
    assert.deepEqual(await counts({ vector: x, sentenceVectors: [x, y] }), [0, 1, 0]);
    assert.deepEqual(await counts({ vector: x, sentenceVectors: [x, y] }), [0, 0, 1]);
    assert.deepEqual(await counts({ vector: x, sentenceVectors: [y, y] }), [0, 1, 0]);
    assert.deepEqual(await counts({ vector: y }, {}, { vector: y }, { vector: x }), [0, 2, 2]);
    assert.deepEqual(vectorsOf(corpus).get('p 0-21'), x);
    assert.equal(corpus.info().passages, 1);
  });

  it('stand beside encoded ones', async () => {
    await using corpus = await open({ encoder });
    const passages = passagesFrom(0, 6);
    await corpus.add(
      passages.map((each, i) => (i === 2 ? { ...each, vector: direction(1) } : each)),
    );
    await using encoded = await open({ encoder });
    await encoded.add(passages);
    const expected = vectorsOf(encoded);
    expected.set(`p2 0-${passages[2]!.text.length}`, direction(1));
    assert.deepEqual(vectorsOf(corpus), expected);
  });

  it('are refused with the passage where they are wrong', async () => {
    await using corpus = await open({ encoder });
    await using without = await open({ encoder: named });
    await using whole = await open({ encoder: named, sentences: false });
    const two = { id: 'b', text: 'One. Two.' };
    const vector = direction(1);
    const wrong: [Corpus, object, RegExp][] = [
      [corpus, { vector: [1, 2] }, /vector to be .*array of 8 numbers, received an array of 2/],
      [corpus, { vector: new Float64Array(8) }, /vector to be a Float32Array or array of 8/],
      [corpus, { vector: 'near' }, /vector to be .*received the string "near"/],
      [corpus, { vector: direction(1, NaN) }, /vector\[1\] to be a finite number.*number NaN/],
      [corpus, { vector: direction(1e39) }, /vector\[0\] to be a finite number of 32 bits/],
      [corpus, { vector: [null, ...direction(1).slice(1)] }, /vector\[0\].*received null/],
      [corpus, { vector: direction() }, /vector to be a vector that has a direction/],
      [corpus, { sentenceVectors: [vector, vector] }, /vector to be 8 numbers, since sentenceV/],
      [corpus, { vector, sentenceVectors: [vector] }, /sentenceVectors to be an array of 2, one/],
      [corpus, { vector, sentenceVectors: 5 }, /sentenceVectors to be .*number 5.*splitSentences/],
      [corpus, { vector, sentenceVectors: [vector, [1]] }, /sentenceVectors\[1\] to be a Float32/],
      [without, {}, /vector to be 8 numbers, since the encoder has no encode\(\), received undef/],
      [without, { vector }, /sentenceVectors to be an array of 2.*received undefined/],
      [whole, { vector, sentenceVectors: [vector, vector] }, /sentenceVectors to be absent/],
    ];
    for (const [to, fields, words] of wrong) {
      await assert.rejects(to.add([{ ...two, ...fields }]), (error) => {
        fails('ERR_INVALID_ARGUMENT', words)(error);
        fails('ERR_INVALID_ARGUMENT', /^Passage 0 \(id "b"\): Expected/)(error);
        return true;
      });
      assert.equal(to.info().passages, 0);
    }
  });

  it('are in the order of splitSentences', async () => {
    const text = 'It opened on 5 May. Mr. Smith left!\n- a list';
    const sentences = splitSentences(text).map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(sentences, ['It opened on 5 May.', 'Mr. Smith left!', '- a list']);
    await using corpus = await open({ encoder: named });
    const vectors = sentences.map((_, at) => direction(...Array.from({ length: at + 1 }, () => 1)));
    await corpus.add([{ id: 'p', text, vector: direction(1), sentenceVectors: vectors }]);
    const rows = [...vectorsOf(corpus)].slice(1).map(([key, row]) => [key, row.filter(Boolean)]);
    assert.deepEqual(
      rows.map(([key, row]) => [key, row!.length]),
      [
        ['p 0-19', 1],
        ['p 20-35', 2],
        ['p 36-44', 3],
      ],
    );
  });

  it('can be searched by those of questions, without any encoder', async () => {
    const path = folder.path('questions');
    const created = await Corpus.open(path, { encoder: { id: 'elsewhere', dimensions: 3 } });
    await created.add([
      { id: 'x', text: 'Something', vector: [1, 0, 0] },
      { id: 'y', text: 'Something', vector: [0, 1, 0] },
    ]);
    await created.close();
    await using corpus = await Corpus.open(path);
    assert.deepEqual(await corpus.add([{ id: 'z', text: 'Something', vector: [0, 0, 5] }]), {
      added: 1,
      replaced: 0,
      unchanged: 0,
    });
    const system = dense({ corpus });
    for (const [vector, first] of [
      [[2, 1, 0], 'x'],
      [Float32Array.of(0, 0.2, 0.1), 'y'],
      [[0, 0.1, 0.2], 'z'],
    ] as const) {
      const { evidence } = await system.run({ text: 'What?', vector });
      assert.equal(evidence[0]!.id, first);
      assert.ok(evidence[0]!.score > 0.89 && evidence[0]!.score < 0.9);
    }
    await assert.rejects(
      system.run({ text: 'What?' }),
      fails('ERR_ENCODER_MISMATCH', /elsewhere \(3 dimensions\).*Give the vectors/),
    );
    for (const vector of [[1, 0], [0, 0, 0], 'near', [1, NaN, 0]])
      await assert.rejects(
        system.run({ text: 'What?', vector: vector as number[] }),
        fails('ERR_INVALID_ARGUMENT', /question\.vector/),
      );
    await assert.rejects(
      Corpus.open(path, { encoder: { id: 'elsewhere', dimensions: 4 } }),
      fails('ERR_ENCODER_MISMATCH'),
    );
    await assert.rejects(
      Corpus.open(path, { encoder: { id: 'elsewhere', dimensions: 3, encode: 5 as never } }),
      fails('ERR_INVALID_ARGUMENT', /Encoder \{ id, dimensions, encode\? \}/),
    );
  });
});
