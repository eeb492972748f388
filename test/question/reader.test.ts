// The question reader against a float64 oracle, in edge cases, and on damaged model files.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import type { QuestionReader, ReadQuestion } from '../../binding.js';
import { addonPath, binding } from '../../lib/binding.js';
import { AsOfError, type ErrorCode } from '../../lib/errors.js';
import { failsWith } from '../failsWith.js';
import { randomOf } from '../fuzz/inputs.js';
import {
  mostTokens,
  readQuestion,
  readQuestionModel,
  tokensOf,
  type OracleReader,
  type OracleReading,
} from '../oracle/questionReader.js';
import { readStaticModel } from '../oracle/staticModel.js';
import { temporaryFolder } from '../store/fixtures.js';

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../models/${name}`, import.meta.url));
const embedded = pathOf('question-reader.bin');
const encoder = pathOf('default-encoder.bin');
const original = readFileSync(embedded);
const reference = Date.UTC(2024, 4, 17, 9, 30);

/** The file with other bytes, and the checksum of those. */
function resealed(change: (bytes: Buffer) => void, given: Uint8Array = original): Buffer {
  const bytes = Buffer.from(given);
  change(bytes);
  bytes.writeUInt32LE(binding.crc32c(bytes.subarray(16)), 12);
  return bytes;
}

/** The first and last units of blanks and symbols beyond ASCII, and their neighbours. */
const edges = [
  0x7f, 0x80, 0x9f, 0xa0, 0xa1, 0xbf, 0xc0, 0x1fff, 0x2000, 0x200a, 0x200b, 0x200f, 0x2010, 0x202e,
  0x202f, 0x2030, 0x203a, 0x203b, 0x209f, 0x20a0, 0x20cf, 0x20d0, 0x2211, 0x2212, 0x2213, 0x2fff,
  0x3000, 0x3001, 0x303f, 0x3040, 0xd7ff, 0xd800, 0xdfff, 0xe000, 0xfefe, 0xfeff, 0xff00, 0xff0f,
  0xff10,
];

const questions = [
  'Who was the president of France on 14 May 2017?',
  'What changed between March 1999 and the end of 2003, and since then?',
  'Which laptop did she buy two years after the merger?',
  "What was the company's first product? And its third-to-last one?",
  "who's the ceo now",
  'How long did the 2nd strike of 1926 last?',
  'Is `retry` still in 1.0.0-rc.4, or only since v2.3.1+build.5?',
  'What did CVE-2021-44228, ISO 8601:2004 and RFC 2119 say before 2022-01-31?',
  'wat was teh capitol befor 1900 , and afer it',
  'LATEST RELEASE OF POSTGRESQL AS OF Q3 2023?!',
  'How many people lived there in the 1870s, the 19th century, winter 1939-40 and 44 BC?',
  'At 5 pm last Tuesday, for three weeks, every Monday, recently?',
  'Wer war 1990 Bundeskanzler, und wer’s heute? Zürich, naïve, Ærøskøbing.',
  '東京の人口は2010年にいくらでしたか。',
  'Кто был президентом до 1999 года?',
  'من كان الرئيس قبل عام 2011؟',
  'When 🎉 did 👩‍👩‍👧 and 🇫🇷 win in 2018? ❤️',
  'When',
  '2020',
  '?',
  '... ?! -- 「」 ()',
  '12/31/1999 23:59:59.999',
  'Error 404 of pneumonoultramicroscopicsilicovolcanoconiosis-1 in 2021',
  edges.map((unit) => `a${String.fromCharCode(unit)}b`).join(' '),
  "'s 's x's 'S rock'n'roll don’t O'Brien's ’s",
  'a--b a-b- -a _a_ a@b.c C++ C# F#-G AT&T 1.2.3. x:y/z',
  `${'very '.repeat(30)}long ${'x'.repeat(300)} ${'ab'.repeat(20)} in 1999`,
  `In 1815 ${'it rained in May 1999, and after the war of 1870 too; '.repeat(40)}when?`,
  `In Paris ${'word '.repeat(255)}.`,
  'word '.repeat(mostTokens + 1),
];

const word = fc.oneof(
  fc.constantFrom(
    'first last latest current next previous third now today yesterday recently when how long who',
    'before after since until between around during as of in on by from to and the year month week',
    'days later ago 2nd 3 12 1999 2024-05-17 1990s BC Q3 May Monday winter century Christmas noon',
    'version 1.0.0-rc.4 v2.3 RFC 2119 ISO-8601 CVE-2021-44228 Ann Zürich O’Brien Bob’s don’t Inc.',
    '? ! , . ; : - -- – — ( ) " \' / @ + # & $ € % 東京 Кто 😀 naïve ÀÉ a _ x_y 年',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const phrases = word.chain((words) => fc.constantFrom(...words.split(' ')));
const texts = fc.oneof(
  fc
    .array(fc.tuple(phrases, fc.constantFrom(' ', ' ', ' ', '', '\n', '\u3000')), { maxLength: 24 })
    .map((parts) => parts.flat().join('')),
  fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
);

type Span = [begin: number, end: number];
const spansOf = (ends: Uint32Array): Span[] =>
  Array.from({ length: ends.length / 2 }, (_, i) => [ends[2 * i]!, ends[2 * i + 1]!]);
const inside = (at: number, [begin, end]: Span): boolean => begin <= at && at < end;

/** Spans are runs of whole tokens of those that are read, in order, and do not overlap. */
function assertSpans(text: string, read: ReadQuestion): void {
  const tokens = tokensOf(text).slice(-mostTokens);
  const begins = new Set(tokens.map(({ begin }) => begin));
  const ends = new Set(tokens.map(({ end }) => end));
  const removed = spansOf(read.removed);
  const spans = tokens.length === 0 ? removed : [...removed, ...spansOf(read.anchor)];
  for (const [begin, end] of spans)
    assert.ok(begins.has(begin) && ends.has(end) && begin < end, `${begin}-${end}`);
  for (let i = 1; i < removed.length; i += 1) assert.ok(removed[i - 1]![1] <= removed[i]![0]);
  assert.equal(read.anchor.length, 2);
}

/** What differs between classes or spans by less than this is not compared. */
const margin = 1e-4;

function assertOutputs(read: ReadQuestion, { outputs }: OracleReading): void {
  assert.equal(read.best.length, outputs.length);
  outputs.forEach((classes, k) => {
    const [most, second] = classes.toSorted((a, b) => b - a);
    if (most! - second! > margin) assert.equal(read.best[k], classes.indexOf(most!), `output ${k}`);
    const error = Math.abs(read.confidences[k]! - classes[read.best[k]!]!);
    assert.ok(error <= 1e-3 && classes[read.best[k]!]! >= most! - margin, `output ${k}: ${error}`);
  });
}

/** The probability of each date is that of a mention: of a list's dates the highest. */
function assertBounds({ dates }: ReadQuestion, { bounds }: OracleReading): void {
  for (const [at, bound] of dates.bounds.entries())
    assert.ok(
      bounds.some((each) => Math.abs(bound - each) <= 1e-3),
      `date ${at}: ${bound}`,
    );
}

/** The runs of tokens that are removed; where classes tie, as the addon has it. */
function assertRemoved(read: ReadQuestion, { tokens, tags }: OracleReading): void {
  const found = spansOf(read.removed);
  const expected: Span[] = [];
  let joins = false;
  tokens.forEach(({ begin, end }, i) => {
    const [topic, removed, anchor] = tags[i]!;
    const lead = removed! - Math.max(topic!, anchor!);
    const isRemoved =
      Math.abs(lead) > margin ? lead > 0 : found.some((span) => inside(begin, span));
    if (isRemoved && joins) expected.at(-1)![1] = end;
    else if (isRemoved) expected.push([begin, end]);
    joins = isRemoved;
  });
  assert.deepEqual(found, expected);
}

/** The anchor is the likeliest run of tokens, by its ends and their odds; of like ones, any. */
function assertAnchor(read: ReadQuestion, { tokens, tags, edges }: OracleReading): void {
  const [span] = spansOf(read.anchor);
  if (tokens.length === 0) return assert.deepEqual(span, [0, 0]);
  const log = (p: number): number => Math.log(Math.max(p, 1e-9));
  const odds = tags.map(([topic, removed, anchor]) => log(anchor!) - log(topic! + removed!));
  let most = -Infinity;
  let own = -Infinity;
  for (let i = 0; i < odds.length; i += 1) {
    let sum = log(edges[0][i]!);
    for (let j = i; j < odds.length; j += 1) {
      sum += odds[j]!;
      const score = sum + log(edges[1][j]!);
      most = Math.max(most, score);
      if (tokens[i]!.begin === span![0] && tokens[j]!.end === span![1]) own = score;
    }
  }
  assert.ok(own >= most - margin * (1 + tokens.length), `${String(span)}: ${own} for ${most}`);
}

describe('question: reader', () => {
  const folder = temporaryFolder();
  const table = readStaticModel(encoder);
  let reader: QuestionReader;
  let encoderHandle: Awaited<ReturnType<typeof binding.openStaticEncoder>>;
  const piecesOf = (one: string): Iterable<number> =>
    binding.tokenizeWords(encoderHandle, [one]).ids;
  before(async () => {
    reader = binding.openQuestionReader(embedded, encoder);
    encoderHandle = await binding.openStaticEncoder(encoder);
  });

  function assertAgrees(
    opened: QuestionReader,
    model: OracleReader,
    text: string,
    asked = reference,
  ): void {
    const read = binding.readQuestion(opened, text, asked);
    const times = binding.tagTimesSync([text], Float64Array.of(asked), 3);
    const expected = readQuestion(model, { text, reference: asked, times, table, piecesOf });
    try {
      assertSpans(text, read);
      assertOutputs(read, expected);
      assertRemoved(read, expected);
      assertAnchor(read, expected);
      assertBounds(read, expected);
    } catch (error) {
      throw new Error(JSON.stringify(text), { cause: error });
    }
  }

  it('returns what its definition says in float64 for questions of many kinds', () => {
    const model = readQuestionModel(embedded);
    for (const text of questions) assertAgrees(reader, model, text);
  });

  it('and for any text, whenever it is asked', () => {
    const model = readQuestionModel(embedded);
    const asked = fc.oneof(
      fc.constantFrom(reference, NaN, 0, -62135596800000, 8.64e15, Infinity),
      fc.double(),
    );
    fc.assert(
      fc.property(texts, asked, (text, at) => assertAgrees(reader, model, text, at)),
      { numRuns: 150 },
    );
  });

  it('and for any weights', () => {
    const random = randomOf(7);
    const { sections } = readQuestionModel(embedded);
    for (let i = 0; i < 3; i += 1) {
      const path = folder.path(`weights-${i}.bin`);
      const change = (bytes: Buffer): void => {
        for (const { type, at, count } of sections)
          if (type === 'i8')
            for (let j = 0; j < count; j += 1) bytes[at + j] = Math.floor(random() * 256);
      };
      writeFileSync(path, resealed(change));
      const opened = binding.openQuestionReader(path, encoder);
      const model = readQuestionModel(path);
      for (const text of questions.slice(0, -4)) assertAgrees(opened, model, text);
      fc.assert(
        fc.property(texts, (text) => assertAgrees(opened, model, text)),
        { numRuns: 20 },
      );
    }
  });

  it('reads nothing in an empty text, and in one of blanks', () => {
    for (const text of ['', ' ', ' \t\r\n\v\f', '\u00a0\u2003\u202f\u3000\ufeff'.repeat(300)]) {
      const { dates, event, ...read } = binding.readQuestion(reader, text, reference);
      assert.equal(dates.starts.length, 0);
      assert.equal(event.clause, '');
      assert.deepEqual(read, {
        best: Uint8Array.of(0, 0, 2, 0, 0, 0, 0, 0, 0),
        confidences: new Float32Array(9),
        relations: new Float32Array(8),
        anchor: Uint32Array.of(0, 0),
        removed: new Uint32Array(0),
        removedCues: 0,
        count: 1,
        predicate: 1,
      });
    }
  });

  it('reads the end of a text of 20,000 units and more', () => {
    const fill = (part: string, length = 20_000): string =>
      part.repeat(Math.ceil(length / part.length));
    for (const part of ['a', '?', '\ud800', "'s", 'a-', 'A ', '1', 'in 1999 ', 'last year, ', '東'])
      assertSpans(fill(part), binding.readQuestion(reader, fill(part), reference));
    const end = 'Who was king before the war of 1870?';
    const before = binding.readQuestion(reader, `${fill('word ')}${end}`, reference);
    const longer = binding.readQuestion(reader, `${fill('word ', 200_000)}${end}`, reference);
    assert.deepEqual(longer.confidences, before.confidences);
    assert.deepEqual(longer.dates.bounds, before.dates.bounds);
    assert.deepEqual(
      longer.removed.map((at) => at - 180_000),
      before.removed,
    );
  });

  it('gives mentions before what it reads the probability 0', () => {
    const text = `On 18 June 1815, ${'word '.repeat(mostTokens)}`;
    const { dates } = binding.readQuestion(reader, text, reference);
    assert.deepEqual(dates.bounds, Float32Array.of(0));
  });

  it('returns the same bits twice, and by another handle', () => {
    const copy = folder.path('copy.bin');
    copyFileSync(embedded, copy);
    const handles = [
      reader,
      binding.openQuestionReader(embedded, encoder),
      binding.openQuestionReader(copy, encoder),
    ];
    for (const text of questions) {
      const first = binding.readQuestion(reader, text, reference);
      for (const handle of handles)
        assert.deepEqual(binding.readQuestion(handle, text, reference), first);
    }
  });

  it('works in a worker thread, and outlives it', async () => {
    const source = `const { parentPort, workerData } = require('node:worker_threads');
      const addon = require(workerData.addon);
      const reader = addon.openQuestionReader(workerData.model, workerData.encoder);
      parentPort.postMessage(addon.readQuestion(reader, 'Who won in 2020?', 0));`;
    const worker = new Worker(source, {
      eval: true,
      workerData: { addon: addonPath, model: embedded, encoder },
    });
    const read = await new Promise((resolve, reject) =>
      worker.once('message', resolve).once('error', reject),
    );
    await worker.terminate();
    assert.deepEqual(read, binding.readQuestion(reader, 'Who won in 2020?', 0));
  });

  it('refuses handles of other kinds, and arguments of other types', () => {
    const { readQuestion: read, openQuestionReader: open } = binding;
    for (const handle of [encoderHandle, {}, null, undefined, 'reader', 1, { ...reader }])
      assert.throws(
        () => read(handle as never, 'When?', 0),
        failsWith('ERR_INVALID_ARGUMENT', /Expected reader to be what openQuestionReader gave/),
      );
    for (const text of [undefined, null, 7, ['When?'], new String('When?')])
      assert.throws(
        () => read(reader, text as never, 0),
        failsWith('ERR_INVALID_ARGUMENT', /Expected text to be a string/),
      );
    for (const asked of [undefined, null, '0', 0n, new Date()])
      assert.throws(
        () => read(reader, 'When?', asked as never),
        failsWith('ERR_INVALID_ARGUMENT', /Expected reference to be a number/),
      );
    assert.throws(
      () => open(undefined as never, encoder),
      failsWith('ERR_INVALID_ARGUMENT', /model/),
    );
    assert.throws(
      () => open(embedded, encoderHandle as never),
      failsWith('ERR_INVALID_ARGUMENT', /encoder/),
    );
    assert.throws(
      () => binding.encodeTexts(reader as never, ['a']),
      failsWith('ERR_INVALID_ARGUMENT', /openStaticEncoder/),
    );
  });
});

describe('question: model files', () => {
  const folder = temporaryFolder();
  const { sections } = readQuestionModel(embedded);
  let count = 0;
  const written = (bytes: Uint8Array): string => {
    const path = folder.path(`${(count += 1)}.bin`);
    writeFileSync(path, bytes);
    return path;
  };
  const changed = (change: (bytes: Buffer) => void): string => {
    const bytes = Buffer.from(original);
    change(bytes);
    return written(bytes);
  };
  const refuses = (model: string, code: ErrorCode, pattern?: RegExp, table = encoder): void =>
    assert.throws(() => binding.openQuestionReader(model, table), failsWith(code, pattern));

  it('rejects missing, foreign, empty and newer files', () => {
    refuses(folder.path('none.bin'), 'ERR_NOT_FOUND', /none\.bin/);
    refuses(embedded, 'ERR_NOT_FOUND', /none\.bin/, folder.path('none.bin'));
    refuses('', 'ERR_NOT_FOUND');
    refuses(folder.path(''), 'ERR_CORPUS_FOREIGN');
    refuses(written(new Uint8Array(0)), 'ERR_CORPUS_FOREIGN');
    refuses(written(Buffer.from('PK\u0003\u0004 something else')), 'ERR_CORPUS_FOREIGN', /begin/);
    refuses(encoder, 'ERR_CORPUS_FOREIGN', /begin/);
    refuses(embedded, 'ERR_CORPUS_FOREIGN', /begin/, embedded);
    const ofVersion = (version: number): string =>
      changed((bytes) => bytes.writeUInt32LE(version, 8));
    refuses(ofVersion(2), 'ERR_CORPUS_NEWER', /version 2/);
    refuses(ofVersion(0), 'ERR_CORPUS_CORRUPT', /version 0/);
  });

  it('rejects files that are truncated or longer, at any section', () => {
    const ends = [8, 12, 16, 55, 56, ...sections.flatMap(({ at }) => [at, at + 1])];
    for (const length of [...ends, original.length - 1]) {
      const cut = original.subarray(0, length);
      refuses(written(cut), 'ERR_CORPUS_CORRUPT');
      if (length < 56) continue;
      const ofItsLength = resealed((bytes) => bytes.writeBigUInt64LE(BigInt(length), 16), cut);
      refuses(written(ofItsLength), 'ERR_CORPUS_CORRUPT', /ends before/);
    }
    const longer = Buffer.concat([original, Buffer.alloc(1)]);
    refuses(written(longer), 'ERR_CORPUS_CORRUPT', /bytes long/);
    const ofItsLength = resealed(
      (bytes) => bytes.writeBigUInt64LE(BigInt(longer.length), 16),
      longer,
    );
    refuses(written(ofItsLength), 'ERR_CORPUS_CORRUPT', /more behind/);
  });

  it('rejects a flipped bit in any section, by its checksum', () => {
    for (const at of [...sections.map((section) => section.at), original.length - 1])
      refuses(
        changed((bytes) => (bytes[at]! ^= 1)),
        'ERR_CORPUS_CORRUPT',
        /checksum/,
      );
  });

  it('rejects sizes that do not fit, even with a valid checksum', () => {
    const [, classes, dilations] = sections;
    const places = [
      ...Array.from({ length: 8 }, (_, i) => 24 + 4 * i),
      ...Array.from({ length: classes!.count }, (_, i) => classes!.at + 4 * i),
    ];
    for (const at of places) {
      const size = original.readUInt32LE(at);
      for (const other of [0, size - 1, size + 1, 2 * size, 4096, 4097, 0x7fffffff, 0xffffffff])
        refuses(written(resealed((bytes) => bytes.writeUInt32LE(other, at))), 'ERR_CORPUS_CORRUPT');
    }
    // as many bytes, of another order of outputs
    const swapped = resealed((bytes) => {
      bytes.writeUInt32LE(original.readUInt32LE(classes!.at + 4), classes!.at);
      bytes.writeUInt32LE(original.readUInt32LE(classes!.at), classes!.at + 4);
    });
    refuses(written(swapped), 'ERR_CORPUS_CORRUPT', /sizes of this version|finite numbers/);
    const moved = dilations!.at + 4 * (dilations!.count - 1);
    for (const dilation of [mostTokens, 0xffffffff]) {
      const path = written(resealed((bytes) => bytes.writeUInt32LE(dilation, moved)));
      const reader = binding.openQuestionReader(path, encoder);
      assertSpans(questions[0]!, binding.readQuestion(reader, questions[0]!, reference));
    }
  });

  it('survives any single damaged byte of its preamble', () => {
    for (let at = 0; at < 56; at += 1) {
      const damaged = changed((bytes) => (bytes[at]! ^= 0x55));
      assert.throws(
        () => binding.openQuestionReader(damaged, encoder),
        (error: unknown) => AsOfError.is(error) && error.code.startsWith('ERR_CORPUS_'),
        `byte ${at}`,
      );
    }
  });

  it('and any bytes of any section, with a valid checksum', () => {
    const place = fc.oneof(
      fc
        .constantFrom(...sections)
        .chain(({ at, count: numbers, type }) =>
          fc.nat(numbers * (type === 'i8' ? 1 : 4) - 1).map((i) => at + i),
        ),
      fc.integer({ min: 16, max: 160 }),
    );
    const value = fc.oneof(fc.nat(255), fc.constantFrom(0, 0x7f, 0x80, 0xff));
    const changes = fc.array(fc.tuple(place, value), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(changes, (all) => {
        const path = written(
          resealed((bytes) => {
            for (const [at, byte] of all) bytes[at] = byte;
          }),
        );
        try {
          const reader = binding.openQuestionReader(path, encoder);
          for (const text of questions.slice(0, 4)) {
            const { removed, anchor } = binding.readQuestion(reader, text, reference);
            for (const at of [...removed, ...anchor]) assert.ok(at <= text.length);
          }
        } catch (error) {
          assert.ok(AsOfError.is(error) && error.code.startsWith('ERR_CORPUS_'), String(error));
        }
      }),
      { numRuns: 100 },
    );
  });
});
