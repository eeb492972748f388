// `asof repair`: the readable passages of a damaged corpus, in a new one.
import type { Command, Invocation } from '../command.js';
import { encoderOptions, openEncoder } from '../inputs/encoders.js';
import type { RepairReport } from '../../store/repair/liveness.js';
import { repairCorpus } from '../../store/repair/repair.js';
import { checkFolder } from '../inputs/storedCorpus.js';
import { counted, wrap } from '../tables/layout.js';
import { duration, timed, whole, type Terminal } from '../terminal.js';

export const command: Command = {
  name: 'repair',
  summary: 'Writes all that is readable of a damaged corpus to a new or empty folder.',
  positionals: ['DIR', 'FOLDER'],
  options: encoderOptions,
  details:
    'DIR stays as it is. Whole segments are linked or copied, readable passages of the others ' +
    'are indexed again, a lost manifest is made anew. Faults are printed, with the ids of ' +
    'passages that are lost, and of those that may have been deleted before. asof compact ' +
    'FOLDER merges the new segments.\n' +
    'The encoder of the corpus is needed where vectors are damaged, and where the manifest is ' +
    'lost, unless it is the embedded one.\n' +
    'out with --json: {corpus, repaired, passages, reindexed, lost:[id], lost_without_id, ' +
    'uncertain:[id], damage:[{file, fault, outcome}], seconds}',
  example: 'asof repair wiki.asof repaired.asof',
  failure: '1 failure or lost passages',
};

/** Ids of a list that are printed. */
const printedIds = 20;

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal, positionals } = invocation;
  const [corpus, repaired] = positionals as [string, string];
  for (const each of [corpus, repaired]) checkFolder(each);
  const encoder = await openEncoder(invocation);
  const [report, milliseconds] = await timed(
    terminal.progress('reading', 'segments'),
    (onProgress) => repairCorpus(corpus, repaired, { encoder, signal, onProgress }),
  );
  const { passages, reindexed, lost, lostWithoutId, uncertain, damage } = report;
  if (terminal.json) {
    await terminal.printJson({
      ...{ corpus, repaired, passages, reindexed, lost, lost_without_id: lostWithoutId },
      ...{ uncertain, damage, seconds: milliseconds / 1000 },
    });
  } else {
    const counts = [
      `${counted(passages, 'passage', 'passages')} kept`,
      ...(reindexed > 0 ? [`${whole(reindexed)} of them indexed again`] : []),
      `${whole(lost.length + lostWithoutId)} lost`,
    ];
    await terminal.print(`${repaired}: ${counts.join(', ')} in ${duration(milliseconds)}\n`);
    await terminal.print(rendered(report, terminal));
  }
  return lost.length + lostWithoutId > 0 ? 1 : 0;
}

function rendered(report: RepairReport, { columns, style }: Terminal): string {
  const { lost, lostWithoutId, uncertain, damage } = report;
  if (damage.length === 0) return 'Nothing was damaged.\n';
  const list = (title: string, ids: readonly string[], rest = ''): string => {
    const more = ids.length > printedIds ? `, and ${whole(ids.length - printedIds)} more` : '';
    const text = `${ids.slice(0, printedIds).join(', ')}${more}${rest}`;
    return text === ''
      ? ''
      : `${style(title, 'bold')}\n${wrap(text, { width: columns, indent: 2 })}`;
  };
  const others = lost.length > 0 ? ', and ' : '';
  return [
    `${style('damage', 'bold')}\n`,
    ...damage.map(({ file, fault, outcome }) =>
      wrap(`${file}: ${fault}; ${outcome}`, { width: columns, indent: 2 }),
    ),
    list('lost', lost, lostWithoutId > 0 ? `${others}${whole(lostWithoutId)} without an id` : ''),
    list('kept, but perhaps deleted or replaced before', uncertain),
  ].join('');
}
