// `asof info`: contents of a corpus and its integrity check.
import type { Command, Invocation } from '../command.js';
import { schemaOption, openNamed } from '../inputs/storedCorpus.js';
import type { CorpusInfo } from '../../store/info.js';
import { toJson, type SpansJson } from '../../systems/json.js';
import { counted, table } from '../tables/layout.js';
import { bytes, duration, timed, whole } from '../terminal.js';

type PostgresInfo = import('@asof/postgres').PostgresInfo;
type OpenSearchInfo = import('@asof/opensearch').OpenSearchInfo;
type Info = CorpusInfo | PostgresInfo | OpenSearchInfo;

export const command: Command = {
  name: 'info',
  summary: 'Prints counts, times, sizes and encoder of a corpus, and checks its integrity.',
  positionals: ['DIR'],
  options: {
    quick: { help: 'skip the integrity check, which reads every byte' },
    schema: schemaOption,
  },
  example: 'asof info wiki.asof',
  failure: '1 failure or a damaged corpus',
};

export async function run(invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation;
  await using corpus = await openNamed(invocation.positionals[0]!, invocation, { readOnly: true });
  const info = (await corpus.info()) as Info;
  const spans = toJson.spans(info);
  let [checked, integrity] = ['not checked', 'not checked'];
  if (!invocation.flags.has('quick')) {
    const [, milliseconds] = await timed(terminal.progress('checking', 'parts'), (onProgress) =>
      corpus.verify({ signal, onProgress }),
    );
    const part = 'path' in info ? 'byte' : 'schema' in info ? 'table' : 'document';
    checked = 'intact';
    integrity = `intact (every ${part} checked in ${duration(milliseconds)})`;
  }
  if (terminal.json) return terminal.printJson({ ...toJson.info(info), integrity: checked });
  await terminal.print(render(info, spans, integrity));
}

function render(info: Info, spans: SpansJson, integrity: string): string {
  const { total, ...parts } = info.bytes;
  const rows = [
    ...placeRows(info),
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
    ...('storage' in info
      ? [
          [
            'storage',
            info.storage === 'f32'
              ? 'f32'
              : `f32, and ${info.storage} for scans (${bytes(info.bytes.panels)})`,
          ],
        ]
      : []),
    ['pipeline', Object.values(info.pipeline).join(', ')],
    [
      'size',
      `${bytes(total)}: ${Object.entries(parts)
        .filter(([, size]) => size > 0)
        .map(([part, size]) => `${part} ${bytes(size)}`)
        .join(', ')}`,
    ],
    ...('generation' in info ? [['generation', whole(info.generation)]] : []),
    ['integrity', integrity],
  ];
  return table(rows, { align: ['left', 'left'] });
}

/** Where the corpus is, and its passages. */
function placeRows(info: Info): string[][] {
  const kept = 'history' in info && info.history ? 'kept' : 'until compaction';
  const tombstones =
    info.deleted > 0 ? `, ${whole(info.deleted)} deleted or replaced, ${kept}` : '';
  if ('path' in info)
    return [
      ['corpus', info.path],
      [
        'passages',
        `${whole(info.passages)} in ${counted(info.segments, 'segment', 'segments')}${tombstones}`,
      ],
    ];
  if ('index' in info)
    return [
      ['index', info.index],
      [
        'shards',
        `${whole(info.shards)}, ${counted(info.replicas, 'replica', 'replicas')} of each, on ` +
          counted(info.nodes, 'node', 'nodes'),
      ],
      ['passages', whole(info.passages)],
    ];
  return [
    ['schema', info.schema],
    ...info.shards.map(({ name, passages, bytes: size }) => {
      const [, number, place] = /^(shard \d+) \((.*)\)$/.exec(name)!;
      return [number!, `${place}: ${counted(passages, 'passage', 'passages')}, ${bytes(size)}`];
    }),
    ['passages', `${whole(info.passages)}${tombstones}`],
  ];
}
