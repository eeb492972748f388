// `asof repair`: the readable passages of a damaged corpus, in a new one.
import type { RepairReport } from '../../store/repair/context.js';
import { repairCorpus } from '../../store/repair/repair.js';
import type { Invocation } from '../command.js';
import { openEncoder } from '../inputs/encoders.js';
import { checkFolder } from '../inputs/storedCorpus.js';
import { counted, wrap } from '../tables/layout.js';
import { duration, whole, type Terminal } from '../terminal.js';

/** Ids of a list that are printed. */
const printedIds = 20;

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal, positionals } = invocation;
  const [corpus, repaired] = positionals as [string, string];
  for (const each of [corpus, repaired]) checkFolder(each);
  const encoder = await openEncoder(invocation);
  const started = performance.now();
  const bar = terminal.progress('reading', 'segments');
  const options = { encoder, signal, onProgress: bar.update };
  const report = await repairCorpus(corpus, repaired, options).finally(() => bar.end());
  const milliseconds = performance.now() - started;
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
