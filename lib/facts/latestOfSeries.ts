// Latest of a series: for questions that ask for the latest, the passages of a series (one subject
// and measure on many days) ordered by the time at which each was known.
import { passageKey, type Candidate, type Candidates } from '../retrieval/candidate.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { scanHits } from '../retrieval/scanHits.js';
import { searchLexical } from '../retrieval/lexicalSearch.js';
import { entityTerms } from '../retrieval/entityTerms.js';
import { search, type Relevance } from '../retrieval/search.js';
import { passageRecord } from '../retrieval/passageTexts.js';
import { constrainedPublicationMask } from '../ranking/mask.js';
import { stage, type Stage } from '../pipeline.js';
import { passageText } from '../store/rows.js';
import { contentTimesOf, publishedOf } from '../store/rowTimes.js';
import { dayMilliseconds } from '../time/civil.js';
import { isLatestQuery, isExplicitLatestQuery } from '../time/question/latestQuery.js';
import { measuresDiffer, measuresOf, type Measures } from './versions/lexicon.js';

/** Evidence of a series: passages of the subject, and distinct moments, among the top passages. */
const topPassages = 20;
const minPassages = 5;
const minMoments = 4;
/** Smallest series for a question that is merely in the present tense. */
const minImplicit = 40;
/**
 * Smallest mean cosine between statements of one series; about twice that of other statements about
 * a subject.
 */
const minSimilarity = 0.45;
/** Most statements of the subject considered, and most of the latest that are ranked. */
const maxOfSubject = 10_000;
const maxRanked = 100;
/** Smallest share of the question's names, by IDF, in a statement of its subject. */
const minNameShare = 0.8;
/**
 * Longest lead of a day over its publication; a longer one is misread: "until June 30th" without
 * its year.
 */
const maxLeadMs = 60 * dayMilliseconds;
/** Smallest relevance of a statement in the series, as a share of the best one's. */
const minRelevance = 0.3;

/**
 * Orders a series by the time at which its statements were known, latest first, then by
 * publication, retrieval rank and relevance; statements of other measures than the question's are
 * excluded. Notes: series (statements ranked).
 */
export function latestOfSeries(relevance: Relevance): Stage<Candidates, Candidates> {
  return stage('latestOfSeries', async (candidates, { note, signal }) => {
    const { query, hits } = candidates;
    if (!isLatestQuery(query.parsed)) return candidates;
    const names = entityTerms(query, query.parsed.mainContent);
    if (names.length === 0) return candidates;
    const known = await knownOfSubject(candidates, names, signal);
    const isExplicit = isExplicitLatestQuery(query.parsed);
    if (known.size < (isExplicit ? minPassages : minImplicit)) return candidates;
    // Without "latest", the top passage must be of the series: "What is Dover known for?" does not
    // ask for Dover's forecasts.
    if (!isExplicit && !known.has(passageKey(hits[0]!))) return candidates;
    const top = hits.slice(0, topPassages).filter((each) => known.has(passageKey(each)));
    if (
      top.length < minPassages ||
      new Set(top.map((each) => known.get(passageKey(each))!.at)).size < minMoments
    )
      return candidates;
    const { mean, first } = await similarity(query, top, signal);
    if (mean < minSimilarity || (!isExplicit && first < minSimilarity)) return candidates;
    const latest = latestOf(query, [...known.values()]);
    const ranking = { relevance, scope: 'passages', pool: true, n: latest.length } as const;
    const ranked = await search(
      query,
      ranking,
      signal,
      latest.map(({ each }) => each),
    );
    const least = minRelevance * (ranked[0]?.score ?? 0);
    const series = ranked.filter(({ score }) => score >= least);
    series.sort(
      (a, b) =>
        compareKnown(known.get(passageKey(a))!, known.get(passageKey(b))!) || b.score - a.score,
    );
    note('series', series.length);
    return { ...candidates, hits: promote(series, hits) };
  });
}

/** Mean cosine between passages, and of the first to the others. */
async function similarity(
  query: QueryContext,
  passages: readonly Candidate[],
  signal?: AbortSignal,
): Promise<{ mean: number; first: number }> {
  const vectors = await query.encode(
    passages.map((each) => passageText(passageRecord(query.snapshot, each))),
    signal,
  );
  const dimensions = vectors.length / passages.length;
  const sum = new Float64Array(dimensions);
  vectors.forEach((value, at) => (sum[at % dimensions]! += value));
  // Products with the sum of unit vectors include each vector's with itself.
  const others = passages.length - 1;
  const all = sum.reduce((total, value) => total + value * value, 0) - passages.length;
  const first = sum.reduce((total, value, at) => total + value * vectors[at]!, -1);
  return { mean: all / (passages.length * others), first: first / others };
}

