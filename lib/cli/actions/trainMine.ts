// `asof train mine`: training triplets of a corpus as JSON lines.
import {
  toSentenceTransformersRecord,
  toTripletRecord,
  type Split,
} from '../../train/mining/triplets.js';
import { UsageError, option, type Invocation } from '../command.js';
import { command } from '../commands/trainMine.js';
import { openFolder } from '../inputs/corpus.js';
import { minedTriplets } from '../inputs/minedTriplets.js';
import { openModel } from '../inputs/model.js';

const printedUnits = 1 << 16;
const formats = {
  asof: toTripletRecord,
  'sentence-transformers': toSentenceTransformersRecord,
};

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal } = invocation;
  const split = option(invocation, 'split') as Split | undefined;
  if (split !== undefined && split !== 'train' && split !== 'test') {
    throw new UsageError(
      `--split must be train or test, received ${JSON.stringify(split)}.`,
      command.name,
    );
  }
  const format = option(invocation, 'format') ?? 'asof';
  const toRecord = Object.hasOwn(formats, format)
    ? formats[format as keyof typeof formats]
    : undefined;
  if (!toRecord)
    throw new UsageError(
      `--format must be ${Object.keys(formats).join(' or ')}, received ${JSON.stringify(format)}.`,
      command.name,
    );
  const mine = minedTriplets(invocation, command, split);
  await using opened = await openModel(invocation, command);
  const corpus = await openFolder(invocation.positionals[0]!, invocation, { readOnly: true });
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
