// Accuracy of Re3's temporal extractor (its table 5) by component, and speed: of the grammar, of
// the learned extractor, and of both: the learned one where the grammar finds no time, or where it
// finds none or several. node --import tsx bench/quality/time/extractor.ts [--most N] [--model DIR]
// [--keep DIR] [--wrong N] The paper's sets are not on the machine: those of datedTexts.ts stand in
// for them. Without onnxruntime-node the grammar's rows alone are printed.
import { parseArgs } from '../../options.js';
import { AsOfError } from '../../../lib/index.js';
import {
  fallbackExtractor,
  grammarExtractor,
  singleTimeExtractor,
  timeTuples,
  type TimeExtractor,
  type TimeTuple,
} from '../../../lib/time/index.js';
import { learnedTimeExtractor } from '../../../lib/models/index.js';
import { tupleAccuracy } from '../../../packages/evaluation/lib/index.js';
import { describeMachine, machine } from '../../machine.js';
import { datedGroups, type DatedGroup } from '../sets/datedTexts.js';
import { requireData, workFolder } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    most: { type: 'string', default: '2000' },
    model: { type: 'string' },
    keep: { type: 'string' },
    wrong: { type: 'string' },
  },
});
requireData();

const work = workFolder('extractor', values.keep);
const extractors: [string, TimeExtractor][] = [['grammar', grammarExtractor]];
try {
  const learned = await learnedTimeExtractor(
    values.model === undefined ? {} : { path: values.model },
  );
  extractors.push(
    ['learned', learned],
    ['where none', fallbackExtractor(grammarExtractor, learned)],
    ['where none or several', fallbackExtractor(singleTimeExtractor, learned, grammarExtractor)],
  );
} catch (error) {
  if (!AsOfError.is(error) || error.code !== 'ERR_NATIVE_UNAVAILABLE') throw error;
  console.log(`the learned extractor is not run: ${error.message}`);
}
console.log(describeMachine(machine()));
console.log(
  "Re3's table 5 (year, month, day, exact match), its learned extractor on its own texts, " +
    'for scale:',
);
console.log(
  '  NYC-Q 0.992 0.990 0.991 0.989, NYC-D 0.986 0.985 0.983 0.981, NOAA-Q 0.985 0.982 0.988 ' +
    '0.982, NOAA-D 0.981 0.988 0.985 0.980\n',
);
console.log(
  '| set (texts) | by | year | month | day | exact | texts/s |\n| --- | --- | --- | --- | ' +
    '--- | --- | --- |',
);
for await (const group of datedGroups(work, Number(values.most)))
  for (const [by, extractor] of extractors) await measure(group, by, extractor);
for (const [, extractor] of extractors)
  if ('close' in extractor) await (extractor as { close(): Promise<void> }).close();

async function measure(
  { name, kind, texts }: DatedGroup,
  by: string,
  extractor: TimeExtractor,
): Promise<void> {
  const read = (some: DatedGroup['texts']): Promise<TimeTuple[]> =>
    timeTuples(
      some.map(({ text }) => text),
      { kind, references: some.map(({ reference }) => reference), extractor },
    );
  await read(texts.slice(0, 100)); // warm-up
  const started = performance.now();
  const tuples = await read(texts);
  const perSecond = (1000 * texts.length) / (performance.now() - started);
  const { year, month, dayOfMonth, exactMatch } = tupleAccuracy(
    tuples,
    texts.map(({ expected }) => expected),
  );
  const shares = [year, month, dayOfMonth, exactMatch].map((share) => share.toFixed(4));
  console.log(
    `| ${[`${name} (${texts.length})`, by, ...shares, perSecond.toPrecision(2).replace(/e\+.*/, (e) => `e${e.slice(2)}`)].join(' | ')} |`,
  );
  const right = (at: number): boolean =>
    tupleAccuracy([tuples[at]!], [texts[at]!.expected]).exactMatch === 1;
  const wrong = texts.flatMap(({ text, reference, expected }, at) =>
    right(at)
      ? []
      : [
          `  wrong (${reference}) ${show(tuples[at]!)} for ${show(expected)}: ${text.slice(0, 200)}`,
        ],
  );
  for (const line of wrong.slice(0, Number(values.wrong ?? 0))) console.log(line);
}

function show({ year, month, dayOfMonth }: TimeTuple): string {
  return [year, month, dayOfMonth].filter(Boolean).join('-') || 'none';
}
