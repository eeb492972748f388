// One good call of everything the addon exports, argument by argument with its kind, for tests that
// then spoil one thing at a time. contract.test.ts holds binding.d.ts to the addon;
// arguments.test.ts holds this table to the addon.
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isExternal } from 'node:util/types';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { FlatRequest, OutputFile, PassagesToRead } from '../../binding.js';
import { width } from '../../lib/facts/features/features.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';
import { AsOfError } from '../../lib/errors.js';
import { packTermRows } from '../../lib/text/termRows.js';
import { goodFactsArguments, passageTexts } from './facts.js';
import { goodIndexingArguments } from './indexing.js';
import { writeSegmentFile } from '../segmentFiles.js';

/**
 * `array`: a typed array of one kind. `handle`: an object of the addon's. `object`: a plain object
 * or a list, whose fields are spoiled too. `count`: a whole number; an example of another number
 * has a fraction, or is negative.
 */
type Given = 'array' | 'handle' | 'number' | 'count' | 'string' | 'boolean' | 'object' | 'class';
export type Kind = Given | `optional ${Given}` | 'cancellation';

export interface Call {
  args: () => unknown[];
  kinds: Kind[];
  /** Called with `new`. */
  constructs: boolean;
}
/** Good arguments of each export, at last `undefined` where that may be a cancellation. */
export type GoodArguments = Record<string, () => unknown[]>;

/** Places of arguments that may be left out. */
const optional: Readonly<Record<string, number>> = {
  documentFrequencies: 2,
  findPassages: 2,
  rowCounts: 1,
  readPassages: 2,
  readTagged: 1,
};
const classes = ['Cancellation', 'Segment', 'FileLock', 'MemoryRows'] as const;

