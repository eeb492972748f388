// The members of a question's candidates: statements read from the store with a cache per corpus,
// names, and cosines by the embedded encoder.
import type { StoredPassage } from '../../records.js';
import { idfWeights } from '../../retrieval/documentFrequency.js';
import { passageKey, type Candidate } from '../../retrieval/candidate.js';
import { passageRecord } from '../../retrieval/passageTexts.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { search, semanticOnly } from '../../retrieval/search.js';
import type { CacheSpec } from '../../runtime/cacheRegistry.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { sentenceRowsOfEach, sentencesOfEach } from '../../store/rowTimes.js';
import type { Analyzer } from '../../text/analyzer.js';
import { tagTimes } from '../../time/tagger.js';
import type { Encoder } from '../../vectors/encoder.js';
import { staticEncoder } from '../../vectors/staticEncoder.js';
import { wordRarity } from '../../vectors/wordRarity.js';
import { compareMatches, statementMatcher } from './features.js';
import { memberTable, type MemberTable } from './members.js';
import { withNamesOfInitials } from './initials.js';
import { candidateNames, opensWithName } from './names.js';
import { seriesQuestion, type SeriesQuestion } from './question.js';
import { readStatements, type PassageStatements, type TaggedPassage } from './statements.js';
import { isWithin, wordsOf, type Span, type Word } from './words.js';

/** Statements by passage, weighed by their characters: about a hundred bytes each. */
const statementCache: CacheSpec<GenerationalCache<PassageStatements>> = {
  name: 'statements',
  create: () => new GenerationalCache({ capacity: 800_000, maxEntryWeight: 25_000 }),
};
/** The embedded encoder, for which the weights were fitted, whatever that of the corpus. */
const encoderCache: CacheSpec<{ encoder?: Promise<Encoder> }> = {
  name: 'statement encoder',
  create: () => ({}),
};

/** Sentences of one passage that are read. */
const mostSentences = 48;

export interface CandidateMembers {
  question: SeriesQuestion;
  table: MemberTable;
}

/** The member table of the candidates' passages, in their order. */
export async function candidateMembers(
  query: QueryContext,
  hits: readonly Candidate[],
  signal?: AbortSignal,
): Promise<CandidateMembers> {
  const { snapshot, analyzer, parsed } = query;
  const [rarity, encoder, passages] = await Promise.all([
    wordRarity(snapshot.caches),
    embeddedEncoder(query),
    statementsOf(query, hits, signal),
  ]);
  const idf = idfLookup(query);
  const text = withNamesOfInitials(parsed.text, passages);
  const { pool, openers } = vocabularyOf(passages, termsIn(text, analyzer));
  const question = seriesQuestion({ text, askedAt: parsed.askedAt }, analyzer, {
    idf,
    rarity,
    hasCompound: (compound) => pool.has(compound),
    opensTitle: (low) => openers.has(low),
  });
  const values = [...pool].filter((term) => /^\p{N}/u.test(term));
  const inPool = question.terms.map(
    ({ term, value }) => pool.has(term) || (value && values.some((each) => isWithin(each, term))),
  );
  const names = candidateNames(
    passages,
    rarity,
    new Set(question.names.flatMap((name) => name.map((t) => question.terms[t]!.term))),
  );
  const cosines = await statementCosines(encoder, question, passages, signal);
  const match = statementMatcher({ question, idf, rarity, inPool });
  const matches = passages.flatMap((passage, candidate) =>
    match({
      passage,
      candidate,
      names: names[candidate]!,
      score: hits[candidate]!.score,
      cosines: cosines[candidate]!,
    }),
  );
  compareMatches(matches);
  return { question, table: memberTable(question, matches, hits.length) };
}

/** All terms that a question may have: compounds, and their parts. */
function termsIn(text: string, analyzer: Analyzer): Set<string> {
  const spans = { sentences: [{ start: 0, end: text.length }], dates: [] };
  const readings = [true, false].map((whole) => wordsOf(text, analyzer, spans, () => whole));
  return new Set(readings.flat().map(({ term }) => term));
}

/** The values of all candidates and which of the given terms they have; names that open titles. */
function vocabularyOf(
  passages: readonly PassageStatements[],
  terms: ReadonlySet<string>,
): { pool: Set<string>; openers: Set<string> } {
  const pool = new Set<string>();
  const openers = new Set<string>();
  const add = (words: readonly Word[]): void => {
    for (const { term, value } of words) if (value || terms.has(term)) pool.add(term);
  };
  for (const { title, statements } of passages) {
    add(title);
    for (const { words, whole } of statements) if (!whole) add(words);
    if (opensWithName(title)) openers.add(title[0]!.low);
  }
  return { pool, openers };
}

function embeddedEncoder({ snapshot }: QueryContext): Promise<Encoder> {
  const cache = snapshot.caches.get(encoderCache);
  if (!cache.encoder) {
    cache.encoder = staticEncoder();
    cache.encoder.catch(() => delete cache.encoder);
  }
  return cache.encoder;
}

function idfLookup({ snapshot }: QueryContext): (term: string) => number {
  const known = new Map<string, number>();
  return (term) => {
    let value = known.get(term);
    if (value === undefined) known.set(term, (value = idfWeights(snapshot, [term])[0]!));
    return value;
  };
}

