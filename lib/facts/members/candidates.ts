// The members of a question's candidates: statements read from the store with a cache per corpus,
// names and cosines.
import { idfLookup } from '../../retrieval/documentFrequency.js';
import type { Candidate } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import type { CacheSpec } from '../../runtime/cacheRegistry.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { questionEnd } from '../../time/question/questionText.js';
import { tagTimes } from '../../time/tagger.js';
import { wordRarity } from '../../vectors/wordRarity.js';
import { compareMatches, statementMatcher, type StatementMatch } from '../features/features.js';
import { excerptsOf, type Excerpt } from '../statements/excerpts.js';
import { memberTable, type MemberTable, type MemberTableOptions } from './members.js';
import { exceptNeighbour } from './neighbour.js';
import { Lexicon } from '../statements/lexicon.js';
import { candidateNames, opensWithName, withNamesOfInitials } from '../question/names.js';
import { seriesQuestion, type SeriesQuestion } from '../question/question.js';
import { statementCosines } from '../features/statementCosines.js';
import { asKnown } from '../../store/views/asKnown.js';
import {
  readStatements,
  validityOf,
  type PassageStatements,
  type TaggedPassage,
} from '../statements/statements.js';
import { AskedTerms, Vocabulary } from '../question/vocabulary.js';

/** Statements by passage, weighed by their characters, and the lexicon that numbers their words. */
interface ReadPassages {
  lexicon?: Lexicon;
  statements: GenerationalCache<PassageStatements>;
}
const readCache: CacheSpec<ReadPassages> = {
  name: 'statements',
  create: () => ({
    statements: new GenerationalCache({ capacity: 800_000, maxEntryWeight: 25_000 }),
  }),
};
/** Size from which on a lexicon is replaced by a new one, with all statements that refer to it. */
const mostLexiconBytes = 1 << 25;

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
  const [rarity, { passages, lexicon }] = await Promise.all([
    wordRarity(snapshot.caches),
    statementsOf(query, hits, signal),
  ]);
  const text = withNamesOfInitials(questionEnd(parsed.text), passages);
  const vocabulary = new Vocabulary(lexicon, passages);
  const terms = (): string[] => [...vocabulary.list(), ...analyzer.analyze(text)];
  const idf = await idfLookup(snapshot, terms, signal);
  const openers = new Set(passages.filter(({ title }) => opensWithName(title)).map(firstOfTitle));
  const question = seriesQuestion({ ...parsed, text }, analyzer, {
    idf,
    rarity,
    hasCompound: (compound) => vocabulary.has(compound),
    opensTitle: (low) => openers.has(low),
  });
  const asked = new AskedTerms(question, vocabulary);
  const cosines = await statementCosines(snapshot.caches, asked, passages, signal);
  const names = candidateNames(passages, rarity, asked);
  const match = statementMatcher({ asked, idf, rarity });
  const matches: StatementMatch[] = [];
  for (const [candidate, passage] of passages.entries()) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const { score } = hits[candidate]!;
    const [own, ofPassage] = [names[candidate]!, cosines[candidate]!];
    matches.push(...match({ passage, candidate, names: own, score, cosines: ofPassage }));
  }
  compareMatches(matches, exceptNeighbour(question, matches));
  const similarities = hits.map(({ scores }) => scores['similarity'] ?? 0);
  return { question, table: await memberTable(question, matches, similarities, options) };
}

const firstOfTitle = ({ title: { of } }: PassageStatements): string =>
  of.lexicon.words[of.words[0]!]!.low;

async function statementsOf(
  query: QueryContext,
  hits: readonly Candidate[],
  signal?: AbortSignal,
): Promise<{ passages: PassageStatements[]; lexicon: Lexicon }> {
  const { snapshot, analyzer } = query;
  const cache = snapshot.caches.get(readCache);
  if (!cache.lexicon || cache.lexicon.bytes > mostLexiconBytes) {
    cache.lexicon = new Lexicon(analyzer);
    cache.statements = readCache.create(snapshot.caches).statements;
  }
  const { lexicon, statements } = cache;
  const keys = hits.map(
    ({ segment, passage }) => `${snapshot.segments[segment]!.identity}/${passage}`,
  );
  const found = keys.map((key) => statements.get(key));
  const missing = [...hits.keys()].filter((at) => !found[at]);
  const read = await tagged(
    query,
    missing.map((at) => hits[at]!),
    signal,
  );
  for (const [nth, at] of missing.entries()) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const passage = readStatements(read[nth]!, lexicon, snapshot.timeZone);
    found[at] = passage;
    if (read[nth]!.isWhole) statements.set(keys[at]!, passage, 64 + passage.record.text.length);
  }
  const { askedAt } = query.parsed;
  const passages = (found as PassageStatements[]).map((passage) => {
    const record = asKnown(snapshot, passage.record, askedAt);
    if (record === passage.record) return passage;
    const { valid: _, ...others } = passage;
    return { ...others, record, ...validityOf(record) };
  });
  return { passages, lexicon };
}

async function tagged(
  query: QueryContext,
  hits: readonly Candidate[],
  signal?: AbortSignal,
): Promise<(TaggedPassage & Pick<Excerpt, 'isWhole'>)[]> {
  if (hits.length === 0) return [];
  const excerpts = await excerptsOf(query, hits, signal);
  const records = excerpts.map(({ record }) => record);
  const options = {
    references: records.map(({ publishedAt }) => publishedAt),
    timeZone: query.snapshot.timeZone,
    signal,
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
  return excerpts.map((excerpt, at) => ({
    ...excerpt,
    text: texts[at]!,
    title: titles[at]!,
    row: hits[at]!.row,
  }));
}
