// A corpus whose rows are elsewhere, namely in a local corpus: what ranks a plan over all rows and
// gives away the passages, for comparison of every stage with the corpus itself.
import { binding } from '../../lib/binding.js';
import type { Snapshot } from '../../lib/store/views/snapshot.js';
import type { Corpus } from '../../lib/index.js';
import { scanFlat, type ScanSegment } from '../../lib/retrieval/flatScan.js';
import { searchLexical, type LexicalSegment } from '../../lib/retrieval/lexicalSearch.js';
import { searchedSegments } from '../../lib/retrieval/search.js';
import { temporaryColumns } from '../../lib/store/derived/derivedColumn.js';
import { OpenSegments } from '../../lib/store/format/openSegments.js';
import type { SearchableCorpus } from '../../lib/store/searchableCorpus.js';
import { recordHash, type PreparedPassage } from '../../lib/store/passages/passages.js';
import { storedVectors } from '../../lib/store/views/storedVersion.js';
import { QuestionQueue } from '../../lib/store/questionQueue.js';
import type {
  CollectionStatistics,
  PlanStatistics,
  ScorePlan,
  Scope,
} from '../../lib/store/scorePlan.js';
import { FetchedSnapshot } from '../../lib/store/remote/fetchedSnapshot.js';
import type { RemoteSource, RemoteView } from '../../lib/store/remote/remoteSource.js';
import type { PassagePlace } from '../../lib/store/views/snapshotSegment.js';
import { countFacets } from '../../lib/store/views/facets.js';
import { contentTimesOfEach, sentenceRowsOf, wholeRowOf } from '../../lib/store/views/rowTimes.js';

/** What was asked of the source. */
export interface RemoteCounts {
  ranked: number;
  read: number;
}

export function remoteCorpus(local: Corpus): SearchableCorpus & { counts: RemoteCounts } {
  const counts = { ranked: 0, read: 0 };
  const source = sourceOf(local, counts);
  const files = new OpenSegments('', 'cpu');
  using snapshot = local.snapshot();
  const { manifest } = snapshot;
  return {
    counts,
    encoder: local.encoder,
    timeZone: local.timeZone,
    questions: new QuestionQueue('remote'),
    snapshot: () => FetchedSnapshot.of({ source, manifest, files }, () => {}),
    derive: temporaryColumns,
  };
}

function sourceOf(local: Corpus, counts: RemoteCounts): RemoteSource {
  const viewed = async <Result>(
    { filter, countsPassing = false, ids }: RemoteView,
    work: (snapshot: Snapshot) => Result | Promise<Result>,
  ): Promise<Result> => {
    using snapshot = local.snapshot();
    const passing = filter ? await snapshot.filteredBy(filter, { countsPassing }) : snapshot;
    return await work(ids ? passing.restrictedToIds(ids) : passing);
  };
  return {
    count: (view) => viewed(view, (snapshot) => [...snapshot.livePassages()].length),
    countValues: (field, most, view) =>
      viewed(view, async (snapshot) =>
        (await countFacets(snapshot, [field]))[field]!.slice(0, most),
      ),
    statistics: (terms, scope, view) =>
      viewed(view, (snapshot) => collectionOf(snapshot, terms, scope)),
    rank: (plan, view) =>
      viewed(view, async (snapshot) => {
        counts.ranked += 1;
        const ids = await idsOf(snapshot, plan);
        return { ids, statistics: await statisticsOf(snapshot, plan), exact: true };
      }),
    async *all(view) {
      const places = await viewed(view, (snapshot) => [...snapshot.livePassages()]);
      using snapshot = local.snapshot();
      for (const place of places) yield passageAt(snapshot, place);
    },
    async read(ids) {
      using snapshot = local.snapshot();
      counts.read += ids.length;
      return Promise.resolve(
        snapshot.findEach(ids).flatMap((place) => (place ? [passageAt(snapshot, place)] : [])),
      );
    },
    derive: () => Promise.resolve(0),
  };
}

