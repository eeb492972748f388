// Verification of a corpus in OpenSearch: each document against its hash and the columns that are
// made of it. Of its files the engine keeps checksums of its own.
import { isDeepStrictEqual } from 'node:util';
import { AsOfError, type RunOptions } from 'asof';
import { recordHash, yieldToEventLoop } from 'asof/kit';
import type { Cluster } from './cluster.js';
import { documentId, fieldsOf, passageOf } from './documents.js';
import { all } from './filter.js';
import { timeText } from './mapping.js';
import type { Settings } from './options.js';
import { scanDocuments } from './read.js';

/** @throws AsOfError ERR_CORPUS_CORRUPT, naming the first fault */
export async function verifyIndex(
  cluster: Cluster,
  settings: Settings,
  total: number,
  { signal, onProgress }: RunOptions,
): Promise<void> {
  let done = 0;
  const source = ['id', 'published', 'valid_from', 'valid_to', 'row_count', 'fields', 'stored'];
  for await (const batch of scanDocuments(cluster, all, source, signal)) {
    for (const { source: columns, ...document } of batch) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      const fault = faultOf(document.stored === undefined ? undefined : { ...document, columns });
      if (fault)
        throw new AsOfError(
          'ERR_CORPUS_CORRUPT',
          `Expected ${fault} of the document ${JSON.stringify(document.id)} in the ` +
            `${cluster.name}, found otherwise. Restore a snapshot of the index, or add the ` +
            'passages to a new corpus.',
          { details: { index: cluster.index, id: document.id } },
        );
    }
    onProgress?.({ done: (done += batch.length), total: Math.max(done, total) });
  }
  onProgress?.({ done, total: done });

  /** What was expected of a document that lacks it. */
  function faultOf(
    document:
      | (Parameters<typeof passageOf>[0] & { id: string; columns: Record<string, unknown> })
      | undefined,
  ): string | undefined {
    if (!document) return 'a record';
    const { columns, id } = document;
    if (!recordHash(document.stored.record).equals(Buffer.from(document.stored.hash, 'base64')))
      return 'a record with the hash that it was stored with';
    const { stored, vector, sentenceVectors, contents = [] } = passageOf(document, settings);
    const times = [stored.publishedAt, stored.validFrom, stored.validTo];
    const kept = [columns['published'], columns['valid_from'], columns['valid_to']];
    if (stored.id !== id || documentId(id) !== documentId(stored.id)) return 'a record of its id';
    if (times.some((time, at) => (time === undefined ? time : timeText(time)) !== kept[at]))
      return 'the times of the record';
    if (!isDeepStrictEqual(columns['fields'] ?? {}, fieldsOf(stored, settings)))
      return 'the fields of the record';
    const { dimensions } = settings.encoder;
    const sentences = (sentenceVectors?.length ?? 0) / dimensions;
    const isWhole = vector?.length === dimensions && Number.isInteger(sentences);
    const rows = sentences === 0 ? 1 : 1 + sentences;
    if (!isWhole || columns['row_count'] !== rows || contents.length !== Math.max(1, sentences))
      return 'a vector and times of each row';
    return undefined;
  }
}
