// `asof copy`: all passages of a corpus into another one, and the comparison of both.
import { type Command, option, UsageError, type Invocation } from '../command.js';
import { openSearchHelp, openStored, postgresHelp } from '../inputs/storedCorpus.js';
import { AsOfError } from '../../errors.js';
import type { Progress } from '../../records.js';
import { contentSum, copyOptions, copyPassages, type CopyCounts } from '../../store/copy.js';
import type { StoredCorpus } from '../../store/storedCorpus.js';
import { isPostgres, shownCorpus } from '../credentials.js';
import { counted } from '../tables/layout.js';
import { duration, timed, whole } from '../terminal.js';

export const command: Command = {
  name: 'copy',
  summary:
    'Copies all passages of a corpus into another, in a folder, PostgreSQL or OpenSearch, with ' +
    'their vectors, and compares both.',
  positionals: ['FROM', 'TO'],
  options: {
    schema: { value: 'NAME', help: 'of what is in PostgreSQL, default asof' },
    'to-schema': {
      value: 'NAME',
      help: 'of TO, where both are in PostgreSQL and it is another one',
    },
  },
  details:
    `FROM and TO are folders, or ${postgresHelp}; or ${openSearchHelp}.\n` +
    'TO is created with the encoder, fields, time zone and sentences of FROM, or has to have ' +
    'them. Nothing is encoded again. What is there already stays: an interrupted copy goes on ' +
    'where it was when the command is repeated.\n' +
    'At the end all of TO is read: its number of passages and the checksum over ids, records and ' +
    'vectors have to be those of FROM. Versions that a history keeps are not copied.',
  example: 'asof copy wiki.asof postgres://asof@db.example.com/corpora --schema wiki',
  failure: '1 failure or a copy that differs',
};

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal, positionals } = invocation;
  const [from, to] = positionals as [string, string];
  const [shownFrom, shownTo] = [shownCorpus(from), shownCorpus(to)];
  const schemas = schemasOf(invocation, from, to);
  const started = performance.now();
  await using source = await openStored(from, { readOnly: true, signal }, schemas.from);
  const info = await source.info();
  const options = copyOptions(info);
  await using target = await openStored(to, { create: true, ...options, signal }, schemas.to);
  if ('history' in info)
    terminal.say(`asof: ${shownFrom}: versions that its history keeps are not copied.`);
  const counts = await copied(source, target, invocation);
  const [sum] = await timed(terminal.progress('comparing', 'passages'), (onProgress) =>
    contentSum(target, { signal, onProgress }),
  );
  if (sum.passages !== counts.passages || sum.checksum !== counts.checksum)
    throw new AsOfError(
      'ERR_INVALID_INPUT',
      `Expected ${shownTo} to have the passages of ${shownFrom} alone, ` +
        `${counted(counts.passages, 'passage', 'passages')} of checksum ${counts.checksum}, ` +
        `found ${whole(sum.passages)} of checksum ${sum.checksum}. If either was written ` +
        'meanwhile, repeat the command; if TO had others before, copy into an empty corpus.',
    );
  const milliseconds = performance.now() - started;
  if (terminal.json) {
    const seconds = milliseconds / 1000;
    return terminal.printJson({ from: shownFrom, to: shownTo, ...counts, seconds });
  }
  const { passages, added, replaced, unchanged, checksum } = counts;
  await terminal.print(
    `${shownTo}: ${counted(passages, 'passage', 'passages')}, ${whole(added)} added, ` +
      `${whole(replaced)} replaced, ${whole(unchanged)} unchanged in ${duration(milliseconds)}\n` +
      `same as ${shownFrom}: checksum ${checksum}\n`,
  );
}

/** The schema of each; undefined of a folder, and for the default. */
function schemasOf(
  invocation: Invocation,
  from: string,
  to: string,
): { from: string | undefined; to: string | undefined } {
  const [schema, toSchema] = ['schema', 'to-schema'].map((name) => option(invocation, name));
  const places = [from, to].filter(isPostgres).length;
  if (schema !== undefined && places === 0)
    throw new UsageError('--schema is of a corpus in PostgreSQL, neither is one: omit it.');
  if (toSchema !== undefined && places < 2)
    throw new UsageError('--to-schema is for two corpora in PostgreSQL: use --schema for one.');
  return {
    from: isPostgres(from) ? schema : undefined,
    to: isPostgres(to) ? (toSchema ?? schema) : undefined,
  };
}

/** Copies, and says how to go on if that ends early. */
async function copied(
  source: StoredCorpus,
  target: StoredCorpus,
  { terminal, signal }: Invocation,
): Promise<CopyCounts> {
  const bar = terminal.progress('copying', 'passages');
  let stored = 0;
  const onProgress = (progress: Progress): void => {
    stored = progress.done;
    bar.update(progress);
  };
  return copyPassages(source, target, { signal, onProgress })
    .finally(bar.end)
    .catch((fault: unknown) => {
      const copied = `asof: ${counted(stored, 'passage is', 'passages are')} copied`;
      if (stored > 0) terminal.say(`${copied}; repeat the command to continue.`);
      throw fault;
    });
}