/**
 * A passage with the time at which its statement was known, its publication and its retrieval rank.
 */
interface DatedCandidate {
  each: Candidate;
  at: number;
  published: number;
  /** Rank among the hits; Infinity if absent. */
  rank: number;
}

/** Later known first, then later published, then higher ranked: rounds of one cup. */
const compareKnown = (one: DatedCandidate, other: DatedCandidate): number =>
  other.at - one.at || unequal(other.published, one.published) || unequal(one.rank, other.rank);
const unequal = (a: number, b: number): number => (a === b ? 0 : a - b);

/** The latest statements without those of other measures than the question's. */
function latestOf(query: QueryContext, known: DatedCandidate[]): DatedCandidate[] {
  const measures = questionMeasures(query);
  const latest: DatedCandidate[] = [];
  for (const one of known.sort(compareKnown)) {
    if (latest.length >= maxRanked) break;
    if (!measuresDiffer(measures, passageMeasures(query, one.each))) latest.push(one);
  }
  return latest;
}

/** The question's measures: "how cold" asks for a low. */
function questionMeasures({ analyzer, parsed }: QueryContext): Measures {
  const text = parsed.mainContent
    .replace(/\bhow (?:warm|hot|high)\b/gi, 'maximum')
    .replace(/\bhow (?:cold|chilly|low)\b/gi, 'minimum');
  return measuresOf(analyzer.analyze(text), false);
}

function passageMeasures({ analyzer, snapshot }: QueryContext, each: Candidate): Measures {
  return measuresOf(analyzer.analyze(passageText(passageRecord(snapshot, each))), false);
}

/** The passages with the question's names that were published by the query time, by passage key. */
async function knownOfSubject(
  { query, hits }: Candidates,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, DatedCandidate>> {
  const { segments } = query.snapshot;
  const sources = segments.map(({ segment, liveDocs }) =>
    liveDocs ? { rows: segment, liveDocs } : { rows: segment },
  );
  // Without saturation and length normalisation, BM25 is the IDF sum of the names in a row.
  const options = {
    k: maxOfSubject,
    scope: 'passages',
    k1: 0,
    b: 0,
    ...(signal ? { signal } : {}),
  } as const;
  const result = await searchLexical(
    sources,
    [{ terms: names, mask: constrainedPublicationMask(query) }],
    options,
  );
  const matches = scanHits(result, 0, maxOfSubject, (segment, passage) =>
    query.snapshot.id(segment, passage),
  );
  const least = minNameShare * (matches[0]?.score ?? 0);
  const known = new Map<string, DatedCandidate>();
  const ranks = new Map(hits.map((each, rank) => [passageKey(each), rank]));
  for (const { segment, passage, row, score } of matches) {
    if (score < least) break;
    const each: Candidate = { id: '', segment, passage, row, score, scores: {} };
    const published = publishedOf(segments[segment]!, row);
    const at = knownAt(query, each, published);
    if (at === undefined) continue;
    const place = passageKey(each);
    known.set(place, {
      each,
      at,
      published: Number.isNaN(published) ? -Infinity : published,
      rank: ranks.get(place) ?? Infinity,
    });
  }
  return known;
}

/**
 * Time at which a passage's statement was known: a forecast's publication, a count's day, however
 * late it was published. Undefined without either, or if an unpublished passage states only later
 * times.
 */
function knownAt(
  { snapshot, parsed }: QueryContext,
  { segment, row }: Candidate,
  published: number,
): number | undefined {
  if (published > parsed.askedAt) return undefined;
  // Many texts state their day of issue in addition to their content time.
  const contentTimes = contentTimesOf(snapshot.segments[segment]!, row).filter(
    ({ start, end }) => !(start <= published && published < end),
  );
  const [first] = contentTimes;
  if (Number.isNaN(published)) return first && first.end <= parsed.askedAt ? first.end : undefined;
  if (first?.granularity === 'day' && first.start > published + maxLeadMs) return undefined;
  return Math.min(first?.end ?? published, published);
}

/** The series, with scores above those of the other hits, then the others. */
function promote(series: readonly Candidate[], hits: readonly Candidate[]): Candidate[] {
  const promoted = new Set(series.map(passageKey));
  const rest = hits.filter((each) => !promoted.has(passageKey(each)));
  const top = rest[0]?.score ?? 0;
  return [
    ...series.map((each, rank) => {
      const { id, score: scan, scores } = each;
      return {
        ...each,
        id,
        score: top + 1 - rank / (series.length + 1),
        scores: { ...scores, scan },
      };
    }),
    ...rest,
  ];
}
