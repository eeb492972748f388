// `asof index`: files into a corpus; what is valid is stored even if other lines or files are not.
import type { InputOptions } from '@asof/documents';
import { type Command, option, pairsOption, type Invocation } from '../command.js';
import { encoderOptions, isSlow } from '../inputs/encoders.js';
import { schemaOption, openCorpus } from '../inputs/storedCorpus.js';
import { askOptions, askValues } from '../options/ask.js';
import type { AsOfError } from '../../errors.js';
import type { Passage } from '../../records.js';
import type { CorpusOptions } from '../../store/corpusOptions.js';
import type { Storage } from '../../store/format/manifest.js';
import { shownCorpus } from '../credentials.js';
import { passageFiles, type PassageFiles } from '../inputs/passageFiles.js';
import { faultCollector } from '../inputs/faults.js';
import { conflicts, type Conflict } from '../../systems/conflicts.js';
import { toJson } from '../../systems/json.js';
import { formatTimestamp } from '../../time/timeFormat.js';
import { counted } from '../tables/layout.js';
import { duration, whole } from '../terminal.js';

export const command: Command = {
  name: 'index',
  summary:
    'Adds passages and documents to a corpus, which is created if missing. Running it again ' +
    'changes nothing.',
  positionals: ['DIR', 'PATH...'],
  options: {
    ...encoderOptions,
    ...askOptions({
      timeZone: {
        help:
          'IANA name, such as Europe/London: of dates, and of times without an offset, in fields ' +
          'and texts; set when the corpus is created; default UTC',
      },
    }),
    storage: {
      value: 'S',
      group: 'encoder',
      help:
        'quantized copy of the vectors, stored with f32: int4 (default of a new corpus), int8 ' +
        '(faster for batches and on devices), bf16, or f32 (no copy)',
    },
    field: {
      multiple: true,
      value: 'NAME=TYPE',
      help:
        'create the corpus with a field, an entry of the metadata that filters can name: ' +
        'keyword, keyword[], number, boolean or time; may be repeated',
    },
    history: {
      help: 'create the corpus with a history: versions that are replaced or deleted are kept',
    },
    'no-sentences': {
      group: 'encoder',
      help:
        'create the corpus with one vector a passage and none of its sentences: for tens of ' +
        'millions of passages',
    },
    undated: {
      value: 'HOW',
      help:
        'date of documents that give none: git (of the last commit) or mtime (of the last change ' +
        'on the disk); default none',
    },
    conflicts: {
      help:
        'print what stored passages state otherwise, or the same, of what new ones state, ' +
        'before these are added; each passage costs as much as a question',
    },
    schema: schemaOption,
  },
  details:
    'PATH is a file, a folder or a quoted glob; - reads JSON lines from standard input.\n' +
    '.jsonl, and every other ending: {id, text, title?, published_at?, valid_from?, valid_to?, ' +
    'updated_at?, crawled_at?, metadata?, chunk?, vector?, sentence_vectors?} a line and no ' +
    'other fields; times are ISO 8601 or epoch milliseconds.\n' +
    'vector is of title and text, sentence_vectors are of its sentences with the title, by the ' +
    'model of --encoder; without them texts are encoded.\n' +
    '.csv, .tsv, .parquet: the same fields as columns; others go into the metadata.\n' +
    '.md, .html, .txt, .pdf: a document each, cut into chunks. Its id is its path below the ' +
    'folder, or from the working folder; its date that of front matter, HTML or PDF metadata, ' +
    'the file name or the opening of the text.\n' +
    'A BEIR folder is read as its corpus.jsonl, {_id, title, text, metadata}, with times in the ' +
    'metadata.\n' +
    'updated_at and crawled_at go into the metadata; reimplementation+metadata derives validity ' +
    'from them.\n' +
    'A passage replaces the one with the same id, a document all chunks that it had. Invalid ' +
    'lines and files are reported and skipped; correct them and run the command again.',
  example: 'asof index wiki.asof passages.jsonl docs',
  failure: '1 failure, invalid lines or files',
};

/** Conflicts that are printed as JSON. */
const mostConflicts = 1_000;
/** Passages of a commit with a slow encoder: the most that an interruption loses. */
const slowBatch = 256;

