// How well answers are read: exact match, token F1, Re3's accuracy and the share of questions
// without an answer, by reader, set and context, so that reading and retrieval are distinguished:
// `node --import tsx bench/quality/reading/answers.ts [--set timeqa-hard,nobel:25,...] [--mode
// extract,...] [--context retrieved,unfiltered,oracle,none] [--sample N] [--passages N] [--system
// hybrid] [--keep DIR] [--model NAME --base-url URL] [--reader DIR] [--misses]`. --reader has an
// extractive model in ONNX form in place of the rules of extract. SET:N asks a sample of N of that
// set. Contexts: what the system retrieves, the same without its filter of outdated versions, the
// judged passages, or none (the modes that answer from memory). It makes the sets from
// ../shared/data, measures and tunes nothing.
import { parseArgs } from '../../options.js';
import { parseMetrics } from '../../../packages/evaluation/lib/index.js';
import type { ReaderMode } from '../../../lib/papers/index.js';
import { onnxReader } from '../../../lib/models/index.js';
import { readerModes } from '../../../lib/reading/answer.js';
import { readPassages } from '../../../lib/reading/reader.js';
import { describeMachine, machine } from '../../machine.js';
import { openModel } from '../openModel.js';
import { accuracy } from './accuracy.js';
import { answerSetNames, askedOf, type AnswerQuestion } from '../sets/answerSets.js';
import { requireData } from '../sets/sets.js';

const { values } = parseArgs({
  options: {
    set: { type: 'string', default: answerSetNames.join(',') },
    mode: { type: 'string', default: readerModes.join(',') },
    context: { type: 'string', default: 'retrieved,unfiltered,oracle,none' },
    sample: { type: 'string', default: '300' },
    passages: { type: 'string', default: '5' },
    system: { type: 'string', default: 'hybrid' },
    keep: { type: 'string' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    reader: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});
requireData();

const passagesRead = Number(values.passages);
const metrics = [...parseMetrics('em,f1'), accuracy, ...parseMetrics('abstained')];
const model = await openModel(values.model, values['base-url']);
const reader = values.reader === undefined ? undefined : await onnxReader({ path: values.reader });
console.log(describeMachine(machine()));
console.log(
  `system ${values.system}, ${passagesRead} passages read, model ${model?.id ?? 'none'}, reader ${reader?.id ?? 'rules'}, at most ${values.sample} questions a set`,
);
console.log(
  'MRAG table 3 (TempRAGEval-TimeQA, other corpus and questions, Llama 3.1 8B): EM and F1 ' +
    'direct 16.0, 23.9; chain of thought 16.8, 27.8;',
);
console.log('concatenated 49.2, 59.2; Self-MRAG 54.2, 65.6 (5 passages). For scale only.');
console.log(
  'Re3 tables 1 and 2, accuracy with DeepSeek-V3.2: NOAA 0.873 (BGE-M3 0.498), COVID 0.911 ' +
    '(0.844), HoH 0.634 (0.590), on its own sets.',
);
for (const name of values.set.split(',')) await measure(name);

async function measure(named: string): Promise<void> {
  const [name, sample = values.sample] = named.split(':') as [string, string?];
  const asked = await askedOf(name, {
    system: values.system,
    sample: Number(sample),
    passages: passagesRead,
    ...(values.keep === undefined ? {} : { keep: values.keep }),
  });
  console.log(`\n## ${name}: ${asked.length} questions`);
  for (const mode of values.mode.split(',') as ReaderMode[]) {
    const remembers = mode === 'direct' || mode === 'chainOfThought';
    for (const context of values.context.split(',')) {
      if (
        remembers !== (context === 'none') ||
        (context !== 'none' && !asked.some(({ contexts }) => contexts[context]))
      )
        continue;
      const label = `${mode.padEnd(14)} ${context.padEnd(9)}`;
      if (mode !== 'extract' && !model) console.log(`${label} not run: no model`);
      else console.log(`${label} ${await row(asked, mode, context)}`);
    }
  }
}

async function row(
  asked: readonly AnswerQuestion[],
  mode: ReaderMode,
  context: string,
): Promise<string> {
  const sums = new Map(metrics.map((metric) => [metric.name, 0]));
  const used = { calls: 0, inputTokens: 0, outputTokens: 0, unstructured: 0 };
  const started = performance.now();
  for (const { text, askedAt, answers, contexts } of asked) {
    const question = askedAt === undefined ? { text } : { text, askedAt };
    const { answer, notes } = await readPassages(question, contexts[context] ?? [], {
      mode,
      passages: passagesRead,
      leastConfidence: 0,
      ...(model ? { model } : {}),
      ...(reader && mode === 'extract' ? { reader } : {}),
    });
    for (const metric of metrics) {
      sums.set(
        metric.name,
        sums.get(metric.name)! +
          (metric.of({ answers, ...(answer ? { answer: answer.items ?? answer.text } : {}) }) ?? 0),
      );
    }
    const usage = (notes['usage'] ?? {}) as { inputTokens?: number; outputTokens?: number };
    used.calls += Number(notes['calls'] ?? 0);
    used.unstructured += Number(notes['unstructured'] ?? 0);
    used.inputTokens += usage.inputTokens ?? 0;
    used.outputTokens += usage.outputTokens ?? 0;
    if (
      values.misses &&
      metrics[0]!.of({ answers, ...(answer ? { answer: answer.items ?? answer.text } : {}) }) !== 1
    ) {
      console.log(
        `  ${text}\n    wanted ${answers.join(' | ')}\n    read   ` +
          `${answer ? `${answer.text}  <- ${answer.sentence ?? '(no sentence has it)'}` : 'no answer'}`,
      );
    }
  }
  const figures = [...sums].map(([name, sum]) => `${name} ${(sum / asked.length).toFixed(3)}`);
  const each = (performance.now() - started) / asked.length;
  const calls =
    used.calls > 0
      ? `  ${(used.calls / asked.length).toFixed(1)} calls, ` +
        `${Math.round(used.inputTokens / asked.length)}+${Math.round(used.outputTokens / asked.length)} tokens a question, ${used.unstructured} ` +
        `answers no JSON`
      : '';
  return `${figures.join('  ')}  ${each.toFixed(each < 100 ? 1 : 0)} ms a question${calls}`;
}
