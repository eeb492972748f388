// `asof train mine`: training triplets of a corpus as JSON lines.
import {
  type Command,
  type Invocation,
  corpusChoice,
  modelChoice,
  encoderChoice,
  wordOption,
} from 'asof/command';
import { toSentenceTransformersRecord, toTripletRecord, splits } from '../mining/triplets.js';
import { minedTriplets } from './inputs/minedTriplets.js';
import { miningOptions } from './options/trainOptions.js';

export const command: Command = {
  name: 'train mine',
  summary: 'Mines training triplets from the dated passages of a corpus.',
  positionals: ['DIR'],
  options: {
    split: { value: 'S', help: 'train or test, by page, 80 to 20; default both' },
    format: {
      value: 'F',
      help:
        'asof (default), or sentence-transformers: {anchor, positive, negative, label} a line, ' +
        'to fine-tune an encoder with',
    },
    ...miningOptions,
    ...encoderChoice.options,
  },
  details:
    'out: {kind, split, question, by?, relation?, window_start?, window_end?, positive:{id, ' +
    'title?, text, published_at?}, negative:{...}, margin, gap_years?} a line; window_end is ' +
    'exclusive, null an open end. train adapter and train re3 read it. Output is deterministic ' +
    'for the same corpus, encoder and options.',
  example: 'asof train mine wiki.asof --split train > triplets.jsonl',
};

const printedUnits = 1 << 16;
const formats = {
  asof: toTripletRecord,
  'sentence-transformers': toSentenceTransformersRecord,
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal } = invocation;
  const split = wordOption(invocation, 'split', splits);
  const names = Object.keys(formats) as (keyof typeof formats)[];
  const toRecord = formats[wordOption(invocation, 'format', names) ?? 'asof'];
  const mine = minedTriplets(invocation, split);
  const opened = modelChoice.open(invocation);
  const corpus = await corpusChoice.openFolder(invocation.positionals[0]!, invocation, {
    readOnly: true,
  });
  try {
    let text = '';
    let made = 0;
    for await (const triplet of mine(corpus, opened.options)) {
      made += 1;
      text += `${JSON.stringify(toRecord(triplet))}\n`;
      if (text.length < printedUnits) continue;
      await terminal.print(text);
      text = '';
    }
    if (text !== '') await terminal.print(text);
    if (made === 0) {
      terminal.say(
        'asof: no triplets: they are made of sentences with dates, where a passage of ' +
          'another time does not answer the same question',
      );
    }
  } finally {
    await corpus.close();
  }
}
