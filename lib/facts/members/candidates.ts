// The members of a question's candidates: statements read from the store with a cache per corpus,
// names and cosines.
import { binding } from '../../binding.js';
import { idfLookup } from '../../retrieval/documentFrequency.js';
import type { Candidate } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import type { CacheRegistry, CacheSpec } from '../../runtime/cacheRegistry.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { questionEnd } from '../../time/question/questionText.js';
import { tokenEncoder, type TokenEncoder } from '../../vectors/staticEncoder.js';
import { wordRarity, type WordRarity } from '../../vectors/wordRarity.js';
import { Matches } from '../features/matches.js';
import { excerptsOf } from '../statements/excerpts.js';
import { memberTable, type MemberTable, type MemberTableOptions } from './members.js';
import { exceptNeighbour } from './neighbour.js';
import { Lexicon } from '../statements/lexicon.js';
import { withNamesOfInitials } from '../question/names.js';
import { plainQuestion } from '../question/plainQuestion.js';
import { seriesQuestion, type SeriesQuestion } from '../question/question.js';
import { asKnown } from '../../store/views/asKnown.js';
import { readStatements, type PassageStatements } from '../statements/statements.js';

/** Statements by passage, weighed by their characters, and the lexicon that numbers their words. */
interface ReadPassages {
  lexicon?: Lexicon;
  statements: GenerationalCache<PassageStatements>;
  encoder?: Promise<TokenEncoder>;
}
const readCache: CacheSpec<ReadPassages> = {
  name: 'statements',
  create: () => ({
    statements: new GenerationalCache({ capacity: 800_000, maxEntryWeight: 25_000 }),
  }),
};
/** Size from which on a lexicon is replaced by a new one, with all statements that refer to it. */
const mostLexiconBytes = 1 << 25;
/** Passages that are read between turns of the event loop, and their characters. */
const [passagesAtOnce, charactersAtOnce] = [8, 20_000];

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
  const [rarity, encoder] = await Promise.all([
    wordRarity(snapshot.caches),
    embeddedEncoder(snapshot.caches),
  ]);
  const { passages, lexicon } = await statementsOf(query, hits, { rarity, encoder, signal });
  const text = withNamesOfInitials(questionEnd(parsed.text), passages);
  const handles = passages.map(({ handle }) => handle);
  const vocabulary = binding.vocabularyOf(lexicon.handle, handles);
  const has = (term: string): boolean => vocabulary.terms[lexicon.numberOf(term)] === 1;
  const terms = (): string[] => [
    ...lexicon.texts.filter((_, number) => vocabulary.terms[number] === 1),
    ...analyzer.analyze(text),
  ];
  const idf = await idfLookup(snapshot, terms, signal);
  const openers = new Set(Array.from(vocabulary.openers, (low) => lexicon.texts[low]!));
  const question = seriesQuestion({ ...parsed, text }, analyzer, {
    idf: (term) => idf([term])[0]!,
    rarity,
    hasCompound: has,
    opensTitle: (low) => openers.has(low),
  });
  const pool = binding.openPool(lexicon.handle, handles, plainQuestion(question, rarity));
  const { weighed, ids, ends } = binding.poolTexts(pool, tokensOf(question, encoder));
  const cosines = await encoder.cosines({ ids, ends }, signal);
  const matches = new Matches(
    lexicon,
    passages,
    binding.matchStatements(
      pool,
      idf(Array.from(weighed, (number) => lexicon.texts[number]!)),
      idf(question.terms.map(({ term }) => term)),
      Float64Array.from(hits, ({ score }) => score),
      cosines,
    ),
  );
  binding.compareMatches(matches.columns.handle, exceptNeighbour(question, matches));
  const similarities = hits.map(({ scores }) => scores['similarity'] ?? 0);
  return { question, table: memberTable(question, matches, similarities, options) };
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

interface Reading {
  rarity: WordRarity;
  encoder: TokenEncoder;
  signal: AbortSignal | undefined;
}

async function statementsOf(
  query: QueryContext,
  hits: readonly Candidate[],
  { rarity, encoder, signal }: Reading,
): Promise<{ passages: PassageStatements[]; lexicon: Lexicon }> {
  const { snapshot, analyzer } = query;
  const cache = snapshot.caches.get(readCache);
  if (!cache.lexicon || cache.lexicon.bytes > mostLexiconBytes) {
    cache.lexicon = new Lexicon({ analyzer, rarity, encoder: encoder.handle });
    cache.statements = readCache.create(snapshot.caches).statements;
  }
  const { lexicon, statements } = cache;
  const keys = hits.map(
    ({ segment, passage }) => `${snapshot.segments[segment]!.identity}/${passage}`,
  );
  const found = keys.map((key) => statements.get(key));
  const missing = [...hits.keys()].filter((at) => !found[at]);
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
      found[at] = passage;
      const weight = 64 + passage.record.text.length;
      if (split[nth]!.isWhole) statements.set(keys[at]!, passage, weight);
    }
    from = to;
  }
  const { askedAt } = query.parsed;
  const passages = (found as PassageStatements[]).map((passage) => {
    const record = asKnown(snapshot, passage.record, askedAt);
    return record === passage.record ? passage : passage.withValidity(record);
  });
  return { passages, lexicon };
}
