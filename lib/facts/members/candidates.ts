// The members of a question's candidates: statements read from the store with a cache per corpus,
// names and cosines.
import type { PoolHandle } from '../../../binding.js';
import { binding } from '../../binding.js';
import { idfLookup } from '../../retrieval/documentFrequency.js';
import type { StoredPassage } from '../../records.js';
import type { Candidate } from '../../retrieval/candidate.js';
import { passageRecord } from '../../retrieval/passageTexts.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import type { CacheRegistry, CacheSpec } from '../../runtime/cacheRegistry.js';
import { inTurns, yieldToEventLoop } from '../../runtime/eventLoop.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { questionEnd } from '../../time/question/questionText.js';
import { wordVectors } from '../../vectors/wordVectors.js';
import { tokenEncoder, type TokenEncoder } from '../../vectors/staticEncoder.js';
import { Matches } from '../features/matches.js';
import { excerptsOf } from './excerpts.js';
import { memberTable, standardised, type MemberTable, type MemberTableOptions } from './members.js';
import { exceptNeighbour } from './neighbour.js';
import { Lexicon } from '../../statements/lexicon.js';
import { withNamesOfInitials } from '../question/names.js';
import { plainQuestion } from '../question/plainQuestion.js';
import { uncommonWords } from '../question/uncommonWords.js';
import { seriesQuestion, type SeriesQuestion } from '../question/question.js';
import { passageClocks, sentenceRowsOfEach } from '../../store/views/rowTimes.js';
import { asKnown } from '../../store/views/asKnown.js';
import {
  PassageStatements,
  readStatements,
  unpackStatements,
  withValidity,
  type ReadPassage,
} from '../../statements/statements.js';

/**
 * The lexicon that numbers the words of passages, and statements that were read from texts, by
 * passage, weighed by their characters: to unpack stored ones takes less than to look them up.
 */
interface ReadPassages {
  lexicon?: Lexicon;
  statements: GenerationalCache<ReadPassage>;
  encoder?: Promise<TokenEncoder>;
}
const readCache: CacheSpec<ReadPassages> = {
  name: 'statements',
  create: () => ({
    statements: new GenerationalCache({ capacity: 800_000, maxEntryWeight: 25_000 }),
  }),
};
/** Passages that are read between turns of the event loop, and their characters. */
const [passagesAtOnce, charactersAtOnce] = [8, 20_000];
const unpackedAtOnce = 32;
/** Added to the characters of a passage. */
const passageWeight = 64;

export interface CandidateMembers {
  question: SeriesQuestion;
  table: MemberTable;
}

/** The member table of the candidates' passages, in their order. */
export async function candidateMembers(
  query: QueryContext,
  hits: readonly Candidate[],
  options: MemberTableOptions = {},
): Promise<CandidateMembers> {
  const { signal } = options;
  const { snapshot, analyzer, parsed } = query;
  const { passages, lexicon, encoder } = await candidateStatements(query, hits, signal);
  // Each part takes milliseconds.
  await yieldToEventLoop(signal);
  const text = withNamesOfInitials(questionEnd(parsed.text), passages, lexicon);
  const handles = passages.map(({ handle }) => handle);
  const vocabulary = binding.vocabularyOf(lexicon.handle, handles);
  const numbers = new Set(vocabulary.terms);
  const has = (term: string): boolean => numbers.has(lexicon.numberOf(term));
  const ownTerms = (): string[] => lexicon.texts(vocabulary.terms);
  const terms = (): string[] => [...ownTerms(), ...analyzer.analyze(text)];
  const idf = await idfLookup(snapshot, terms, signal);
  const common = await wordVectors(snapshot.caches);
  await yieldToEventLoop(signal);
  const openers = new Set(lexicon.texts(vocabulary.openers));
  const capitalised = new Set(lexicon.texts(vocabulary.names));
  const question = seriesQuestion(
    { ...parsed, text },
    {
      idf,
      rarity: encoder.rarity,
      hasCompound: has,
      opensTitle: (low) => openers.has(low),
      isCapitalised: (low) => capitalised.has(low),
      isUncommon: uncommonWords({ encoder, common, has, terms: ownTerms }),
    },
  );
  await yieldToEventLoop(signal);
  const pool = binding.openPool(lexicon.handle, handles, plainQuestion(question, encoder));
  const { weighed, ids, ends } = binding.poolTexts(pool, tokensOf(question, encoder));
  const cosines = await encoder.cosines({ ids, ends }, 1, signal);
  await yieldToEventLoop(signal);
  const termIdf = idf(question.terms.map(({ term }) => term));
  const words = poolWords(pool, question, encoder);
  const likeness = await encoder.cosines(words, termIdf.length, signal);
  await yieldToEventLoop(signal);
  const coverage = binding.coverageOf(pool, termIdf, likeness);
  await yieldToEventLoop(signal);
  const matches = new Matches(
    lexicon,
    passages,
    binding.matchStatements(
      pool,
      idf(lexicon.texts(weighed)),
      termIdf,
      Float64Array.from(hits, ({ score }) => score),
      cosines,
    ),
  );
  binding.compareMatches(matches.columns.handle, exceptNeighbour(question, matches));
  const similarity = standardised(hits.map(({ scores }) => scores['similarity'] ?? 0));
  const table = memberTable(question, matches, { similarity, coverage }, options);
  return { question, table: await inTurns(table, signal) };
}

