// Question processing of MRAG (section 4): main content and temporal constraint, by rules or by a
// language model, whose answer is validated against the question. The model selects the words of
// the constraint, the tagger reads their dates. Words that the question lacks are rejected, never
// repaired.
import type { Question } from '../../records.js';
import { askJson, fallbackNote, type JsonPrompt } from '../../text/jsonPrompt.js';
import { filledPrompt } from '../../text/promptTemplates.js';
import { checkTextModel, type TextModel } from '../../text/textModel.js';
import { conditions, type Constraint, type ParsedQuestion } from '../../time/constraint.js';
import { parseQuestion, type QuestionOptions } from '../../time/question/question.js';
import { stage, type Stage } from '../../pipeline.js';
import type { QueryContext } from '../../retrieval/queryContext.js';
import { queryContext } from '../../systems/queryAnalysis.js';
import type { QueryRequest } from '../../systems/system.js';
import { expandAbbreviations } from '../../text/abbreviations.js';
import { contentOutsideConstraints } from '../../time/question/jointConstraint.js';

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
  return stage('decompose', async (request, { note, signal }) => {
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
  });
}

/** The question as parsed by the model, or why its answer is unusable. */
export async function parseQuestionWithModel(
  model: TextModel,
  question: Question,
  options: QuestionOptions = {},
  signal?: AbortSignal,
): Promise<{ parsed: ParsedQuestion } | { unusable: string }> {
  const rules = parseQuestion(question, options);
  const answer = await askJson<QuestionPartsAnswer>(
    model,
    questionPartsPrompt(model, question.text),
    signal,
  );
  return 'unusable' in answer ? answer : validateParts(rules, answer.value);
}

function validateParts(
  rules: ParsedQuestion,
  { mainContent, constraint: words, condition }: QuestionPartsAnswer,
): { parsed: ParsedQuestion } | { unusable: string } {
  if (!conditions.includes(condition))
    return { unusable: `the condition ${JSON.stringify(condition)}` };
  const known = new Set(wordsOf(rules.text));
  const content = mainContent.trim();
  const unknown = wordsOf(content).find((word) => !known.has(word));
  if (wordsOf(content).length === 0) return { unusable: 'no main content' };
  if (unknown !== undefined)
    return {
      unusable: `a main content with ${JSON.stringify(unknown)}, which the question does not say`,
    };
  const chosen = words.trim() === '' ? [] : constraintsWithin(rules, words.trim());
  if (words.trim() !== '' && chosen.length === 0) {
    return {
      unusable: `the constraint ${JSON.stringify(words.slice(0, 60))}, in which the question has no date`,
    };
  }
  const dated = rules.constraints.filter(({ relation }) => relation !== 'none');
  const constraints = dated.map(
    (each): Constraint => ({ ...each, condition, binds: chosen.includes(each) }),
  );
  const first = constraints.find(({ binds }) => binds);
  if (!first) {
    const none: Constraint = { condition, relation: 'none', clock: 'content', binds: true };
    return {
      parsed: {
        ...rules,
        mainContent: content,
        constraint: none,
        constraints: [...constraints, none],
      },
    };
  }
  const primary = constraints[dated.indexOf(rules.constraint)];
  return {
    parsed: {
      ...rules,
      mainContent: content,
      constraint: primary?.binds ? primary : first,
      constraints,
    },
  };
}

/** The constraints that overlap the words. */
function constraintsWithin({ text, constraints }: ParsedQuestion, words: string): Constraint[] {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0) return [];
  let from = 0;
  return constraints.filter(({ text: constraintText, interval }) => {
    if (constraintText === undefined || interval === undefined) return false;
    const start = text.indexOf(constraintText, from);
    if (start < 0) return false;
    from = start + constraintText.length;
    return start < at + words.length && at < start + constraintText.length;
  });
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

interface QuestionPartsAnswer {
  mainContent: string;
  /** As written in the question; empty if there is none. */
  constraint: string;
  condition: 'none' | 'first' | 'earliest' | 'last' | 'latest';
}

function questionPartsPrompt({ templates }: TextModel, question: string): JsonPrompt {
  return {
    ...filledPrompt('question', templates, { question }),
    schema: {
      type: 'object',
      properties: {
        mainContent: { type: 'string' },
        constraint: { type: 'string' },
        condition: { enum: ['none', 'first', 'earliest', 'last', 'latest'] },
      },
      required: ['mainContent', 'constraint', 'condition'],
    },
    maxTokens: 200,
  };
}
