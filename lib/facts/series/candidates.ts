// The members of a question's candidates: statements read from the store with a cache per corpus,
// names, and cosines by the embedded encoder.
import { idfLookup } from '../../retrieval/documentFrequency.js';
import type { Candidate } from '../../retrieval/candidate.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import type { CacheSpec } from '../../runtime/cacheRegistry.js';
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import { GenerationalCache } from '../../runtime/generationalCache.js';
import { tagTimes } from '../../time/tagger.js';
import type { Encoder } from '../../vectors/encoder.js';
import { staticEncoder } from '../../vectors/staticEncoder.js';
import { wordRarity } from '../../vectors/wordRarity.js';
import { compareMatches, statementMatcher, type StatementMatch } from './features.js';
import { excerptsOf, type Excerpt } from './excerpts.js';
import { memberTable, type MemberTable } from './members.js';
import { withNamesOfInitials } from './initials.js';
import { Lexicon } from './lexicon.js';
import { candidateNames, opensWithName } from './names.js';
import { seriesQuestion, type SeriesQuestion } from './question.js';
import { readStatements, type PassageStatements, type TaggedPassage } from './statements.js';
import type { WordRange } from './textWords.js';
import { AskedTerms, Vocabulary } from './vocabulary.js';

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

/** The embedded encoder, for which the weights were fitted, whatever that of the corpus. */
const encoderCache: CacheSpec<{ encoder?: Promise<Encoder> }> = {
  name: 'statement encoder',
  create: () => ({}),
};

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
  const [rarity, encoder, { passages, lexicon }] = await Promise.all([
    wordRarity(snapshot.caches),
    embeddedEncoder(query),
    statementsOf(query, hits, signal),
  ]);
  const text = withNamesOfInitials(parsed.text, passages);
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
  const cosines = await statementCosines(encoder, question, passages, signal);
  const asked = new AskedTerms(question, vocabulary);
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
  compareMatches(matches);
  return { question, table: await memberTable(question, matches, hits.length, signal) };
}

const firstOfTitle = ({ title: { of } }: PassageStatements): string =>
  of.lexicon.words[of.words[0]!]!.low;

function embeddedEncoder({ snapshot }: QueryContext): Promise<Encoder> {
  const cache = snapshot.caches.get(encoderCache);
  if (!cache.encoder) {
    cache.encoder = staticEncoder();
    cache.encoder.catch(() => delete cache.encoder);
  }
  return cache.encoder;
}

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
    ({ segment, passage }) => `${snapshot.segments[segment]!.number}/${passage}`,
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
  return { passages: found as PassageStatements[], lexicon };
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
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    const head = textOf(title);
    for (const statement of statements) texts.push(`${head} ${textOf(statement.words)}`.trim());
  }
  const vectors = await encoder.encode(texts, { kind: 'passage', signal });
  const { dimensions } = encoder;
  const cosines = new Float64Array(texts.length - 1);
  for (let at = 0; at < cosines.length; at += 1) {
    const row = (at + 1) * dimensions;
    let product = 0;
    for (let i = 0; i < dimensions; i += 1) product += vectors[i]! * vectors[row + i]!;
    cosines[at] = product;
  }
  let from = 0;
  return passages.map(({ statements }) => cosines.subarray(from, (from += statements.length)));
}

/** The words of a text without values. */
function textOf({ of: { words, lexicon }, from, to }: WordRange): string {
  let text = '';
  for (let at = from; at < to; at += 1) {
    const { value, low } = lexicon.words[words[at]!]!;
    if (!value) text += text === '' ? low : ` ${low}`;
  }
  return text;
}
