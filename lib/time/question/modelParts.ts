// A question taken apart by a language model (MRAG section 4), held against the question: the model
// says which words are the constraint and which are not, the tagger reads their dates. What the
// question does not say is refused, never repaired.
import type { Question } from '../../records.js';
import { askJson } from '../../text/prompts/jsonPrompt.js';
import { questionPartsPrompt, type QuestionPartsAnswer } from '../../text/prompts/questionParts.js';
import type { TextModel } from '../../text/textModel.js';
import { conditions, type Constraint, type ParsedQuestion } from '../constraint.js';
import { parseQuestion, type QuestionOptions } from './question.js';

/**
 * The question as the model takes it apart, or why its answer cannot be used. Errors: as
 * parseQuestion and generateJson.
 */
export async function parseQuestionWithModel(
  model: TextModel,
  question: Question,
  options: QuestionOptions = {},
  signal?: AbortSignal,
): Promise<{ parsed: ParsedQuestion } | { unusable: string }> {
  const rules = parseQuestion(question, options);
  const said = await askJson<QuestionPartsAnswer>(
    model,
    questionPartsPrompt(question.text),
    signal,
  );
  return 'unusable' in said ? said : heldAgainst(rules, said.value);
}

function heldAgainst(
  rules: ParsedQuestion,
  { mainContent, constraint: words, condition }: QuestionPartsAnswer,
): { parsed: ParsedQuestion } | { unusable: string } {
  if (!conditions.includes(condition))
    return { unusable: `the condition ${JSON.stringify(condition)}` };
  const known = new Set(wordsOf(rules.text));
  const content = mainContent.trim();
  const strange = wordsOf(content).find((word) => !known.has(word));
  if (wordsOf(content).length === 0) return { unusable: 'no main content' };
  if (strange !== undefined)
    return {
      unusable: `a main content with ${JSON.stringify(strange)}, which the question does not say`,
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

/** The question's dates that the words cover any part of. */
function constraintsWithin({ text, constraints }: ParsedQuestion, words: string): Constraint[] {
  const at = text.toLowerCase().indexOf(words.toLowerCase());
  if (at < 0) return [];
  let from = 0;
  return constraints.filter(({ text: own, interval }) => {
    if (own === undefined || interval === undefined) return false;
    const start = text.indexOf(own, from);
    if (start < 0) return false;
    from = start + own.length;
    return start < at + words.length && at < start + own.length;
  });
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