function kindOf(value: unknown): Given {
  if (ArrayBuffer.isView(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? 'count' : 'number';
  if (typeof value === 'function') return 'class';
  if (typeof value !== 'object') return typeof value as 'string' | 'boolean';
  const isOwn = isExternal(value) || classes.some((name) => value instanceof binding[name]);
  return isOwn ? 'handle' : 'object';
}

function callOf(name: string, args: () => unknown[]): Call {
  const kinds = args().map((value, place): Kind => {
    if (value === undefined) return 'cancellation';
    return optional[name] === place ? `optional ${kindOf(value)}` : kindOf(value);
  });
  return { args, kinds, constructs: (classes as readonly string[]).includes(name) };
}

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../models/${name}`, import.meta.url));
const model = pathOf('default-encoder.bin');
const readerModel = pathOf('question-reader.bin');
/** Where files of these tests may appear. */
export const folder = mkdtempSync(join(tmpdir(), 'asof-calls-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const freshPath = (): string => join(folder, `file-${(files += 1)}`);
const freshFile = (): OutputFile => {
  const path = freshPath();
  return { descriptor: openSync(path, 'w+'), path };
};

const floats = (...values: number[]) => Float32Array.from(values);
const toRead = (): PassagesToRead => ({
  ...passageTexts(),
  publishedDays: Float64Array.of(0, 864e5, NaN, NaN),
  instants: new Float64Array(0),
  instantEnds: Uint32Array.of(0, 0),
  words: ['ida'],
  places: Uint32Array.of(0),
  stems: 1,
  said: ['who', 'ida'],
  time: Float64Array.of(0, 864e5, 0, 864e5),
  implied: false,
  asksDate: false,
  lists: false,
});
const spanWeights = (): Float64Array =>
  new Float64Array(binding.readerFeatures().ofSpans.length).fill(1);
const candidates = () => addon.candidatesOf(toRead());
const line = () => ({
  start: 0,
  end: 864e5 * 9,
  atStart: 0.6,
  atEnd: 1,
  outside: 0.5,
  unitMs: 864e5,
});
const moments = () => ({ count: 3, mean: 1, squares: 2 });
const parts = () => ({ multiSentence: 0, passages: 2, rows: 2 });
const memoryRows = () => ({
  passages: 2,
  multiSentence: 0,
  dimensions: 2,
  vectors: floats(1, 0, 0, 1),
  rowPassage: Uint32Array.of(0, 1),
  published: Float64Array.of(0, NaN),
  validStart: Float64Array.of(0, 1),
  validEnd: Float64Array.of(5, 6),
  contentOffset: Uint32Array.of(0, 1, 1),
  contentStart: Float64Array.of(3),
  contentEnd: Float64Array.of(4),
  wide: false,
});
const clocks = () => ({
  published: Float64Array.of(0, NaN),
  validStart: Float64Array.of(0, 1),
  validEnd: Float64Array.of(5, 6),
  contentOffset: Uint32Array.of(0, 1, 1),
  contentStart: Float64Array.of(3),
  contentEnd: Float64Array.of(4),
  contentGranularity: Uint8Array.of(5),
});
/**
 * What the library packs for a search of one spline, so that this table need not follow the
 * columns' layout.
 */
function flatRequest(): FlatRequest {
  const replaceable = binding as { searchFlat: typeof binding.searchFlat };
  const search = replaceable.searchFlat;
  const window = { start: 0, end: 10 };
  let packed: FlatRequest | undefined;
  replaceable.searchFlat = (request) => {
    packed = request;
    return new Promise(() => undefined);
  };
  void scanFlat(
    [{ rows: new binding.MemoryRows(memoryRows()) }],
    [
      {
        vector: floats(1, 1),
        form: {
          combine: 'product',
          kind: 'spline',
          clock: 'content',
          lines: [{ window, atStart: 0.6, atEnd: 1 }],
          outside: 0.5,
        },
      },
    ],
    { k: 2 },
  );
  replaceable.searchFlat = search;
  return packed!;
}
const intervals = () => ({
  starts: Int32Array.of(0, 4),
  ends: Int32Array.of(1, 6),
  offsets: Uint32Array.of(0, 1, 2),
  scale: { unitMs: 864e5, originMs: 0 },
});
const lexicalRequest = () => ({
  segments: [],
  liveDocs: [],
  terms: [['word']],
  k: 2,
  scope: 2,
  pool: false,
  k1: 0.9,
  b: 0.4,
  publishedUntil: Float64Array.of(Infinity),
  windowKind: Uint8Array.of(0),
  window: Float64Array.of(0, 0),
  exhaustive: false,
});
const termRows = () => ({
  termBytes: new TextEncoder().encode('ab'),
  termOffsets: Uint32Array.of(0, 1, 2),
  rowOffsets: Uint32Array.of(0, 2, 3),
  rowTerms: Uint32Array.of(0, 1, 1),
  parts: parts(),
});
function gatheredRows(): ReturnType<typeof binding.trainingRows> {
  const rows = binding.trainingRows(2);
  binding.appendTrainingRows(rows, floats(1, 0, 0, 1, 0.6, 0.8));
  return rows;
}
const trainingRequest = () => ({
  rank: 1,
  shared: true,
  question: Uint32Array.of(0, 1),
  positive: Uint32Array.of(1, 2),
  negative: Uint32Array.of(2, 0),
  margin: floats(1, 0.5),
  groups: Uint32Array.of(1, 1),
  seed: 1,
  batch: 2,
  steps: 5,
  warmup: 1,
  rate: 0.01,
  decay: 0.01,
});
const startedTraining = () => binding.startAdapterTraining(gatheredRows(), trainingRequest());

const timeNetwork = () => ({
  kind: 'film' as const,
  dimensions: 2,
  waves: 1,
  width: 1,
  meanYear: 2000,
  deviationYear: 10,
});
const timeDates = () => ({
  year: Int32Array.of(2001, 0),
  month: Uint8Array.of(5, 0),
  day: Uint8Array.of(9, 0),
  dayOfYear: Uint16Array.of(129, 0),
  mask: Uint8Array.of(15, 0),
});

const timeTrainingRequest = () => ({
  network: timeNetwork(),
  dates: {
    year: Int32Array.of(1, 2, 3),
    month: new Uint8Array(3),
    day: new Uint8Array(3),
    dayOfYear: new Uint16Array(3),
    mask: Uint8Array.of(1, 1, 1),
  },
  question: Uint32Array.of(0, 1),
  positive: Uint32Array.of(1, 2),
  negative: Uint32Array.of(2, 0xffffffff),
  temperature: 0.05,
  margin: 0.2,
  hard: 0.1,
  time: 0.1,
  device: 0,
  groups: Uint32Array.of(2),
  seed: 1,
  batch: 2,
  steps: 5,
  warmup: 1,
  rate: 0.01,
  decay: 0.01,
});

const preferenceRequest = () => ({
  times: Float64Array.of(0, 10, NaN, NaN),
  ranges: Uint8Array.of(1, 0),
  published: Float64Array.of(NaN, 5),
  order: 0,
  place: 1,
  askedAt: 20,
  isEvent: false,
  window: Float64Array.of(0, 20),
  alternatives: Float64Array.of(0, 5, 10, 15),
  named: new Float64Array(),
  held: Float64Array.of(10, 20),
  longest: 0,
});

/** Two members of two candidates, of which the second restates the first. */
const cascadeRequest = () => ({
  place: 1,
  features: new Float32Array(2 * width).fill(0.5),
  candidate: Int32Array.of(0, 1),
  interpretation: new Uint8Array(2),
  rank: Int32Array.of(0, 1),
  ranked: [Int32Array.of(0, 1), Int32Array.of()],
  restatementEnds: Uint32Array.of(1, 1),
  restatements: Uint32Array.of(1),
  restatementsSameSeries: Uint8Array.of(1),
  hasOperator: true,
  isLatest: true,
  starts: Float64Array.of(0, 1),
  ends: Float64Array.of(1, 2),
  clockInputs: Float64Array.of(1),
  seriesInputs: Float64Array.of(1),
  similarity: Float64Array.of(1, -1),
  coverage: Float64Array.of(-1, 1),
  featureWeights: new Float64Array(width).fill(0.1),
  clockWeights: Float64Array.of(1),
  seriesWeights: Float64Array.of(1),
  relevanceLogOdds: 1,
  relevanceSimilarity: 1,
  relevanceCoverage: 1,
  relativeShare: 0.5,
  relativeShift: 0,
  credibility: Float64Array.of(0.9, 1),
  judged: Float64Array.of(0, 1),
});

const keywordForms = () => ({
  forms: ['a'],
  ends: Uint32Array.of(1),
  weights: Float64Array.of(1),
  anywhere: Uint8Array.of(1),
});

/** A segment file, open. */
async function openSegment(): Promise<InstanceType<typeof binding.Segment>> {
  const path = freshPath();
  await writeSegmentFile(path, [{ name: 'numbers', data: floats(1, 2, 3) }]);
  return new binding.Segment(path);
}

/** Two rows of a corpus's schema with their postings, open: one with a content time. */
async function openRows(): Promise<InstanceType<typeof binding.Segment>> {
  const path = freshPath();
  await writeSegmentFile(path, [
    { name: 'counts', data: BigUint64Array.of(2n, 0n, 2n, 1n, 2n, 256n, 0n, 0n) },
    { name: 'rows.passage', data: Uint32Array.of(0, 1) },
    { name: 'passages.id_offset', data: BigUint64Array.of(0n, 1n, 2n) },
    { name: 'passages.id', data: Uint8Array.of(97, 98) },
    { name: 'passages.record_offset', data: BigUint64Array.of(0n, 12n, 24n) },
    { name: 'passages.record', data: Uint8Array.from(Buffer.from('{"text":"a"}{"text":"b"}')) },
    ...(await binding.packClocks(clocks())),
    { name: 'vectors.f32', data: floats(1, 0, 0, 1) },
    ...(await binding.buildPostings(termRows())),
    ...binding.packFields([packTermRows([['a', 'b'], ['b']])], 2),
  ]);
  return new binding.Segment(path);
}

export async function goodCalls(): Promise<Record<string, Call>> {
  const all = Object.entries(await goodArguments());
  return Object.fromEntries(all.map(([name, args]) => [name, callOf(name, args)]));
}

async function goodArguments(): Promise<GoodArguments> {
  const segment = await openSegment();
  const rows = await openRows();
  const encoder = await binding.openStaticEncoder(model);
  const reader = binding.openQuestionReader(readerModel, model);
  const quantized = await addon.packQuantized(floats(1, 2), 2, 'int8');
  const timeEncoder = await binding.openTimeEncoder(
    timeNetwork(),
    new Float32Array(binding.timeParameterCount(timeNetwork())),
  );
  return {
    setErrorClass: () => [AsOfError],
    threadCount: () => [],
    setThreadCount: () => [0],
    deviceUnavailableReason: () => [],
    listDevices: () => [],
    Cancellation: () => [],
    isa: () => [],
    watchAllocations: () => [0, false],
    watchedAllocations: () => [],
    isaLevels: () => [],
    setIsa: () => [''],
    innerProduct: () => [floats(1, 2), floats(3, 4, 5, 6), 2, undefined],
    thresholdProducts: () => [floats(1, 2), floats(3, 4, 5, 6), 2, floats(0), undefined],
    packQuantized: () => [floats(1, 2), 2, 'int8', undefined],
    quantizedPanels: () => [quantized],
    quantizedProducts: () => [quantized, floats(1, 2), undefined],
    quantizedSurvivors: () => [
      quantized,
      {
        queries: floats(1, 2),
        thresholds: floats(0),
        considered: BigUint64Array.of(1n),
      },
      undefined,
    ],
    topK: () => [floats(1, 2, 3), 2, undefined],
    normalize: () => [floats(3, 4), 2, undefined],
    rowSum: () => [Int8Array.of(1, 2, 3, 4), floats(1, 2)],
    film: () => [
      {
        x: floats(1, 2),
        gamma: floats(0, 1),
        beta: floats(1, 0),
        alpha: 0.5,
        timed: Uint8Array.of(1),
        dimensions: 2,
      },
      undefined,
    ],
    spline: () => [{ ...intervals(), line: line() }, undefined],
    decay: () => [{ ...intervals(), kind: 3, numbers: Float64Array.of(0, 864e5, 0, 0, 0.5) }],
    moments: () => [floats(1, 2), undefined],
    mergeMoments: () => [moments(), moments()],
    standardize: () => [floats(1, 2), moments(), moments(), undefined],
    calendar: () => [Float64Array.of(0), Uint8Array.of(5), undefined],
    Segment: () => [segment.path],
    FileLock: () => [freshPath()],
    writeSegment: () => [freshFile(), [{ name: 'numbers', data: floats(1, 2, 3) }], undefined],
    crc32c: () => [Uint8Array.of(1, 2, 3), 0, false],
    MemoryRows: () => [memoryRows()],
    searchFlat: () => [flatRequest(), undefined],
    searchFlatSync: () => [
      new binding.MemoryRows(memoryRows()),
      floats(1, 1),
      new Float64Array(57).fill(1, 0, 1),
      new Float64Array(8),
    ],
    tagTimesSync: () => [['in 1999'], Float64Array.of(NaN), 0],
    tagTimes: () => [['in 1999'], Float64Array.of(NaN), 0, undefined],
    stateCues: () => ['in 1999', Int32Array.of(1999)],
    contentMentions: () => ['in 1999', Uint32Array.of(0, 7), Float64Array.of(0, 7, 0, 1, 0), 0.5],
    querySignals: () => ['when'],
    courseOf: () => ['joined'],
    openQuestionReader: () => [readerModel, model],
    readQuestion: () => [reader, 'Who won in 1999?', 0.5],
    preferenceOf: () => [preferenceRequest()],
    ...goodFactsArguments(segment),
    ...(await goodIndexingArguments()),
    cascade: () => [cascadeRequest()],
    mixCascade: () => [
      {
        ordered: Float64Array.of(-1, -2),
        relevance: Float64Array.of(-2, -1),
        outdated: Float64Array.of(0, 1),
      },
      0.6,
    ],
    packPanels: () => [floats(1, 2), 2, 'int8', undefined],
    packClocks: () => [clocks()],
    planMerge: () => [[], undefined],
    writeMerge: () => [
      freshFile(),
      {
        segments: [],
        plan: { passages: 0, multiSentence: 0, rows: 0, newRows: [], newPassages: [] },
        sections: [],
        storage: 'int8',
      },
      undefined,
    ],
    openStaticEncoder: () => [model],
    staticEncoderHeader: () => [encoder],
    encodeTexts: () => [encoder, ['a text'], undefined],
    wordRarity: () => [encoder, 'the'],
    tokenizeWords: () => [encoder, ['a', 'text']],
    cosinesOfTokens: () => [encoder, Uint32Array.of(1, 2, 2), Uint32Array.of(2, 3), 1, undefined],
    tokenizeText: () => [encoder, 'a text'],
    packFields: () => [[{ numbers: Float64Array.of(1, NaN) }], 2],
    filterPassages: () => [
      new binding.MemoryRows(memoryRows()),
      { kind: 'all', of: [] },
      undefined,
    ],
    fieldNumbers: () => [new binding.MemoryRows(memoryRows()), -1, Uint32Array.of(0), undefined],
    countValues: () => [[rows], [Uint8Array.of(2)], 0, 10, undefined],
    analyze: () => ['Ida mills'],
    termSpans: () => ['Ida mills', ['mill']],
    composed: () => ['e\u0301'],
    isComposed: () => ['e\u0301'],
    lowerCase: () => ['Ida'],
    stemOf: () => ['mills'],
    writtenWords: () => ['Ida 7b'],
    readerFeatures: () => [],
    readAnswer: () => [toRead(), spanWeights(), new Float64Array(6).fill(1), undefined],
    spansOf: () => ['Ida of 1970', Uint32Array.of(7, 11)],
    candidatesOf: () => [toRead()],
    bestSpan: () => [candidates().handle, new Float64Array(candidates().passages.length)],
    openTermRows: () => [],
    addTermRows: () => [binding.openTermRows(), passageTexts(), undefined],
    packTermRows: () => [binding.openTermRows(), Uint32Array.of()],
    buildPostings: () => [termRows(), undefined],
    mergePostings: () => [[], { multiSentence: 0, passages: 0, rows: 0 }, undefined],
    searchLexical: () => [lexicalRequest(), undefined],
    trainingRows: () => [2],
    appendTrainingRows: () => [binding.trainingRows(2), floats(1, 0, 0, 1)],
    startAdapterTraining: () => [gatheredRows(), trainingRequest()],
    startTimeTraining: () => [gatheredRows(), timeTrainingRequest()],
    runTraining: () => [startedTraining(), 2, undefined],
    releaseTrainingMemory: () => [startedTraining()],
    trainingGradient: () => [startedTraining(), Uint32Array.of(0, 1)],
    trainingState: () => [startedTraining()],
    restoreTraining: () => [startedTraining(), binding.trainingState(startedTraining())],
    adaptVectors: () => [floats(1, 0, 0, 1), floats(1, 2, 3, 4), 2, undefined],
    timeParameterCount: () => [timeNetwork()],
    openTimeEncoder: () => [
      timeNetwork(),
      new Float32Array(binding.timeParameterCount(timeNetwork())),
    ],
    fuseTimes: () => [timeEncoder, floats(1, 0, 0, 1), timeDates(), undefined],
    contentDates: () => [rows, undefined],
    writeFusedVectors: () => [
      freshFile(),
      {
        segment: rows,
        encoder: timeEncoder,
        dates: timeDates(),
        sections: [{ name: 'numbers', data: floats(1) }],
      },
      undefined,
    ],
    timeVectors: () => [timeEncoder, timeDates()],
    countTerms: () => [rows, Uint32Array.of(1, 0), ['a'], undefined],
    passageKeywordScores: () => [
      [rows],
      { segment: Uint32Array.of(0, 0), passage: Uint32Array.of(1, 0) },
      keywordForms(),
      undefined,
    ],
    keywordScores: () => [['a'], keywordForms()],
    documentFrequencies: () => [rows, ['a'], Uint8Array.of(7)],
    findPassages: () => [rows, ['a', 'c'], Uint8Array.of(7)],
    rowCounts: () => [rows, Uint8Array.of(7)],
    clocksOfRows: () => [rows, Uint32Array.of(1, 0)],
    rowsOfPassages: () => [rows, Uint32Array.of(1, 0)],
    scoreLexical: () => [{ segments: [], terms: ['word'], scope: 2, k1: 0.9, b: 0.4 }, undefined],
  };
}
