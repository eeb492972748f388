// Which answers occur in texts, by the tokens of MRAG's evaluation.
import { answerTokens } from 'asof/kit';

/** A function that finds which of the answers, by their numbers, occur in a text. */
export function answerFinder(answers: readonly string[]): (text: string) => Set<number> {
  const byFirst = new Map<string, { number: number; tokens: readonly string[] }[]>();
  for (const [number, answer] of answers.entries()) {
    const tokens = answerTokens(answer);
    const [first] = tokens;
    if (first !== undefined)
      byFirst.set(first, [...(byFirst.get(first) ?? []), { number, tokens }]);
  }
  return (text) => {
    const said = answerTokens(text);
    const found = new Set<number>();
    for (const [at, token] of said.entries())
      for (const { number, tokens } of byFirst.get(token) ?? [])
        if (!found.has(number) && tokens.every((each, offset) => said[at + offset] === each))
          found.add(number);
    return found;
  };
}
