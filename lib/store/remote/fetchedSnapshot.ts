// Snapshot of a corpus whose rows are elsewhere: what a plan can rank is fetched into segments in
// temporary files, over which every stage runs as over those of a folder.
import { binding, withCancellation } from '../../binding.js';
import type { PassageFilter, Segment } from '../../../binding.js';
import { withEncode } from '../../vectors/encoder.js';
import { mapTemporaryFile } from '../format/files.js';
import { newSegmentId, type Manifest, type SegmentEntry } from '../format/manifest.js';
import { OpenSegments } from '../format/openSegments.js';
import type { PreparedPassage } from '../passages/passages.js';
import type { RemoteRows } from '../scorePlan.js';
import { Snapshot } from '../views/snapshot.js';
import { segmentContent } from '../writing/segmentBuilder.js';
import { byId } from '../writing/writer.js';
import {
  manifestOf,
  type RemoteSettings,
  type RemoteSource,
  type RemoteView,
} from './remoteSource.js';

/** What the views of one question share. */
interface Fetched {
  source: RemoteSource;
  manifest: Manifest;
  files: OpenSegments;
  /** By id of each passage that was asked for: stages that run at a time may want the same. */
  reads: Map<string, Promise<void>>;
  /** Whether every plan ranked all rows; undefined before the first. */
  exact: boolean | undefined;
}

export class FetchedSnapshot extends Snapshot {
  private constructor(
    private readonly fetched: Fetched,
    onRelease: () => void,
    private readonly view: RemoteView = {},
  ) {
    const { manifest, files } = fetched;
    super({ ...manifest, segments: [] }, { files, opened: [] }, onRelease);
  }

  static of(corpus: Omit<Fetched, 'reads' | 'exact'>, onRelease: () => void): FetchedSnapshot {
    return new FetchedSnapshot({ ...corpus, reads: new Map(), exact: undefined }, onRelease);
  }

  /** Of these passages alone. */
  static async ofPassages(
    passages: readonly PreparedPassage[],
    settings: RemoteSettings,
    signal: AbortSignal | undefined,
  ): Promise<Snapshot> {
    const files = new OpenSegments('', 'cpu');
    const source = {} as RemoteSource; // which nothing is asked of
    const snapshot = FetchedSnapshot.of(
      { source, manifest: manifestOf(settings), files },
      () => {},
    );
    await snapshot.append(passages, signal);
    return snapshot;
  }

  get source(): RemoteSource {
    return this.fetched.source;
  }

  override get missingShards(): readonly string[] {
    return this.source.missing ?? [];
  }

  override get ranksAll(): boolean | undefined {
    return this.fetched.exact;
  }

  override get remote(): RemoteRows {
    const { source } = this;
    return {
      count: (signal) => source.count(this.view, signal),
      countValues: (field, most, signal) => source.countValues(field, most, this.view, signal),
      fetch: async (plan, signal) => {
        const {
          ids,
          passages = [],
          statistics,
          exact,
        } = await source.rank(plan, this.view, signal);
        this.fetched.exact = exact && this.fetched.exact !== false;
        await this.fetchIds(ids, signal, passages);
        return { ...statistics, exact };
      },
      statistics: (terms, scope, signal) => source.statistics(terms, scope, this.view, signal),
      all: (signal) => source.all(this.view, signal),
      fetchIds: (ids, signal) => this.fetchIds(ids, signal),
    };
  }

  override filteredBy(
    filter: PassageFilter,
    { countsPassing = false }: { countsPassing?: boolean },
  ): Promise<Snapshot> {
    return Promise.resolve(this.ofView({ filter, countsPassing }));
  }

  override restrictedToIds(ids: readonly string[]): Snapshot {
    return this.ofView({ ids });
  }

  /** This question's view of fewer passages; none has been fetched yet. */
  private ofView(more: RemoteView): Snapshot {
    return Object.create(this, {
      view: { value: { ...this.view, ...more } },
      release: { value: () => {} },
    }) as Snapshot; // inherits all else
  }

  /** Adds passages; those of `known` need no read. */
  private async fetchIds(
    ids: readonly string[],
    signal?: AbortSignal,
    known: readonly PreparedPassage[] = [],
  ): Promise<void> {
    const { reads } = this.fetched;
    const wanted = [...new Set(ids)].filter((id) => !reads.has(id));
    if (wanted.length > 0) {
      const read = this.read(wanted, known, signal);
      for (const id of wanted) reads.set(id, read);
    }
    await Promise.all(new Set(ids.map((id) => reads.get(id)!)));
  }

  private async read(
    ids: readonly string[],
    known: readonly PreparedPassage[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { source, reads } = this.fetched;
    try {
      const byId = new Map(known.map((passage) => [passage.stored.id, passage]));
      const missing = ids.filter((id) => !byId.has(id));
      const read = missing.length > 0 ? await source.read(missing, signal) : [];
      const passages = [...ids.flatMap((id) => byId.get(id) ?? []), ...read];
      await this.append(passages, signal);
    } catch (error) {
      for (const id of ids) reads.delete(id);
      throw error;
    }
  }

  /** Appends a segment of passages. */
  private async append(
    passages: readonly PreparedPassage[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (passages.length === 0) return;
    const { manifest } = this.fetched;
    const { native, entry } = await temporarySegment(passages, manifest, signal);
    this.addSegment(native, entry);
  }
}

/** The segment of passages that bring vectors and content times, ascending by id. */
export async function temporarySegment(
  unordered: readonly PreparedPassage[],
  settings: RemoteSettings,
  signal: AbortSignal | undefined,
): Promise<{ native: Segment; entry: SegmentEntry; passages: PreparedPassage[] }> {
  const passages = unordered.toSorted(byId);
  const encoder = withEncode(settings.encoder, 'rows that bring their vectors');
  const {
    sections,
    tombstones: _,
    ...content
  } = await segmentContent(
    { storage: 'f32', schema: settings, packs: false },
    passages,
    encoder,
    signal,
  );
  const native = await mapTemporaryFile((output) =>
    withCancellation(signal, (cancellation) =>
      binding.writeSegment(output, sections, cancellation),
    ),
  );
  const { bytes, checksum } = native;
  return { native, entry: { ...content, id: newSegmentId(1), bytes, checksum }, passages };
}
