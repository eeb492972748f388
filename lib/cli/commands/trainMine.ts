// `asof train mine`: training triplets of a corpus as JSON lines.
import { toTripletRecord, type Split } from '../../train/mining/triplets.js';
import { UsageError, option, type Command } from '../command.js';
import { openCorpus } from '../options/corpus.js';
import { encoderOptions } from '../options/encoders.js';
import { openModel } from '../options/model.js';
import { minedTriplets, miningOptions } from '../options/trainOptions.js';

const printedUnits = 1 << 16;

export const command: Command = {
  name: 'train mine',
  summary: 'Mines training triplets from the dated passages of a corpus.',
  positionals: ['DIR'],
  options: {
    split: { type: 'string', value: 'S', help: 'train or test, by page, 80 to 20; default both' },
    ...miningOptions,
    ...encoderOptions,
  },
  details:
    'out: {kind, split, question, by?, relation?, window_start?, window_end?, positive:{id, ' +
    'title?, text}, negative:{id, title?, text}, margin, gap_years?} a line; window_end is ' +
    'exclusive, null an open end. Output is deterministic for the same corpus, encoder and ' +
    'options.',
  example: 'asof train mine wiki.asof --split train > triplets.jsonl',
  async run(invocation) {
    const { terminal } = invocation;
    const split = option(invocation, 'split') as Split | undefined;
    if (split !== undefined && split !== 'train' && split !== 'test') {
      throw new UsageError(
        `--split must be train or test, received ${JSON.stringify(split)}.`,
        command.name,
      );
    }
    const mine = minedTriplets(invocation, command, split);
    await using opened = await openModel(invocation, command);
    const corpus = await openCorpus(invocation.positionals[0]!, invocation, { readOnly: true });
    try {
      let text = '';
      let made = 0;
      for await (const triplet of mine(corpus, opened.options)) {
        made += 1;
        text += `${JSON.stringify(toTripletRecord(triplet))}\n`;
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
  },
};
