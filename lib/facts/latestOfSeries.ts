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

/**
 * Of so many of the best passages so many must be of the subject, and of so many moments, for there
 * to be a series.
 */
const leading = 20;
const fewestLeading = 5;
const fewestMoments = 4;
/** A question that only stands in the present tense asks for the newest of a long series alone. */
const fewestUnsaid = 40;
/**
 * Mean cosine of statements of one series to each other; of whatever else is told of a subject it
 * is about half of that.
 */
const leastAlike = 0.45;
/** Statements of the subject that are looked at, and the newest of them that are ranked. */
const mostOfSubject = 10_000;
const newestRanked = 100;
/** What holds this share of the question's names, by their rarity, speaks of its subject. */
const leastNamed = 0.8;
/** Days that are told so long before are misread: "until June 30th" of a year that is not said. */
const longestAheadMs = 60 * dayMilliseconds;
/** What is as relevant as this share of the best of the newest speaks of what is asked. */
const leastRelevant = 0.3;

/**
 * What was known last, and is of the measure that is asked for, comes first; of one moment what was
 * published last, then what was found first, then the more relevant. Notes: series (statements
 * ranked).
 */
export function latestOfSeries(relevance: Relevance): Stage<Candidates, Candidates> {
  return stage('latestOfSeries', async (candidates, { note, signal }) => {
    const { query, hits } = candidates;
    if (!isLatestQuery(query.parsed)) return candidates;
    const names = entityTerms(query, query.parsed.mainContent);
    if (names.length === 0) return candidates;
    const known = await knownOfSubject(candidates, names, signal);
    const said = isExplicitLatestQuery(query.parsed);
    if (known.size < (said ? fewestLeading : fewestUnsaid)) return candidates;
    // Where nothing says "latest", what is found first must be of the series: "What is Dover known
    // for?" asks for none of Dover's forecasts.
    if (!said && !known.has(passageKey(hits[0]!))) return candidates;
    const lead = hits.slice(0, leading).filter((each) => known.has(passageKey(each)));
    if (
      lead.length < fewestLeading ||
      new Set(lead.map((each) => known.get(passageKey(each))!.at)).size < fewestMoments
    )
      return candidates;
    const { mean, first } = await likeness(query, lead, signal);
    if (mean < leastAlike || (!said && first < leastAlike)) return candidates;
    const newest = newestOf(query, [...known.values()]);
    const ranking = { relevance, scope: 'passages', pool: true, n: newest.length } as const;
    const ranked = await search(
      query,
      ranking,
      signal,
      newest.map(({ each }) => each),
    );
    const least = leastRelevant * (ranked[0]?.score ?? 0);
    const series = ranked.filter(({ score }) => score >= least);
    series.sort(
      (a, b) => newer(known.get(passageKey(a))!, known.get(passageKey(b))!) || b.score - a.score,
    );
    note('series', series.length);
    return { ...candidates, hits: inFront(series, hits) };
  });
}

/** The mean cosine of passages to each other, and of the first to the others. */
async function likeness(
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
  // Products with the sum of unit vectors have those of each with itself in them.
  const others = passages.length - 1;
  const all = sum.reduce((total, value) => total + value * value, 0) - passages.length;
  const first = sum.reduce((total, value, at) => total + value * vectors[at]!, -1);
  return { mean: all / (passages.length * others), first: first / others };
}

/** A passage, when what it tells was known, when it was published, and how it was found. */
interface Known {
  each: Candidate;
  at: number;
  published: number;
  /** Its place among what was found; Infinity where it was not. */
  rank: number;
}

/**
 * What was known later stands before, of one moment what was published later, and of one
 * publication what was found before: rounds of one cup.
 */
const newer = (one: Known, other: Known): number =>
  other.at - one.at || unequal(other.published, one.published) || unequal(one.rank, other.rank);
const unequal = (a: number, b: number): number => (a === b ? 0 : a - b);

/** The newest that speak of no other measure than the question. */
function newestOf(query: QueryContext, known: Known[]): Known[] {
  const measures = measuresAsked(query);
  const newest: Known[] = [];
  for (const one of known.sort(newer)) {
    if (newest.length >= newestRanked) break;
    if (!measuresDiffer(measures, measuresIn(query, one.each))) newest.push(one);
  }
  return newest;
}

/** The question's measures: "how cold" asks for a low. */
function measuresAsked({ analyzer, parsed }: QueryContext): Measures {
  const text = parsed.mainContent
    .replace(/\bhow (?:warm|hot|high)\b/gi, 'maximum')
    .replace(/\bhow (?:cold|chilly|low)\b/gi, 'minimum');
  return measuresOf(analyzer.analyze(text), false);
}

function measuresIn({ analyzer, snapshot }: QueryContext, each: Candidate): Measures {
  return measuresOf(analyzer.analyze(passageText(passageRecord(snapshot, each))), false);
}

/** The passages that name what the question names and were published by then, by place. */
async function knownOfSubject(
  { query, hits }: Candidates,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, Known>> {
  const { segments } = query.snapshot;
  const shown = segments.map(({ segment, liveDocs }) =>
    liveDocs ? { rows: segment, visible: liveDocs } : { rows: segment },
  );
  // Without saturation and length BM25 is the rarity of the names that a row has.
  const options = {
    k: mostOfSubject,
    scope: 'passages',
    k1: 0,
    b: 0,
    ...(signal ? { signal } : {}),
  } as const;
  const result = await searchLexical(
    shown,
    [{ terms: names, mask: constrainedPublicationMask(query) }],
    options,
  );
  const matches = scanHits(result, 0, mostOfSubject, (segment, passage) =>
    query.snapshot.id(segment, passage),
  );
  const least = leastNamed * (matches[0]?.score ?? 0);
  const known = new Map<string, Known>();
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
 * When what a passage tells was known: a forecast when it was published, a count on the day that it
 * was taken, however late it was published. Undefined where it says neither, or where only the time
 * after asking is told and no publication.
 */
function knownAt(
  { snapshot, parsed }: QueryContext,
  { segment, row }: Candidate,
  published: number,
): number | undefined {
  if (published > parsed.askedAt) return undefined;
  // The day of issue stands in many a text beside the day that it tells of.
  const told = contentTimesOf(snapshot.segments[segment]!, row).filter(
    ({ start, end }) => !(start <= published && published < end),
  );
  const [first] = told;
  if (Number.isNaN(published)) return first && first.end <= parsed.askedAt ? first.end : undefined;
  if (first?.granularity === 'day' && first.start > published + longestAheadMs) return undefined;
  return Math.min(first?.end ?? published, published);
}

/** The series before everything else, its scores above theirs. */
function inFront(series: readonly Candidate[], hits: readonly Candidate[]): Candidate[] {
  const placed = new Set(series.map(passageKey));
  const rest = hits.filter((each) => !placed.has(passageKey(each)));
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
