// Question analysis, the first stage of every system: what the query context searches by, from the
// raw question, its main content, or question and time.
import type { CacheSpec } from '../runtime/cacheRegistry.js';
import { englishAnalyzer, type Analyzer } from '../text/analyzer.js';
import { stage, type Stage } from '../pipeline.js';
import { expandAbbreviations } from '../text/abbreviations.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { keywordText, officialQuestion } from '../time/question/official/question.js';
import { officialMonth } from '../time/question/official/years.js';
import { fallbackNote } from '../text/prompts/jsonPrompt.js';
import { checkTextModel, type TextModel } from '../text/textModel.js';
import { parseQuestionWithModel } from '../time/question/modelParts.js';
import { parseQuestion, questionEnd, type QuestionOptions } from '../time/question/question.js';
import { formatDay } from '../time/instant.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { parseYearQuestion } from '../time/question/years.js';
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

/**
 * Splits the question into main content and temporal constraint, and searches by the main content
 * (MRAG section 4), by rules or by a model. Rules replace an unusable answer of the model. Notes:
 * by, constraint.
 */
export function decompose(
  options: QuestionOptions = {},
  model?: TextModel,
): Stage<QueryRequest, QueryContext> {
  if (model) checkTextModel(model);
  return stage(
    'decompose',
    async (request, { note, signal }) => {
      const answer =
        model && (await parseQuestionWithModel(model, request.question, options, signal));
      const byModel = answer && 'parsed' in answer ? answer.parsed : undefined;
      const parsed = byModel ?? parseQuestion(request.question, options);
      note(
        'by',
        byModel
          ? model!.id
          : answer && 'unusable' in answer
            ? fallbackNote(model, answer.unusable)
            : 'rules',
      );
      note('constraint', parsed.constraint.text ?? 'none');
      const searchText = expandAbbreviations(
        byModel ? byModel.mainContent : contentOutsideConstraints(parsed),
      );
      return queryContext(request, { parsed, searchText });
    },
    'MRAG 4',
  );
}

/** Question decomposition of MRAG's published code, by years. */
export function decomposeOfficial(): Stage<QueryRequest, QueryContext> {
  return stage(
    'decomposeOfficial',
    (request, { note }) => {
      const end = questionEnd(request.question.text);
      const { text, constraint } = officialQuestion(end);
      note('by', 'rules');
      note('constraint', constraint ? `${constraint.type} ${constraint.years.join(' ')}` : 'none');
      const month = officialMonth(end);
      // Extracted and never used, as in the published code.
      if (month !== undefined) note('month', month);
      return queryContext(request, {
        parsed: parseQuestion(request.question),
        searchText: keywordText(text),
      });
    },
    'MRAG 4, as published',
  );
}

/**
 * Searches by the question's text (TempRALM section 3.2); its constraint is only used for ranking.
 */
export function questionAsQuery(): Stage<QueryRequest, QueryContext> {
  return stage('rawQuery', (request) =>
    queryContext(request, {
      parsed: parseQuestion(request.question),
      searchText: request.question.text,
    }),
  );
}

/** `questionAsQuery` as Re3's extraction of the query time (section 3.2). */
export function parseTime(): Stage<QueryRequest, QueryContext> {
  return stage('parseTime', questionAsQuery().run, 'Re3 3.2');
}

/**
 * Searches by the main content, and by BM25 also for the constraint's years, at half the weight of
 * a word. Months and days are left to the temporal score, since as words they are ambiguous
 * ("May").
 */
export function contentWithYears(options: QuestionOptions = {}): Stage<QueryRequest, QueryContext> {
  return stage('contentWithYears', (request, context) => {
    const parsed = parseQuestion(request.question, options);
    context.note('constraint', parsed.constraint.text ?? 'none');
    return queryContext(request, {
      parsed,
      searchText: expandAbbreviations(contentOutsideConstraints(parsed)),
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

/** Searches by the question without its years, as MRAG's published re-implementation. */
export function withoutYears(): Stage<QueryRequest, QueryContext> {
  return stage('withoutYears', (request) =>
    queryContext(request, {
      parsed: parseQuestion(request.question),
      searchText: parseYearQuestion(questionEnd(request.question.text)).mainContent,
    }),
  );
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
  /** Years that BM25 searches for in addition. Default: none. */
  years?: readonly string[];
}

const questionVector = (vector: unknown, dimensions: number): Float32Array =>
  unitVector('question.vector', vector, dimensions, invalidArgument);

function queryContext(
  {
    question,
    k,
    perDocument,
    mostUnits,
    corpus,
    snapshot,
    resolved,
    exactness,
    onScan,
    onAnswer,
  }: QueryRequest,
  { parsed, searchText, years = [] }: QueryAnalysis,
): QueryContext {
  const analyzer = snapshot.caches.get(queryAnalyzer);
  const own = question.vector ?? undefined;
  let vector = own && Promise.resolve(questionVector(own, snapshot.manifest.encoder.dimensions));
  let queryTerms: string[] | undefined;
  const analyze = (): string[] => {
    const terms = analyzer.analyze(searchText);
    // Repeated words give years half the weight of a word.
    return years.length === 0 ? terms : [...terms, ...terms, ...years];
  };
  return {
    parsed: resolved ? { ...parsed, resolved } : parsed,
    searchText,
    k,
    perDocument,
    mostUnits,
    snapshot,
    analyzer,
    exactness,
    onScan,
    onAnswer,
    vector: (signal) =>
      (vector ??= encodeTexts(corpus.encoder, [searchText], {
        kind: 'query',
        signal,
      })),
    fuseRows: (times, extractor) => {
      const column = fusedVectorColumn(times, { timeZone: snapshot.timeZone, extractor });
      const { key } = column;
      return { key, files: (signal) => corpus.derive(snapshot, column, { signal }) };
    },
    encode: (texts, signal) => encodeTexts(corpus.encoder, texts, { kind: 'passage', signal }),
    terms: () => (queryTerms ??= analyze()),
  };
}
