// Whether a text contains an answer, by the tokens that MRAG's evaluation counts by. It compares
// forms and judges no meaning.

/**
 * Tokens of a text: NFD, then runs of letters, digits and marks, or single other characters that
 * are neither blank nor control; in lower case.
 */
export function answerTokens(text: string): string[] {
  return (text.normalize('NFD').match(/[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]/gu) ?? []).map((token) =>
    token.toLowerCase(),
  );
}

/**
 * Whether the answer's tokens occur in the text's, one after the other. An answer without tokens
 * occurs nowhere.
 */
export function containsAnswer(textTokens: readonly string[], answer: readonly string[]): boolean {
  if (answer.length === 0) return false;
  for (
    let start = textTokens.indexOf(answer[0]!);
    start >= 0;
    start = textTokens.indexOf(answer[0]!, start + 1)
  ) {
    if (answer.every((token, offset) => textTokens[start + offset] === token)) return true;
  }
  return false;
}
