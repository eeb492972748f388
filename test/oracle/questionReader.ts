// The question reader straight from its definition, in float64: reads the model file by the layout
// of native/question/model.hpp, cuts tokens by one regular expression, and computes each layer by
// its formula. Wordpieces and mentions of time are given. Imports types alone and shares no code
// with native/question.
import { readFileSync } from 'node:fs';
import type { TaggedTimes } from '../../binding.js';
import type { OracleModel } from './staticModel.js';

interface Matrix {
  to: number;
  weights: Float64Array; // [from][to]
}
interface Affine extends Matrix {
  bias: Float64Array;
}
interface Normalization {
  gain: Float64Array;
  bias: Float64Array;
}
interface Layer {
  dilation: number;
  norm: Normalization;
  left: Matrix;
  same: Affine;
  right: Matrix;
  project: Affine;
}

/** A run of numbers of one type in the file. */
export interface Section {
  type: 'u32' | 'f32' | 'i8';
  at: number;
  count: number;
}

export interface OracleReader {
  sections: Section[];
  buckets: number;
  gramWidth: number;
  gramRows: Float64Array; // [buckets][gramWidth]
  grams: Matrix;
  pieces: Matrix;
  inputs: Affine;
  layers: Layer[];
  norm: Normalization;
  tags: Affine;
  mention: Affine;
  attention: Affine;
  outputs: Affine[];
}

export function readQuestionModel(path: string): OracleReader {
  const file = readFileSync(path);
  const sections: Section[] = [];
  let at = 24;
  const take = (type: Section['type'], count: number): Float64Array => {
    sections.push({ type, at, count });
    const size = type === 'i8' ? 1 : 4;
    const start = at;
    at += count * size;
    return Float64Array.from({ length: count }, (_, i) => {
      const from = start + i * size;
      if (type === 'u32') return file.readUInt32LE(from);
      return type === 'f32' ? file.readFloatLE(from) : file.readInt8(from);
    });
  };
  const matrix = (from: number, to: number): Matrix => {
    const scales = take('f32', from);
    return {
      to,
      weights: take('i8', from * to).map((row, i) => row * scales[Math.floor(i / to)]!),
    };
  };
  const affine = (from: number, to: number): Affine => ({
    ...matrix(from, to),
    bias: take('f32', to),
  });
  const normalization = (): Normalization => ({
    gain: take('f32', width),
    bias: take('f32', width),
  });

  const [buckets, gramWidth, pieceWidth, features, width, layers, queries, outputs] = [
    ...take('u32', 8),
  ] as [number, number, number, number, number, number, number, number];
  const classes = take('u32', outputs);
  const dilations = take('u32', layers);
  return {
    sections,
    buckets,
    gramWidth,
    gramRows: matrix(buckets, gramWidth).weights,
    grams: matrix(gramWidth, width),
    pieces: matrix(pieceWidth, width),
    inputs: affine(features, width),
    layers: [...dilations].map((dilation) => ({
      dilation,
      norm: normalization(),
      left: matrix(width, width),
      same: affine(width, width),
      right: matrix(width, width),
      project: affine(width, width),
    })),
    norm: normalization(),
    tags: affine(width, 5),
    mention: affine(width, 1),
    attention: affine(width, queries),
    outputs: [...classes].map((each) => affine(queries * width, each)),
  };
}

const blank = '\\t-\\r \\xa0\\u2000-\\u200a\\u202f\\u3000\\ufeff';
// Beyond ASCII, before blanks are taken out of them.
const wideSymbols =
  '\\xa1-\\xbf\\u2010-\\u203a\\u20a0-\\u20cf\\u2212\\u3000-\\u303f\\ud800-\\udfff\\uff00-\\uff0f';
const word = `(?:[A-Za-z0-9_]|(?![${blank}${wideSymbols}])[\\x80-\\uffff])`;
const apostrophe = "['\\u2018\\u2019]";
const possessive = `${apostrophe}[sS](?!${word})`;
const tokenPattern = new RegExp(
  `(?<=[^${blank}])${possessive}|` +
    `${word}(?:${word}|(?:[-./:@+#&]|(?!${possessive})${apostrophe})(?=${word}))*|` +
    `[\\ud800-\\udbff][\\udc00-\\udfff]|[^${blank}]`,
  'g',
);
const beginsAsWord = new RegExp(`^${word}`);
const hasLetter = new RegExp(`(?!\\d)${word}`);

