// Re3's accuracy of answers (its tables 1 and 2) as a metric against exact match and F1. It reads
// no passage and judges no meaning.
import type { Metric } from '../../../packages/evaluation/lib/index.js';
import { answerTokens, containsAnswer } from '../../../lib/text/answerTokens.js';

/**
 * 1 where the answer has an expected one in it, token by token: "a high near 60 F" is right where
 * 60 is expected, as the paper's case study counts it (its figure 9), although its text speaks of
 * an exact match. "1,234" is 1234. No answer is wrong.
 */
export const accuracy: Metric = {
  name: 'accuracy',
  source: 'given and expected answers',
  of: ({ answer, answers }) => {
    if (!answers) return undefined;
    const said = typeof answer === 'string' ? [answer] : (answer ?? []);
    const wanted = answers.map(tokens);
    return said.some((each) => wanted.some((answer) => containsAnswer(tokens(each), answer)))
      ? 1
      : 0;
  },
};

const tokens = (text: string): string[] => answerTokens(text.replace(/(?<=\d),(?=\d{3})/g, ''));
