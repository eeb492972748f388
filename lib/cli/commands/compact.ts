// `asof compact`: one segment out of all.
import { type Command, countOption, type Invocation } from '../command.js';
import { schemaOption, openNamed } from '../inputs/storedCorpus.js';
import { shownCorpus } from '../credentials.js';
import { counted } from '../tables/layout.js';
import { duration, timed } from '../terminal.js';

export const command: Command = {
  name: 'compact',
  summary: 'Merges the segments of a corpus into one, without deleted passages.',
  positionals: ['DIR'],
  options: {
    'keep-days': {
      value: 'N',
      help: 'of a corpus indexed with --history: drop versions that ended more than N days ago',
    },
    schema: schemaOption,
  },
  details:
    'asof index merges small segments by itself: compact after large deletions, or for the last ' +
    'few percent of speed. It verifies its sources, and needs free space of the size of the ' +
    'corpus. Searches go on meanwhile.',
  example: 'asof compact wiki.asof',
};

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal, positionals } = invocation;
  const shown = shownCorpus(positionals[0]!);
  const keepDays = countOption(invocation, 'keep-days', { least: 0 });
  const history = keepDays === undefined ? {} : { history: { keepDays } };
  const access = { create: false, ...history, signal };
  await using corpus = await openNamed(positionals[0]!, invocation, access);
  const [counts, milliseconds] = await timed(
    terminal.progress('compacting', 'steps'),
    (onProgress) => corpus.compact({ signal, onProgress }),
  );
  if (terminal.json) {
    return terminal.printJson({ corpus: shown, ...counts, seconds: milliseconds / 1000 });
  }
  const outcome = !counts
    ? 'compacted'
    : counts.merged === 0
      ? 'nothing to merge'
      : `${counted(counts.merged, 'segment', 'segments')} merged, ` +
        `${counted(counts.dropped, 'deleted passage', 'deleted passages')} dropped`;
  await terminal.print(`${shown}: ${outcome} in ${duration(milliseconds)}\n`);
}
