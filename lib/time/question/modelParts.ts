// Question parsing by a language model (MRAG section 4), validated against the question: the model
// selects the words of the constraint, the tagger reads their dates. Words that the question lacks
// are rejected, never repaired.
import type { Question } from '../../records.js';
import { askJson } from '../../text/prompts/jsonPrompt.js';
import { questionPartsPrompt, type QuestionPartsAnswer } from '../../text/prompts/questionParts.js';
import type { TextModel } from '../../text/textModel.js';
import { conditions, type Constraint, type ParsedQuestion } from '../constraint.js';
import { parseQuestion, type QuestionOptions } from './question.js';

/**
 * The question as parsed by the model, or the reason why its answer is unusable. Errors: as
 * parseQuestion and generateJson.
 */
export async function parseQuestionWithModel(
  model: TextModel,
  question: Question,
  options: QuestionOptions = {},
  signal?: AbortSignal,
): Promise<{ parsed: ParsedQuestion } | { unusable: string }> {
  const rules = parseQuestion(question, options);
  const answer = await askJson<QuestionPartsAnswer>(
    model,
    questionPartsPrompt(question.text),
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