const segmentsOf = (snapshot: Snapshot): (ScanSegment & LexicalSegment)[] =>
  searchedSegments(snapshot);

const isLexical = ({ queries }: ScorePlan): boolean =>
  queries.every(({ vector, form }) => !vector && (form?.combine ?? 'none') === 'none');

/** Passages of the best rows; of a derived column all, since it is not here. */
async function idsOf(snapshot: Snapshot, plan: ScorePlan): Promise<string[]> {
  const segments = segmentsOf(snapshot);
  if (plan.column)
    return [...snapshot.livePassages()].map((at) => snapshot.id(at.segment, at.passage));
  const { segment, passage } = isLexical(plan)
    ? await searchLexical(segments, plan.queries, plan)
    : await scanFlat(segments, plan.queries, plan);
  return snapshot.ids(segment, passage);
}

async function statisticsOf(snapshot: Snapshot, plan: ScorePlan): Promise<PlanStatistics> {
  const segments = segmentsOf(snapshot);
  const terms = [...new Set(plan.queries.flatMap(({ terms: own = [] }) => own))];
  const [best, scan] = await Promise.all([
    searchLexical(segments, plan.queries, { ...plan, k: 0 }),
    scanFlat(segments, plan.queries, { ...plan, k: 0 }),
  ]);
  return {
    ...(terms.length > 0 ? { collection: await collectionOf(snapshot, terms, plan.scope) } : {}),
    queries: plan.queries.map((_, q) => ({
      maxLexical: best.maxScore[q]!,
      moments: {
        relevanceMean: scan.relevanceMean[q]!,
        relevanceDeviation: scan.relevanceDeviation[q]!,
        recencyMean: scan.recencyMean[q]!,
        recencyDeviation: scan.recencyDeviation[q]!,
      },
    })),
  };
}

/** BM25's statistics, row by row. */
async function collectionOf(
  { segments }: Snapshot,
  terms: readonly string[],
  scope: Scope,
): Promise<CollectionStatistics> {
  const frequencies = new Map(terms.map((term) => [term, 0]));
  let [rows, tokens] = [0, 0];
  for (const { segment, countedDocs, passages, multiSentence, rows: all } of segments) {
    const passageOf = segment.read('rows.passage') as Uint32Array;
    const isCounted = (row: number): boolean =>
      !countedDocs || (countedDocs[passageOf[row]! >> 3]! & (1 << (passageOf[row]! & 7))) !== 0;
    const [from, to] = {
      passages: [0, passages],
      sentences: [multiSentence, all],
      all: [0, all],
    }[scope] as [number, number];
    const inScope = Array.from({ length: to - from }, (_, at) => from + at).filter(isCounted);
    const { lengths, counts } = await binding.countTerms(segment, Uint32Array.from(inScope), [
      ...terms,
    ]);
    rows += inScope.length;
    tokens += lengths.reduce((sum, length) => sum + length, 0);
    inScope.forEach((_, row) =>
      terms.forEach((term, at) => {
        if (counts[row * terms.length + at]! > 0) frequencies.set(term, frequencies.get(term)! + 1);
      }),
    );
  }
  return { rows, tokens, frequencies };
}

export function passageAt(snapshot: Snapshot, place: PassagePlace): PreparedPassage {
  const stored = snapshot.passage(place.segment, place.passage);
  const record = snapshot.record(place);
  const { vector, sentenceVectors } = storedVectors(snapshot, place);
  const segment = snapshot.segments[place.segment]!;
  const [from, to] = sentenceRowsOf(segment, place.passage);
  const rows =
    to > from
      ? Array.from({ length: to - from }, (_, at) => from + at)
      : [wholeRowOf(segment, place.passage)];
  return {
    stored,
    record,
    hash: recordHash(record),
    vector,
    ...(sentenceVectors.length > 0 ? { sentenceVectors } : {}),
    contents: contentTimesOfEach(segment, rows),
  };
}
