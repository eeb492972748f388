// Question analysis, the first stage of every system: what the query context searches by, from the
// raw question, its main content, or question and time.
import { englishAnalyzer } from '../text/analyzer.js';
import { stage, type Stage } from '../pipeline.js';
import { expandAbbreviations } from '../text/abbreviations.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { keywordText, officialQuestion } from '../time/question/official/question.js';
import { officialMonth } from '../time/question/official/years.js';
import { fallbackNote } from '../text/prompts/jsonPrompt.js';
import { checkTextModel, type TextModel } from '../text/textModel.js';
import { parseQuestionWithModel } from '../time/question/modelParts.js';
import { parseQuestion, type QuestionOptions } from '../time/question/question.js';
import { formatDay } from '../time/instant.js';
import type { ParsedQuestion } from '../time/constraint.js';
import { parseYearQuestion } from '../time/question/years.js';
import { contentOutsideConstraints } from '../time/question/jointConstraint.js';
import { fusedVectorColumn } from '../store/fusedVectorColumn.js';
import { encodeTexts } from '../vectors/encoder.js';
import type { QueryRequest } from './system.js';

// Shared, since it caches stems.
const analyzer = englishAnalyzer();

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
    async (ask, { note, signal }) => {
      const said = model && (await parseQuestionWithModel(model, ask.question, options, signal));
      const byModel = said && 'parsed' in said ? said.parsed : undefined;
      const parsed = byModel ?? parseQuestion(ask.question, options);
      note(
        'by',
        byModel
          ? model!.id
          : said && 'unusable' in said
            ? fallbackNote(model!, said.unusable)
            : 'rules',
      );
      note('constraint', parsed.constraint.text ?? 'none');
      const searchText = expandAbbreviations(
        byModel ? byModel.mainContent : contentOutsideConstraints(parsed),
      );
      return queryContext(ask, parsed, searchText, [], withoutQuestionWords(searchText));
    },
    'MRAG 4',
  );
}

/** Searches by the whole question; its constraint is only used for ranking. */
export function wholeQuestion(options: QuestionOptions = {}): Stage<QueryRequest, QueryContext> {
  return stage('wholeQuestion', (ask) =>
    queryContext(
      ask,
      parseQuestion(ask.question, options),
      ask.question.text,
      [],
      withoutQuestionWords(ask.question.text),
    ),
  );
}

/** Question decomposition of MRAG's published code, by years. */
export function decomposeOfficial(): Stage<QueryRequest, QueryContext> {
  return stage(
    'decomposeOfficial',
    (ask, { note }) => {
      const { text, constraint } = officialQuestion(ask.question.text);
      note('by', 'rules');
      note('constraint', constraint ? `${constraint.type} ${constraint.years.join(' ')}` : 'none');
      const month = officialMonth(ask.question.text);
      // Extracted and never used, as in the published code.
      if (month !== undefined) note('month', month);
      return queryContext(ask, parseQuestion(ask.question), keywordText(text));
    },
    'MRAG 4, as published',
  );
}

const questionWord =
  /(?<![\p{L}\p{N}])(?:who|whom|whose|which|what|when|where|why|how|did|does|do|has|have|had)(?![\p{L}\p{N}'’-])/gu;

/** The text for BM25: passages answer "who" without the word. "WHO" and "The Who" are names. */
function withoutQuestionWords(text: string): string {
  const lowered = text.replace(/^\W*\p{Lu}\p{Ll}+/u, (opening) => opening.toLowerCase());
  const left = lowered.replace(questionWord, ' ');
  return analyzer.analyze(left).length > 0 ? left : text;
}

/** Searches by the question's text (TempRALM section 3.2). */
export function rawQuery(): Stage<QueryRequest, QueryContext> {
  return stage('rawQuery', (ask) =>
    queryContext(ask, parseQuestion(ask.question), ask.question.text),
  );
}

/** `rawQuery` as Re3's extraction of the query time (section 3.2). */
export function parseTime(): Stage<QueryRequest, QueryContext> {
  return stage('parseTime', rawQuery().run, 'Re3 3.2');
}

/**
 * Searches by the main content, and by BM25 also for the constraint's years, at half the weight of
 * a word. Months and days are left to the temporal score, since as words they are ambiguous
 * ("May").
 */
export function contentWithYears(options: QuestionOptions = {}): Stage<QueryRequest, QueryContext> {
  return stage('contentWithYears', (ask, context) => {
    const parsed = parseQuestion(ask.question, options);
    context.note('constraint', parsed.constraint.text ?? 'none');
    return queryContext(
      ask,
      parsed,
      expandAbbreviations(contentOutsideConstraints(parsed)),
      constraintYears(parsed),
    );
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

/** Searches by the question without its years, as the published code of MRAG's re-implementation. */
export function withoutYears(): Stage<QueryRequest, QueryContext> {
  return stage('withoutYears', (ask) =>
    queryContext(
      ask,
      parseQuestion(ask.question),
      parseYearQuestion(ask.question.text).mainContent,
    ),
  );
}

/** Appends the question's date: the time-suffixed baseline of TempRALM (section 4.3). */
export function withTimeSuffix(): Stage<QueryRequest, QueryContext> {
  return stage('withTimeSuffix', (ask) => {
    const parsed = parseQuestion(ask.question);
    return queryContext(ask, parsed, `${ask.question.text} ${formatDay(parsed.askedAt)}`);
  });
}

function queryContext(
  ask: QueryRequest,
  parsed: ParsedQuestion,
  searchText: string,
  years: readonly string[] = [],
  matched = searchText,
): QueryContext {
  const { k, corpus, snapshot, exactness, onScan } = ask;
  let vector: Promise<Float32Array> | undefined;
  let terms: string[] | undefined;
  return {
    parsed,
    searchText,
    k,
    snapshot,
    analyzer,
    ...(exactness ? { exactness } : {}),
    ...(onScan ? { onScan } : {}),
    vector: (signal) =>
      (vector ??= encodeTexts(corpus.encoder, [searchText], {
        kind: 'query',
        ...(signal ? { signal } : {}),
      })),
    fuseRows: (times, signal) =>
      corpus.derive(snapshot, fusedVectorColumn(times), signal ? { signal } : {}),
    encode: (texts, signal) =>
      encodeTexts(corpus.encoder, texts, { kind: 'passage', ...(signal ? { signal } : {}) }),
    terms: () => (terms ??= analyze(matched, years)),
  };
}

/** Query terms, each repeated if there are years, which then have half the BM25 weight. */
function analyze(text: string, years: readonly string[]): string[] {
  const terms = analyzer.analyze(text);
  return years.length === 0 ? terms : [...terms, ...terms, ...years];
}
