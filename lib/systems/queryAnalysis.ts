// Question analysis, the first stage of every system: what the query context searches by, from the
// raw question, its main content, or question and time.
import type { CacheSpec } from '../runtime/cacheRegistry.js';
import { englishAnalyzer, type Analyzer } from '../text/analyzer.js';
import { stage, type Stage } from '../pipeline.js';
import { expandAbbreviations } from '../text/abbreviations.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { withoutAsking } from '../facts/question/question.js';
import { parseQuestion, type QuestionOptions } from '../time/question/question.js';
import { formatDay } from '../time/instant.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { contentOutsideConstraints } from '../time/question/jointConstraint.js';
import { fusedVectorColumn } from '../store/derived/fusedVectorColumn.js';
import { encodeTexts } from '../vectors/encoder.js';
import { unitVector } from '../vectors/unitVector.js';
import { invalidArgument } from '../errors.js';
import type { QueryRequest } from './system.js';

/** The analyzer of a corpus's queries, which caches stems. */
const queryAnalyzer: CacheSpec<Analyzer> = {
  name: 'query analyzer',
  create: () => englishAnalyzer(),
};

/** Searches by the question's text (TempRALM section 3.2); its constraint only ranks. */
export function questionAsQuery(): Stage<QueryRequest, QueryContext> {
  return stage('rawQuery', (request) =>
    queryContext(request, {
      parsed: parseQuestion(request.question),
      searchText: request.question.text,
    }),
  );
}

/**
 * Searches by the main content. BM25 leaves out words of asking and of order, and searches for the
 * constraint's years too, at half the weight of a word. Months and days are left to the temporal
 * score, since as words they are ambiguous ("May").
 */
export function contentWithYears(options: QuestionOptions = {}): Stage<QueryRequest, QueryContext> {
  return stage('contentWithYears', (request, context) => {
    const parsed = parseQuestion(request.question, options);
    context.note('constraint', parsed.constraint.text ?? 'none');
    const searchText = expandAbbreviations(contentOutsideConstraints(parsed));
    return queryContext(request, {
      parsed,
      searchText,
      lexicalText: withoutAsking(searchText, parsed),
      years: constraintYears(parsed),
    });
  });
}

/** The years of binding constraints; those of before and after are excluded. */
function constraintYears({ constraint, constraints }: ParsedQuestion): string[] {
  const binding = constraints.filter(
    ({ binds, clock, relation }) =>
      binds && clock === constraint.clock && relation !== 'before' && relation !== 'after',
  );
  return binding.flatMap(({ text = '' }) => text.match(/\d{4}/g) ?? []);
}

/** Appends the question's date: the time-suffixed baseline of TempRALM (section 4.3). */
export function withTimeSuffix(): Stage<QueryRequest, QueryContext> {
  return stage('withTimeSuffix', (request) => {
    const parsed = parseQuestion(request.question);
    return queryContext(request, {
      parsed,
      searchText: `${request.question.text} ${formatDay(parsed.askedAt, parsed.timeZone)}`,
    });
  });
}

interface QueryAnalysis {
  parsed: ParsedQuestion;
  searchText: string;
  /** What BM25 searches for. Default: `searchText`. */
  lexicalText?: string;
  /** Years that BM25 searches for in addition. Default: none. */
  years?: readonly string[];
}

const questionVector = (vector: unknown, dimensions: number): Float32Array =>
  unitVector('question.vector', vector, dimensions, invalidArgument);

/** The context of a question that was analyzed. */
export function queryContext(
  request: QueryRequest,
  { parsed, searchText, lexicalText = searchText, years = [] }: QueryAnalysis,
): QueryContext {
  const { question, k, selection, corpus, snapshot, resolved, ...others } = request;
  const { exactness, onScan, onMask, onAnswer } = others;
  const analyzer = snapshot.caches.get(queryAnalyzer);
  const own = question.vector ?? undefined;
  let vector = own && Promise.resolve(questionVector(own, snapshot.manifest.encoder.dimensions));
  let queryTerms: string[] | undefined;
  const analyze = (): string[] => {
    const terms = analyzer.analyze(lexicalText);
    // Repeated words give years half the weight of a word.
    return years.length === 0 ? terms : [...terms, ...terms, ...years];
  };
  return {
    parsed: resolved ? { ...parsed, resolved } : parsed,
    searchText,
    k,
    selection,
    snapshot,
    analyzer,
    exactness,
    onScan,
    onMask,
    onAnswer,
    vector: (signal) =>
      (vector ??= encodeTexts(corpus.encoder, [searchText], { kind: 'query', signal })),
    fuseRows: (times, extractor) => {
      const column = fusedVectorColumn(times, { timeZone: snapshot.timeZone, extractor });
      const { key } = column;
      return { key, files: (signal) => corpus.derive(snapshot, column, { signal }) };
    },
    encode: (texts, signal) => encodeTexts(corpus.encoder, texts, { kind: 'passage', signal }),
    terms: () => (queryTerms ??= analyze()),
  };
}
