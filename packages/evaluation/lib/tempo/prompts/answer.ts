// Prompt for an answer in full sentences, with or without documents (TEMPO appendix G.3).
import { passagesBlock } from 'asof/kit';

const style =
  'Answer in at most 200 words of plain sentences. Name the dates and periods that the ' +
  'answer turns on, the earlier and the later ones ' +
  'alike.';

export interface AnswerRequest {
  system: string;
  prompt: string;
  maxTokens: number;
  temperature: number;
}

export function answerRequest(
  question: string,
  passages: Parameters<typeof passagesBlock>[0],
  characters: number,
): AnswerRequest {
  const asked = `Question:\n${question.trim()}\n\nAnswer:`;
  return passages.length === 0
    ? {
        system: `You answer questions of history, law, money, travel and the like. ${style}`,
        prompt: asked,
        maxTokens: 400,
        temperature: 0,
      }
    : {
        system: `You answer a question from the documents that are given. Facts change with time: mind which date belongs to which. ${style}`,
        prompt: `${passagesBlock(passages, characters)}\n\n${asked}`,
        maxTokens: 400,
        temperature: 0,
      };
}
