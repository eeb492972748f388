// One good call of everything the addon exports, argument by argument with its kind, for tests that
// then spoil one thing at a time. contract.test.ts holds binding.d.ts to the addon;
// arguments.test.ts holds this table to the addon.
import { mkdtempSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { FlatRequest, OutputFile, PassagesToRead } from '../../binding.js';
import { width } from '../../lib/facts/features/features.js';
import { scanFlat } from '../../lib/retrieval/flatScan.js';
import { AsOfError } from '../../lib/errors.js';
import { packTermRows } from '../../lib/text/termRows.js';
import { goodFactsCalls, passageTexts } from './facts.js';
import { goodIndexingCalls } from './indexing.js';
import { writeSegmentFile } from '../segmentFiles.js';

/**
 * `array`: a typed array of one kind. `handle`: an opaque object of the
 * addon's. `object`: a plain object or a list, whose fields are spoiled too.
 */
export type Kind =
  | 'array'
  | 'optional array'
  | 'handle'
  | 'optional handle'
  | 'number'
  | 'count'
  | 'string'
  | 'boolean'
  | 'object'
  | 'optional object'
  | 'class'
  | 'optional class'
  | 'cancellation';

export interface Call {
  args: () => unknown[];
  kinds: Kind[];
  /** Called with `new`. */
  constructs?: true;
}

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../models/${name}`, import.meta.url));
const model = pathOf('default-encoder.bin');
const readerModel = pathOf('question-reader.bin');
/** Where files of these tests may appear. */
export const folder = mkdtempSync(join(tmpdir(), 'asof-calls-'));
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
    setErrorClass: { args: () => [AsOfError], kinds: ['class'] },
    threadCount: { args: () => [], kinds: [] },
    setThreadCount: { args: () => [0], kinds: ['count'] },
    deviceUnavailableReason: { args: () => [], kinds: [] },
    listDevices: { args: () => [], kinds: [] },
    Cancellation: { args: () => [], kinds: [], constructs: true },
    isa: { args: () => [], kinds: [] },
    watchAllocations: { args: () => [0, false], kinds: ['count', 'boolean'] },
    watchedAllocations: { args: () => [], kinds: [] },
    isaLevels: { args: () => [], kinds: [] },
    setIsa: { args: () => [''], kinds: ['string'] },
    innerProduct: {
      args: () => [floats(1, 2), floats(3, 4, 5, 6), 2, undefined],
      kinds: ['array', 'array', 'count', 'cancellation'],
    },
    thresholdProducts: {
      args: () => [floats(1, 2), floats(3, 4, 5, 6), 2, floats(0), undefined],
      kinds: ['array', 'array', 'count', 'array', 'cancellation'],
    },
    packQuantized: {
      args: () => [floats(1, 2), 2, 'int8', undefined],
      kinds: ['array', 'count', 'string', 'cancellation'],
    },
    quantizedPanels: { args: () => [quantized], kinds: ['handle'] },
    quantizedProducts: {
      args: () => [quantized, floats(1, 2), undefined],
      kinds: ['handle', 'array', 'cancellation'],
    },
    quantizedSurvivors: {
      args: () => [
        quantized,
        {
          queries: floats(1, 2),
          thresholds: floats(0),
          considered: BigUint64Array.of(1n),
        },
        undefined,
      ],
      kinds: ['handle', 'object', 'cancellation'],
    },
    topK: {
      args: () => [floats(1, 2, 3), 2, undefined],
      kinds: ['array', 'count', 'cancellation'],
    },
    normalize: {
      args: () => [floats(3, 4), 2, undefined],
      kinds: ['array', 'count', 'cancellation'],
    },
    rowSum: {
      args: () => [Int8Array.of(1, 2, 3, 4), floats(1, 2)],
      kinds: ['array', 'array'],
    },
    film: {
      args: () => [
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
      kinds: ['object', 'cancellation'],
    },
    spline: {
      args: () => [{ ...intervals(), line: line() }, undefined],
      kinds: ['object', 'cancellation'],
    },
    decay: {
      args: () => [{ ...intervals(), kind: 3, numbers: Float64Array.of(0, 864e5, 0, 0, 0.5) }],
      kinds: ['object'],
    },
    moments: { args: () => [floats(1, 2), undefined], kinds: ['array', 'cancellation'] },
    mergeMoments: { args: () => [moments(), moments()], kinds: ['object', 'object'] },
    standardize: {
      args: () => [floats(1, 2), moments(), moments(), undefined],
      kinds: ['array', 'object', 'object', 'cancellation'],
    },
    calendar: {
      args: () => [Float64Array.of(0), Uint8Array.of(5), undefined],
      kinds: ['array', 'array', 'cancellation'],
    },
    Segment: { args: () => [segment.path], kinds: ['string'], constructs: true },
    FileLock: { args: () => [freshPath()], kinds: ['string'], constructs: true },
    writeSegment: {
      args: () => [freshFile(), [{ name: 'numbers', data: floats(1, 2, 3) }], undefined],
      kinds: ['object', 'object', 'cancellation'],
    },
    crc32c: {
      args: () => [Uint8Array.of(1, 2, 3), 0, false],
      kinds: ['array', 'count', 'boolean'],
    },
    MemoryRows: { args: () => [memoryRows()], kinds: ['object'], constructs: true },
    searchFlat: { args: () => [flatRequest(), undefined], kinds: ['object', 'cancellation'] },
    searchFlatSync: {
      args: () => [
        new binding.MemoryRows(memoryRows()),
        floats(1, 1),
        new Float64Array(57).fill(1, 0, 1),
        new Float64Array(8),
      ],
      kinds: ['handle', 'array', 'array', 'array'],
    },
    tagTimesSync: {
      args: () => [['in 1999'], Float64Array.of(NaN), 0],
      kinds: ['object', 'array', 'count'],
    },
    tagTimes: {
      args: () => [['in 1999'], Float64Array.of(NaN), 0, undefined],
      kinds: ['object', 'array', 'count', 'cancellation'],
    },
    stateCues: { args: () => ['in 1999', Int32Array.of(1999)], kinds: ['string', 'array'] },
    contentMentions: {
      args: () => ['in 1999', Uint32Array.of(0, 7), Float64Array.of(0, 7, 0, 1, 0), 0],
      kinds: ['string', 'array', 'array', 'number'],
    },
    querySignals: { args: () => ['when'], kinds: ['string'] },
    courseOf: { args: () => ['joined'], kinds: ['string'] },
    openQuestionReader: { args: () => [readerModel, model], kinds: ['string', 'string'] },
    readQuestion: {
      args: () => [reader, 'Who won in 1999?', 0],
      kinds: ['handle', 'string', 'number'],
    },
    preferenceOf: { args: () => [preferenceRequest()], kinds: ['object'] },
    ...goodFactsCalls(segment),
    ...(await goodIndexingCalls()),
    cascade: { args: () => [cascadeRequest()], kinds: ['object'] },
    mixCascade: {
      args: () => [
        {
          ordered: Float64Array.of(-1, -2),
          relevance: Float64Array.of(-2, -1),
          outdated: Float64Array.of(0, 1),
        },
        0.6,
      ],
      kinds: ['object', 'number'],
    },
    packPanels: {
      args: () => [floats(1, 2), 2, 'int8', undefined],
      kinds: ['array', 'count', 'string', 'cancellation'],
    },
    packClocks: { args: () => [clocks()], kinds: ['object'] },
    planMerge: { args: () => [[], undefined], kinds: ['object', 'cancellation'] },
    writeMerge: {
      args: () => [
        freshFile(),
        {
          segments: [],
          plan: { passages: 0, multiSentence: 0, rows: 0, newRows: [], newPassages: [] },
          sections: [],
          storage: 'int8',
        },
        undefined,
      ],
      kinds: ['object', 'object', 'cancellation'],
    },
    openStaticEncoder: { args: () => [model], kinds: ['string'] },
    staticEncoderHeader: { args: () => [encoder], kinds: ['handle'] },
    encodeTexts: {
      args: () => [encoder, ['a text'], undefined],
      kinds: ['handle', 'object', 'cancellation'],
    },
    wordRarity: { args: () => [encoder, 'the'], kinds: ['handle', 'string'] },
    tokenizeWords: { args: () => [encoder, ['a', 'text']], kinds: ['handle', 'object'] },
    cosinesOfTokens: {
      args: () => [encoder, Uint32Array.of(1, 2, 2), Uint32Array.of(2, 3), 1, undefined],
      kinds: ['handle', 'array', 'array', 'count', 'cancellation'],
    },
    tokenizeText: { args: () => [encoder, 'a text'], kinds: ['handle', 'string'] },
    packFields: {
      args: () => [[{ numbers: Float64Array.of(1, NaN) }], 2],
      kinds: ['object', 'count'],
    },
    filterPassages: {
      args: () => [new binding.MemoryRows(memoryRows()), { kind: 'all', of: [] }, undefined],
      kinds: ['handle', 'object', 'cancellation'],
    },
    fieldNumbers: {
      args: () => [new binding.MemoryRows(memoryRows()), -1, Uint32Array.of(0), undefined],
      kinds: ['handle', 'number', 'array', 'cancellation'],
    },
    countValues: {
      args: () => [[rows], [Uint8Array.of(2)], 0, 10, undefined],
      kinds: ['object', 'object', 'count', 'count', 'cancellation'],
    },
    analyze: { args: () => ['Ida mills'], kinds: ['string'] },
    termSpans: { args: () => ['Ida mills', ['mill']], kinds: ['string', 'object'] },
    composed: { args: () => ['e\u0301'], kinds: ['string'] },
    isComposed: { args: () => ['e\u0301'], kinds: ['string'] },
    lowerCase: { args: () => ['Ida'], kinds: ['string'] },
    stemOf: { args: () => ['mills'], kinds: ['string'] },
    writtenWords: { args: () => ['Ida 7b'], kinds: ['string'] },
    readerFeatures: { args: () => [], kinds: [] },
    readAnswer: {
      args: () => [toRead(), spanWeights(), new Float64Array(6).fill(1), undefined],
      kinds: ['object', 'array', 'array', 'cancellation'],
    },
    spansOf: { args: () => ['Ida of 1970', Uint32Array.of(7, 11)], kinds: ['string', 'array'] },
    candidatesOf: { args: () => [toRead()], kinds: ['object'] },
    bestSpan: {
      args: () => [candidates().handle, new Float64Array(candidates().passages.length)],
      kinds: ['handle', 'array'],
    },
    openTermRows: { args: () => [], kinds: [] },
    addTermRows: {
      args: () => [binding.openTermRows(), passageTexts(), undefined],
      kinds: ['handle', 'object', 'cancellation'],
    },
    packTermRows: {
      args: () => [binding.openTermRows(), Uint32Array.of()],
      kinds: ['handle', 'array'],
    },
    buildPostings: { args: () => [termRows(), undefined], kinds: ['object', 'cancellation'] },
    mergePostings: {
      args: () => [[], { multiSentence: 0, passages: 0, rows: 0 }, undefined],
      kinds: ['object', 'object', 'cancellation'],
    },
    searchLexical: { args: () => [lexicalRequest(), undefined], kinds: ['object', 'cancellation'] },
    trainingRows: { args: () => [2], kinds: ['count'] },
    appendTrainingRows: {
      args: () => [binding.trainingRows(2), floats(1, 0, 0, 1)],
      kinds: ['handle', 'array'],
    },
    startAdapterTraining: {
      args: () => [gatheredRows(), trainingRequest()],
      kinds: ['handle', 'object'],
    },
    startTimeTraining: {
      args: () => [gatheredRows(), timeTrainingRequest()],
      kinds: ['handle', 'object'],
    },
    runTraining: {
      args: () => [startedTraining(), 2, undefined],
      kinds: ['handle', 'count', 'cancellation'],
    },
    releaseTrainingMemory: { args: () => [startedTraining()], kinds: ['handle'] },
    trainingGradient: {
      args: () => [startedTraining(), Uint32Array.of(0, 1)],
      kinds: ['handle', 'array'],
    },
    trainingState: { args: () => [startedTraining()], kinds: ['handle'] },
    restoreTraining: {
      args: () => [startedTraining(), binding.trainingState(startedTraining())],
      kinds: ['handle', 'object'],
    },
    adaptVectors: {
      args: () => [floats(1, 0, 0, 1), floats(1, 2, 3, 4), 2, undefined],
      kinds: ['array', 'array', 'count', 'cancellation'],
    },
    timeParameterCount: { args: () => [timeNetwork()], kinds: ['object'] },
    openTimeEncoder: {
      args: () => [timeNetwork(), new Float32Array(binding.timeParameterCount(timeNetwork()))],
      kinds: ['object', 'array'],
    },
    fuseTimes: {
      args: () => [timeEncoder, floats(1, 0, 0, 1), timeDates(), undefined],
      kinds: ['handle', 'array', 'object', 'cancellation'],
    },
    contentDates: { args: () => [rows, undefined], kinds: ['handle', 'cancellation'] },
    writeFusedVectors: {
      args: () => [
        freshFile(),
        {
          segment: rows,
          encoder: timeEncoder,
          dates: timeDates(),
          sections: [{ name: 'numbers', data: floats(1) }],
        },
        undefined,
      ],
      kinds: ['object', 'object', 'cancellation'],
    },
    timeVectors: { args: () => [timeEncoder, timeDates()], kinds: ['handle', 'object'] },
    countTerms: {
      args: () => [rows, Uint32Array.of(1, 0), ['a'], undefined],
      kinds: ['handle', 'array', 'object', 'cancellation'],
    },
    passageKeywordScores: {
      args: () => [
        [rows],
        { segment: Uint32Array.of(0, 0), passage: Uint32Array.of(1, 0) },
        keywordForms(),
        undefined,
      ],
      kinds: ['object', 'object', 'object', 'cancellation'],
    },
    keywordScores: { args: () => [['a'], keywordForms()], kinds: ['object', 'object'] },
    documentFrequencies: {
      args: () => [rows, ['a'], Uint8Array.of(7)],
      kinds: ['handle', 'object', 'optional array'],
    },
    findPassages: {
      args: () => [rows, ['a', 'c'], Uint8Array.of(7)],
      kinds: ['handle', 'object', 'optional array'],
    },
    rowCounts: { args: () => [rows, Uint8Array.of(7)], kinds: ['handle', 'optional array'] },
    clocksOfRows: { args: () => [rows, Uint32Array.of(1, 0)], kinds: ['handle', 'array'] },
    rowsOfPassages: { args: () => [rows, Uint32Array.of(1, 0)], kinds: ['handle', 'array'] },
    scoreLexical: {
      args: () => [{ segments: [], terms: ['word'], scope: 2, k1: 0.9, b: 0.4 }, undefined],
      kinds: ['object', 'cancellation'],
    },
  };
}