export async function run(invocation: Invocation): Promise<number> {
  const { terminal, signal } = invocation;
  const [folder, ...paths] = invocation.positionals as [string, ...string[]];
  const started = performance.now();
  const { faults, onFault } = faultCollector(terminal.say);
  // A missing file is an error before a corpus is created.
  const files = await passageFiles(paths, { signal, onFault });
  const { report } = files;
  const bar = terminal.progress('indexing', 'passages');
  const storage = option(invocation, 'storage');
  await using corpus = await openCorpus(folder, invocation, {
    create: true,
    storage: storage as Storage | undefined,
    ...askValues(invocation, ['timeZone']),
    ...fieldsOf(invocation),
    ...(invocation.flags.has('history') ? { history: true } : {}),
    ...(invocation.flags.has('no-sentences') ? { sentences: false } : {}),
  });
  let stored = 0;
  const found: Conflict[] = [];
  async function* compared(passages: AsyncIterable<Passage>): AsyncGenerator<Passage> {
    for await (const passage of passages) {
      for (const conflict of await conflicts(corpus, [passage], { signal })) {
        if (found.length < mostConflicts) found.push(conflict);
        if (!terminal.json) await terminal.print(rendered(conflict, corpus.timeZone));
      }
      yield passage;
    }
  }
  try {
    const undated = option(invocation, 'undated') as InputOptions['undated'];
    const options = { signal, onFault, rules: corpus.passageRules, undated };
    const passages = files.passages(options);
    const checks = invocation.flags.has('conflicts');
    const outcome = await corpus.add(checks ? compared(passages) : passages, {
      signal,
      batchSize: isSlow(invocation) ? slowBatch : undefined,
      onProgress: ({ done }) => {
        stored = done;
        const passagesPerByte = report.passages / Math.max(1, report.bytes);
        bar.update({ done, total: Math.round(passagesPerByte * files.bytes) });
      },
    });
    // Chunks that documents had more of before.
    const leftovers = await report.leftovers(corpus);
    const removed = leftovers.length === 0 ? 0 : await corpus.delete(leftovers, { signal });
    bar.end();
    const milliseconds = performance.now() - started;
    if (terminal.json) {
      await terminal.printJson({
        corpus: shownCorpus(folder),
        ...outcome,
        removed,
        ...(checks ? { conflicts: toJson.conflicts(found, corpus.timeZone) } : {}),
        files: files.count,
        documents: report.documents.size,
        dates: report.dates,
        skipped: Object.fromEntries(report.skipped),
        rejected: faults.length,
        faults: faults.map(faultJson),
        seconds: milliseconds / 1000,
      });
    } else {
      await terminal.print(
        `${summary(shownCorpus(folder), { ...outcome, removed }, faults.length, milliseconds)}\n`,
      );
      if (report.documents.size > 0) await terminal.print(`${dateSummary(report)}\n`);
      if (report.skipped.size > 0) await terminal.print(`${skippedSummary(report)}\n`);
    }
    return faults.length > 0 ? 1 : 0;
  } catch (fault) {
    bar.end();
    const passages = `asof: ${counted(stored, 'passage is', 'passages are')} stored`;
    if (stored > 0) terminal.say(`${passages}; repeat the command to continue.`);
    throw fault;
  }
}

function rendered({ id, statement, earlier }: Conflict, timeZone: string): string {
  const line = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const lines = earlier.map(({ id: other, relation, text, start }) => {
    const from = start === undefined ? '' : ` of ${formatTimestamp(start, timeZone)}`;
    return `  ${relation} ${other}${from}: ${line(text)}\n`;
  });
  return `${id}: ${line(statement)}\n${lines.join('')}`;
}

/** The fields of --field; a wrong type is refused by the corpus. */
function fieldsOf(invocation: Invocation): Pick<CorpusOptions, 'fields'> {
  const fields = pairsOption(invocation, 'field') as CorpusOptions['fields'];
  return fields ? { fields } : {};
}

function summary(
  folder: string,
  outcome: { added: number; replaced: number; unchanged: number; removed: number },
  rejected: number,
  milliseconds: number,
): string {
  const { added, replaced, unchanged, removed } = outcome;
  const rate = whole((added + replaced + unchanged) / Math.max(milliseconds / 1000, 1e-3));
  const parts = [
    `${whole(added)} added`,
    `${whole(replaced)} replaced`,
    `${whole(unchanged)} unchanged`,
  ];
  if (removed > 0) parts.push(`${whole(removed)} removed`);
  if (rejected > 0) parts.push(`${counted(rejected, 'fault', 'faults')} skipped`);
  return `${folder}: ${parts.join(', ')} in ${duration(milliseconds)} (${rate} passages/s)`;
}

/** How many documents have their date from where. */
function dateSummary({ documents, dates }: PassageFiles['report']): string {
  const sources = {
    front_matter: 'front matter',
    html: 'HTML',
    pdf: 'PDF',
    file_name: 'file names',
    text: 'text',
    git: 'git',
    mtime: 'files',
  };
  const parts = Object.entries(sources).flatMap(([source, from]) => {
    const count = dates[source as keyof typeof sources];
    return count > 0 ? [`${whole(count)} from ${from}`] : [];
  });
  if (dates.none > 0) parts.push(`${whole(dates.none)} without`);
  return `${counted(documents.size, 'document', 'documents')}, dates: ${parts.join(', ')}`;
}

/** Files whose endings are of no format, the most frequent first. */
function skippedSummary({ skipped }: PassageFiles['report']): string {
  const endings = [...skipped].sort(([, a], [, b]) => b - a);
  const count = endings.reduce((sum, [, each]) => sum + each, 0);
  const parts = endings.map(
    ([ending, each]) => `${whole(each)} ${ending === '' ? 'without ending' : `.${ending}`}`,
  );
  return `${counted(count, 'file', 'files')} of no known format: ${parts.join(', ')}`;
}

function faultJson(fault: AsOfError): Record<string, unknown> {
  return { file: fault.details['file'], line: fault.details['line'], message: fault.message };
}
