// The first stage of every system: what to search by. Whole questions, questions without their
// constraint, or questions with their time appended to the text.
import { englishAnalyzer } from '../text/analyzer.js';
import { stage, type Stage } from '../pipeline.js';
import { expandAbbreviations } from '../text/abbreviations.js';
import type { Asked } from '../retrieval/candidate.js';
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
import type { Ask } from './system.js';

// One for the process: it caches stems.
const analyzer = englishAnalyzer();

/**
 * Splits the question into main content and temporal constraint, and searches by the main content
 * (MRAG section 4). With a model it is the model that says which words are which; an answer that
 * the question does not bear out is replaced by the rules', and noted.
 */
export function decompose(options: QuestionOptions = {}, model?: TextModel): Stage<Ask, Asked> {
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
      return asked(ask, parsed, searchText, [], withoutQuestionWords(searchText));
    },
    'MRAG 4',
  );
}

/** The whole question as the words to search by; its constraint is read for the ranking alone. */
export function undivided(options: QuestionOptions = {}): Stage<Ask, Asked> {
  return stage('undivided', (ask) =>
    asked(
      ask,
      parseQuestion(ask.question, options),
      ask.question.text,
      [],
      withoutQuestionWords(ask.question.text),
    ),
  );
}

/** As the published code of MRAG takes a question apart, by its years. */
export function decomposeOfficially(): Stage<Ask, Asked> {
  return stage(
    'decomposeOfficially',
    (ask, { note }) => {
      const { text, constraint } = officialQuestion(ask.question.text);
      note('by', 'rules');
      note('constraint', constraint ? `${constraint.type} ${constraint.years.join(' ')}` : 'none');
      const month = officialMonth(ask.question.text);
      if (month !== undefined) note('month', month); // read and never used, as there
      return asked(ask, parseQuestion(ask.question), keywordText(text));
    },
    'MRAG 4, as published',
  );
}

const questionWord =
  /(?<![\p{L}\p{N}])(?:who|whom|whose|which|what|when|where|why|how|did|does|do|has|have|had)(?![\p{L}\p{N}'’-])/gu;

/**
 * What to match words by: passages answer "who" without saying it. "WHO" and "The Who" are names.
 */
function withoutQuestionWords(text: string): string {
  const lowered = text.replace(/^\W*\p{Lu}\p{Ll}+/u, (opening) => opening.toLowerCase());
  const left = lowered.replace(questionWord, ' ');
  return analyzer.analyze(left).length > 0 ? left : text;
}

/** Searches by the question as it was asked (TempRALM section 3.2). */
export function asAsked(): Stage<Ask, Asked> {
  return stage('asAsked', (ask) => asked(ask, parseQuestion(ask.question), ask.question.text));
}

/**
 * The same, where the time that is read off the question is what the next stage is about (Re3
 * section 3.2).
 */
export function parseTime(): Stage<Ask, Asked> {
  return stage('parseTime', asAsked().run, 'Re3 3.2');
}

/**
 * Searches by the main content, and lexically by the constraint's years too: a passage that names
 * the question's own year deserves the match, at half the weight of a word. Months and days are
 * left to the temporal score: as words they mean other things ("May").
 */
export function byContentAndYears(options: QuestionOptions = {}): Stage<Ask, Asked> {
  return stage('byContentAndYears', (ask, context) => {
    const parsed = parseQuestion(ask.question, options);
    context.note('constraint', parsed.constraint.text ?? 'none');
    return asked(
      ask,
      parsed,
      expandAbbreviations(contentOutsideConstraints(parsed)),
      yearsNamed(parsed),
    );
  });
}

/** The years that the constraints on what is told name; before and after exclude theirs. */
function yearsNamed({ constraint, constraints }: ParsedQuestion): string[] {
  const binding = constraints.filter(
    ({ binds, clock, relation }) =>
      binds && clock === constraint.clock && relation !== 'before' && relation !== 'after',
  );
  return binding.flatMap(({ text = '' }) => text.match(/\d{4}/g) ?? []);
}

/**
 * Searches by the question without its years, as the published code of MRAG's re-implementation
 * does (`parseYearQuestion`).
 */
export function withoutYears(): Stage<Ask, Asked> {
  return stage('withoutYears', (ask) =>
    asked(ask, parseQuestion(ask.question), parseYearQuestion(ask.question.text).mainContent),
  );
}

/**
 * Appends the day of asking to the text: the baseline of TempRALM's paper (section 4.3,
 * "time-suffixed").
 */
export function withSuffix(): Stage<Ask, Asked> {
  return stage('withSuffix', (ask) => {
    const parsed = parseQuestion(ask.question);
    return asked(ask, parsed, `${ask.question.text} ${formatDay(parsed.askedAt)}`);
  });
}

function asked(
  ask: Ask,
  parsed: ParsedQuestion,
  searchText: string,
  years: readonly string[] = [],
  matched = searchText,
): Asked {
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

/**
 * Terms of the text, repeated where years stand beside them: BM25 weighs a term by how often the
 * query has it.
 */
function analyze(text: string, years: readonly string[]): string[] {
  const terms = analyzer.analyze(text);
  return years.length === 0 ? terms : [...terms, ...terms, ...years];
}
