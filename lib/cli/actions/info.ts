// `asof info`: contents of a corpus and its integrity check.
import { Corpus } from '../../store/corpus.js';
import type { CorpusInfo } from '../../store/info.js';
import { infoJson, spansJson, type SpansJson } from '../../json/info.js';
import type { Invocation } from '../command.js';
import { counted, table } from '../tables/layout.js';
import { bytes, duration, whole } from '../terminal.js';

export async function run(invocation: Invocation): Promise<number | void> {
  const { terminal, signal } = invocation;
  const quick = invocation.flags.has('quick');
  const corpus = await Corpus.open(invocation.positionals[0]!, { readOnly: true });
  try {
    const info = corpus.info();
    const spans = spansJson(info);
    const started = performance.now();
    if (!quick) {
      const bar = terminal.progress('checking', 'bytes');
      await corpus.verify({ signal, onProgress: bar.update }).finally(() => bar.end());
    }
    const milliseconds = performance.now() - started;
    if (terminal.json)
      await terminal.printJson({
        ...infoJson(info),
        integrity: quick ? 'not checked' : 'intact',
      });
    else
      await terminal.print(
        render(
          info,
          spans,
          quick ? 'not checked' : `intact (every byte checked in ${duration(milliseconds)})`,
        ),
      );
    return 0;
  } finally {
    await corpus.close();
  }
}

function render(info: CorpusInfo, spans: SpansJson, integrity: string): string {
  const { total, ...parts } = info.bytes;
  const tombstones =
    info.deleted > 0
      ? `, ${whole(info.deleted)} deleted or replaced, ${info.history ? 'kept' : 'until compaction'}`
      : '';
  const rows = [
    ['corpus', info.path],
    [
      'passages',
      `${whole(info.passages)} in ${counted(info.segments, 'segment', 'segments')}${tombstones}`,
    ],
    [
      'rows',
      info.sentenceRows
        ? `${whole(info.rows)}, of ${counted(info.sentences, 'sentence', 'sentences')}`
        : `${whole(info.rows)}, of whole passages`,
    ],
    ...Object.entries(spans).map(([clock, { start_iso: start, end_iso: end }]) => [
      clock,
      `${start ?? 'open'} to ${end ?? 'open'}`,
    ]),
    ...(Object.keys(info.fields).length === 0
      ? []
      : [
          [
            'fields',
            Object.entries(info.fields)
              .map((each) => each.join(' '))
              .join(', '),
          ],
        ]),
    ...(info.timeZone === 'UTC' ? [] : [['time zone', info.timeZone]]),
    ['encoder', `${info.encoder.id}, ${info.encoder.dimensions} dimensions`],
    [
      'storage',
      info.storage === 'f32'
        ? 'f32'
        : `f32, and ${info.storage} for scans (${bytes(info.bytes.panels)})`,
    ],
    ['pipeline', Object.values(info.pipeline).join(', ')],
    [
      'size',
      `${bytes(total)}: ${Object.entries(parts)
        .filter(([, size]) => size > 0)
        .map(([part, size]) => `${part} ${bytes(size)}`)
        .join(', ')}`,
    ],
    ['generation', whole(info.generation)],
    ['integrity', integrity],
  ];
  return table(rows, { align: ['left', 'left'] });
}