/** Tokens of the question's terms, then of each word of its candidates. */
function poolWords(
  pool: PoolHandle,
  { terms }: SeriesQuestion,
  encoder: TokenEncoder,
): ReturnType<TokenEncoder['tokenize']> {
  const { ids, ends } = encoder.tokenize(terms.map(({ low }) => low));
  return binding.poolWords(pool, ids, ends);
}

/** Of the question's words without values, of a question of none its content. */
function tokensOf({ terms, content }: SeriesQuestion, encoder: TokenEncoder): Uint32Array {
  const asked = terms.flatMap(({ value, low }) => (value ? [] : [low]));
  return encoder.tokenize([asked.join(' ') || content]).ids;
}

function embeddedEncoder(caches: CacheRegistry): Promise<TokenEncoder> {
  const cache = caches.get(readCache);
  if (!cache.encoder) {
    cache.encoder = tokenEncoder();
    cache.encoder.catch(() => delete cache.encoder);
  }
  return cache.encoder;
}

/** The statements of the candidates' passages, in their order, and what numbers and weighs them. */
export async function candidateStatements(
  query: QueryContext,
  hits: readonly Candidate[],
  signal: AbortSignal | undefined,
): Promise<{ passages: PassageStatements[]; lexicon: Lexicon; encoder: TokenEncoder }> {
  const { snapshot } = query;
  const encoder = await embeddedEncoder(snapshot.caches);
  const cache = snapshot.caches.get(readCache);
  if (!cache.lexicon || cache.lexicon.isFull) {
    cache.lexicon = new Lexicon(encoder.handle);
    cache.statements = readCache.create(snapshot.caches).statements;
  }
  const { lexicon, statements } = cache;
  const found = await unpacked(query, hits, lexicon, signal);
  const records = new Map<number, StoredPassage>();
  const keyOf = (at: number): string =>
    `${snapshot.segments[hits[at]!.segment]!.identity}/${hits[at]!.passage}`;
  const missing = [...hits.keys()].filter(
    (at) => !found[at] && !(found[at] = statements.get(keyOf(at))),
  );
  const excerpts = await excerptsOf(
    query,
    missing.map((at) => hits[at]!),
    signal,
  );
  for (let from = 0; from < missing.length; ) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    let [to, characters] = [from, 0];
    while (to < missing.length && to < from + passagesAtOnce && characters < charactersAtOnce)
      characters += excerpts[to++]!.record.text.length;
    const split = excerpts.slice(from, to).map((each, nth) => ({
      ...each,
      row: hits[missing[from + nth]!]!.row,
    }));
    const read = readStatements(split, lexicon, snapshot.timeZone);
    for (const [nth, passage] of read.entries()) {
      const at = missing[from + nth]!;
      const { isWhole, record } = split[nth]!;
      found[at] = passage;
      if (isWhole) statements.set(keyOf(at), passage, passageWeight + record.text.length);
      else records.set(at, record);
    }
    from = to;
  }
  const { askedAt } = query.parsed;
  const passages = (found as ReadPassage[]).map((passage, at) => {
    const recordOf = (): StoredPassage => records.get(at) ?? passageRecord(snapshot, hits[at]!);
    // What has no end has no successor.
    if (!Number.isFinite(passage.validTo)) return new PassageStatements(passage, recordOf);
    const record = recordOf();
    const known = asKnown(snapshot, record, askedAt);
    return new PassageStatements(
      known === record ? passage : withValidity(passage, known),
      () => known,
    );
  });
  return { passages, lexicon, encoder };
}

/** By hit: the packed statements of its passage; undefined where it has none. */
async function unpacked(
  { snapshot }: QueryContext,
  hits: readonly Candidate[],
  lexicon: Lexicon,
  signal: AbortSignal | undefined,
): Promise<(ReadPassage | undefined)[]> {
  const found = Array.from<ReadPassage | undefined>({ length: hits.length });
  for (const [segment, stored] of snapshot.segments.entries()) {
    const all = [...hits.keys()].filter((at) => hits[at]!.segment === segment);
    for (let from = 0; from < all.length; from += unpackedAtOnce) {
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
      const some = all.slice(from, from + unpackedAtOnce);
      const numbers = some.map((at) => hits[at]!.passage);
      const rows = some.map((at) => hits[at]!.row);
      const sentences = sentenceRowsOfEach(stored, numbers);
      const passages = passageClocks(stored, rows).map((clocks, nth) => ({
        ...clocks,
        passage: numbers[nth]!,
        rows: { from: sentences[nth]![0], to: sentences[nth]![1] },
        row: rows[nth]!,
      }));
      const read = unpackStatements(stored.segment, passages, lexicon, snapshot.timeZone);
      for (const [nth, passage] of read.entries()) found[some[nth]!] = passage;
    }
  }
  return found;
}