export interface Token {
  word: string;
  begin: number;
  end: number;
}

/** Tokens of a text, in UTF-16 units, half-open. */
export const tokensOf = (text: string): Token[] =>
  [...text.matchAll(tokenPattern)].map(({ 0: found, index }) => ({
    word: found,
    begin: index,
    end: index + found.length,
  }));

/** Tokens that are read: the last ones. */
export const mostTokens = 256;

function add(out: Float64Array, x: ArrayLike<number>, { to, weights }: Matrix): Float64Array {
  for (let i = 0; i < x.length; i += 1) {
    const factor = x[i]!;
    for (let j = 0; j < to; j += 1) out[j]! += factor * weights[i * to + j]!;
  }
  return out;
}

const affineOf = (x: ArrayLike<number>, linear: Affine): Float64Array =>
  add(linear.bias.slice(), x, linear);

function normalized(x: Float64Array, { gain, bias }: Normalization): Float64Array {
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
  return x.map((value, j) => ((value - mean) / Math.sqrt(variance + 1e-5)) * gain[j]! + bias[j]!);
}

function softmax(logits: readonly number[] | Float64Array): number[] {
  const most = Math.max(...logits);
  const powers = Array.from(logits, (logit) => Math.exp(logit - most));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** The mean of rows of `width` numbers, all zero where there is none. */
function mean(rows: readonly ArrayLike<number>[], width: number): Float64Array {
  const out = new Float64Array(width);
  for (const row of rows) for (let j = 0; j < width; j += 1) out[j]! += row[j]! / rows.length;
  return out;
}

/** The word between < and >, and its n-grams of 3 to 5 letters, digits as zeros, up to 40 units. */
function gramsOf(given: string): string[] {
  const lower = given.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const letters = `<${lower.slice(0, 40).replace(/\d/g, '0')}>`;
  const grams = [3, 4, 5].flatMap((length) =>
    Array.from({ length: Math.max(letters.length - length + 1, 0) }, (_, i) =>
      letters.slice(i, i + length),
    ),
  );
  return [`<${lower}>`, ...grams];
}

function bucketOf(gram: string, buckets: number): number {
  let hash = 2166136261;
  for (let i = 0; i < gram.length; i += 1)
    hash = Math.imul(hash ^ gram.charCodeAt(i), 16777619) >>> 0;
  return hash % buckets;
}

function shapeOf(tokens: readonly Token[], i: number, anyCapital: boolean): boolean[] {
  const { word: given, begin, end } = tokens[i]!;
  return [
    /^[A-Z]/.test(given),
    given.length > 1 && hasLetter.test(given) && !/[a-z]/.test(given),
    /^\d+$/.test(given),
    /^\d{4}$/.test(given),
    /^\d{1,2}$/.test(given),
    /\d/.test(given) && /\D/.test(given),
    tokens[i - 1]?.end === begin,
    tokens[i + 1]?.begin === end,
    !beginsAsWord.test(given),
    i === 0,
    i === tokens.length - 1,
    !anyCapital,
    given.length === 1,
    /^[12]\d{3}$/.test(given),
  ];
}

const dayMs = 864e5;

/** What a token in mention m is told of it. */
function mentionOf(times: TaggedTimes, m: number, begin: number, reference: number): boolean[] {
  const timex = times.timexCounts.subarray(0, m).reduce((sum, count) => sum + count, 0);
  const one = (length: number, at: number): boolean[] => Array.from({ length }, (_, i) => i === at);
  const from = Math.floor(times.intervalStarts[m]! / dayMs);
  const to = Math.floor((times.intervalEnds[m]! - 1) / dayMs);
  const asked = Math.floor(reference / dayMs);
  return [
    true,
    begin <= times.starts[m]!,
    ...one(4, times.timexTypes[timex]!),
    ...one(12, times.relations[m]!),
    !Number.isNaN(from),
    to < asked,
    from > asked,
    from <= asked && asked <= to,
    times.timexValues.split('\n')[timex]!.includes('REF'),
  ];
}

export interface Asked {
  text: string;
  reference: number;
  times: TaggedTimes;
  /** The table of wordpieces, and the ids of each token's pieces in it. */
  table: OracleModel;
  piecesOf: (word: string) => Iterable<number>;
}

export interface OracleReading {
  tokens: Token[];
  /** Of each token: the probabilities of topic, removed and anchor. */
  tags: number[][];
  /** Of each token: the probabilities of being the first and the last one of an anchor. */
  edges: [first: number[], last: number[]];
  /** Of each mention of time, 0 where none of its tokens are read. */
  bounds: number[];
  /** Of each output, the probabilities of its classes; all 0 of a text without tokens. */
  outputs: number[][];
}

export function readQuestion(model: OracleReader, asked: Asked): OracleReading {
  const { text, times, table } = asked;
  const tokens = tokensOf(text).slice(-mostTokens);
  const anyCapital = /[A-Z]/.test(text.slice(tokens[0]?.begin));
  const mentions = Array.from(times.starts, (_, m) => m);
  const owners = tokens.map(({ begin, end }) =>
    mentions.find((m) => times.starts[m]! < end && begin < times.ends[m]!),
  );
  let x = tokens.map((each, i) => {
    const features = new Float64Array(model.inputs.weights.length / model.inputs.to);
    const owner = owners[i];
    const told = owner === undefined ? [] : mentionOf(times, owner, each.begin, asked.reference);
    features.set([...shapeOf(tokens, i, anyCapital), ...told].map(Number));
    const rows = gramsOf(each.word).map((gram) => {
      const bucket = bucketOf(gram, model.buckets);
      return model.gramRows.subarray(bucket * model.gramWidth, (bucket + 1) * model.gramWidth);
    });
    const directions = [...asked.piecesOf(each.word)]
      .filter((id) => table.tokens[id] !== '[UNK]')
      .map((id) => {
        const row = Float64Array.from(
          table.rows.subarray(id * table.dimensions, (id + 1) * table.dimensions),
        );
        const length = Math.hypot(...row) * (table.scales[id]! < 0 ? -1 : 1);
        return length === 0 ? row : row.map((value) => value / length);
      });
    const out = affineOf(features, model.inputs);
    add(out, mean(rows, model.gramWidth), model.grams);
    return add(out, mean(directions, table.dimensions), model.pieces);
  });
  for (const { dilation, norm, left, same, right, project } of model.layers) {
    const y = x.map((row) => normalized(row, norm));
    x = x.map((row, i) => {
      const hidden = affineOf(y[i]!, same);
      if (i - dilation >= 0) add(hidden, y[i - dilation]!, left);
      if (i + dilation < y.length) add(hidden, y[i + dilation]!, right);
      const change = affineOf(
        hidden.map((value) => Math.max(value, 0)),
        project,
      );
      return row.map((value, j) => value + change[j]!);
    });
  }
  const y = x.map((row) => normalized(row, model.norm));
  const scores = y.map((row) => [...affineOf(row, model.tags)]);
  const attention = y.map((row) => affineOf(row, model.attention));
  const pooled = Array.from(model.attention.bias, (_, q) => {
    const weights = softmax(attention.map((row) => row[q]!));
    return model.norm.gain.map((_, j) => y.reduce((sum, row, i) => sum + weights[i]! * row[j]!, 0));
  }).flatMap((each) => [...each]);
  return {
    tokens,
    tags: scores.map((row) => softmax(row.slice(0, 3))),
    edges: [softmax(scores.map((row) => row[3]!)), softmax(scores.map((row) => row[4]!))],
    bounds: mentions.map((m) => {
      const own = y
        .filter((_, i) => owners[i] === m)
        .map((row) => affineOf(row, model.mention)[0]!);
      return own.length === 0
        ? 0
        : 1 / (1 + Math.exp(-own.reduce((sum, each) => sum + each, 0) / own.length));
    }),
    outputs: model.outputs.map((each) =>
      y.length === 0 ? Array<number>(each.to).fill(0) : softmax(affineOf(pooled, each)),
    ),
  };
}
