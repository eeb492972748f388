// Corpus in OpenSearch: every system runs on it, the first stage on the cluster, the others over
// the passages that it fetched.
import type { RunOptions } from 'asof';
import { checkOptionNames, RemoteCorpus } from 'asof/kit';
import { Cluster } from './cluster.js';
import { indexInfo, type OpenSearchInfo } from './info.js';
import { openIndex } from './mapping.js';
import { checkOptions, checkSame, optionNames, type OpenSearchOptions } from './options.js';
import { Reader } from './reader.js';
import { OpenSearchStorage } from './storage.js';
import { verifyIndex } from './verification.js';

/**
 * Passages in OpenSearch with its k-NN plugin, searchable by every system like those of a `Corpus`:
 * the cluster finds candidates, asof scores them exactly (`exact` of results is false), or with the
 * option `exact` the cluster scores every passage. Each passage is one document, written whole or
 * not at all; `list` has ids in the order of their code points. Close it when done.
 */
export class OpenSearchCorpus extends RemoteCorpus<OpenSearchStorage> {
  /**
   * Connects to the cluster of a corpus, or creates an empty one on it.
   * @throws AsOfError ERR_NATIVE_UNAVAILABLE without the package @opensearch-project/opensearch;
   * ERR_STORAGE where the cluster cannot be reached or lacks the k-NN plugin; ERR_NOT_FOUND,
   * ERR_CORPUS_FOREIGN, ERR_CORPUS_NEWER, ERR_ENCODER_MISMATCH, ERR_INVALID_ARGUMENT
   */
  static async connect(options: OpenSearchOptions): Promise<OpenSearchCorpus> {
    checkOptionNames('OpenSearchCorpus.connect', options, optionNames);
    const { storage, encoder } = await this.opened(options, async (created) => {
      const cluster = new Cluster(options, checkOptions(options));
      const { readOnly = false, create = !readOnly } = options;
      try {
        const isCreated = create && !readOnly;
        const settings = await openIndex(cluster, isCreated ? created : undefined, options);
        checkSame(settings, created, options);
        return new OpenSearchStorage(cluster, settings, options);
      } catch (error) {
        await cluster.close();
        throw error;
      }
    });
    return new OpenSearchCorpus(storage, encoder, options);
  }

  /** Counts, sizes and time spans. */
  override async info(options: RunOptions = {}): Promise<OpenSearchInfo> {
    return this.whileOpen(options, async ({ signal }) => {
      const { cluster, written } = this.storage;
      await written.refresh(signal);
      const { nodes, shards, replicas, bytes, ...part } = await indexInfo(
        cluster,
        new Reader(cluster),
        signal,
      );
      return { ...this.infoOf([part]), index: cluster.index, nodes, shards, replicas, bytes };
    });
  }

  /**
   * Reads all documents, and compares records, hashes, times, fields and rows.
   * @throws AsOfError ERR_CORPUS_CORRUPT, naming the first fault; ERR_STORAGE, ERR_ABORTED,
   * ERR_CLOSED
   */
  override verify(options: RunOptions = {}): Promise<void> {
    return this.whileOpen(options, async (linked) => {
      const { cluster, settings, written } = this.storage;
      await written.refresh(linked.signal);
      const total = await this.storage.source().count({}, linked.signal);
      await verifyIndex(cluster, settings, total, linked);
    });
  }

  /**
   * Merges the segments of each shard into one, without deleted documents: questions are faster
   * afterwards. For the end of a load rather than between writes, which are merged anyway.
   */
  override async compact(options: RunOptions = {}): Promise<void> {
    this.checkWritable();
    await this.whileOpen(options, async ({ signal }) => {
      await this.storage.cluster.merge(signal);
    });
  }
}