async function statementsOf(
  query: QueryContext,
  hits: readonly Candidate[],
  signal?: AbortSignal,
): Promise<PassageStatements[]> {
  const { snapshot, analyzer } = query;
  const cache = snapshot.caches.get(statementCache);
  const keys = hits.map(
    ({ segment, passage }) => `${snapshot.segments[segment]!.number}/${passage}`,
  );
  const found = keys.map((key) => cache.get(key));
  const missing = [...hits.keys()].filter((at) => !found[at]);
  const read = await tagged(
    query,
    missing.map((at) => hits[at]!),
    signal,
  );
  missing.forEach((at, nth) => {
    const statements = readStatements(read[nth]!, analyzer);
    found[at] = statements;
    const isWhole = statements.record === passageRecord(snapshot, hits[at]!);
    if (isWhole) cache.set(keys[at]!, statements, 64 + statements.record.text.length);
  });
  return found as PassageStatements[];
}

async function tagged(
  query: QueryContext,
  hits: readonly Candidate[],
  signal?: AbortSignal,
): Promise<TaggedPassage[]> {
  if (hits.length === 0) return [];
  const excerpts = await excerptsOf(query, hits, signal);
  const records = excerpts.map(({ record }) => record);
  const options = {
    references: records.map(({ publishedAt }) => publishedAt),
    ...(signal ? { signal } : {}),
  };
  const [texts, titles] = await Promise.all([
    tagTimes(
      records.map(({ text }) => text),
      options,
    ),
    tagTimes(
      records.map(({ title = '' }) => title),
      options,
    ),
  ]);
  return excerpts.map(({ record, rows, sentences }, at) => ({
    record,
    text: texts[at]!,
    title: titles[at]!,
    rows,
    row: hits[at]!.row,
    sentences,
  }));
}

/** What is read of a passage: its text, or of a long one the sentences nearest to the question. */
interface Excerpt {
  record: StoredPassage;
  rows: readonly number[];
  sentences: Span[];
}

async function excerptsOf(
  query: QueryContext,
  hits: readonly Candidate[],
  signal?: AbortSignal,
): Promise<Excerpt[]> {
  const rowsOf = sentenceRows(query, hits);
  const long = hits.filter((_, at) => rowsOf[at]!.length > mostSentences);
  const nearest = new Map<string, number[]>();
  const ranking = { relevance: semanticOnly, scope: 'sentences' } as const;
  for (const each of long.length > 0 ? await search(query, ranking, signal, long) : []) {
    const rows = nearest.get(passageKey(each));
    if (!rows) nearest.set(passageKey(each), [each.row]);
    else if (rows.length < mostSentences) rows.push(each.row);
  }
  return hits.map((each, at): Excerpt => {
    const record = passageRecord(query.snapshot, each);
    const stored = query.snapshot.segments[each.segment]!;
    const rows = nearest.get(passageKey(each))?.sort((a, b) => a - b) ?? rowsOf[at]!;
    const sentences = sentencesOfEach(stored, rows);
    if (rows.length === rowsOf[at]!.length) return { record, rows, sentences };
    let text = '';
    const spans = sentences.map(({ start, end }): Span => {
      const from = text.length;
      text += `${record.text.slice(start, end)}\n`;
      return { start: from, end: text.length - 1 };
    });
    return { record: { ...record, text }, rows, sentences: spans };
  });
}

/** Rows of each candidate's sentences; that of the passage where it is one sentence. */
function sentenceRows({ snapshot }: QueryContext, hits: readonly Candidate[]): number[][] {
  const rows = new Array<number[]>(hits.length);
  for (const segment of new Set(hits.map((each) => each.segment))) {
    const own = [...hits.keys()].filter((at) => hits[at]!.segment === segment);
    const ranges = sentenceRowsOfEach(
      snapshot.segments[segment]!,
      own.map((at) => hits[at]!.passage),
    );
    own.forEach((at, nth) => {
      const [from, to] = ranges[nth]!;
      rows[at] =
        from < to ? Array.from({ length: to - from }, (_, i) => from + i) : [hits[at]!.row];
    });
  }
  return rows;
}

/** Cosines of question and statements with their titles, without dates and values. */
async function statementCosines(
  encoder: Encoder,
  { terms, content }: SeriesQuestion,
  passages: readonly PassageStatements[],
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  const words = terms.flatMap(({ value, low }) => (value ? [] : [low]));
  const texts = [words.join(' ') || content];
  for (const { title, statements } of passages) {
    const head = title.flatMap(({ value, low }) => (value ? [] : [low]));
    for (const statement of statements) {
      const own = statement.words.flatMap(({ value, low }) => (value ? [] : [low]));
      texts.push([...head, ...own].join(' '));
    }
  }
  const vectors = await encoder.encode(texts, { kind: 'passage', ...(signal ? { signal } : {}) });
  const { dimensions } = encoder;
  let row = dimensions;
  return passages.map(({ statements }) =>
    Float64Array.from(statements, () => {
      let product = 0;
      for (let i = 0; i < dimensions; i += 1) product += vectors[i]! * vectors[row + i]!;
      row += dimensions;
      return product;
    }),
  );
}
