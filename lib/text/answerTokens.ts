// Occurrence of an answer in a text, by the tokens of MRAG's evaluation. Compares forms, not
// meaning.

/** NFD, then runs of letters, digits and marks, or single other characters; lower case. */
export function answerTokens(text: string): string[] {
  return (text.normalize('NFD').match(/[\p{L}\p{N}\p{M}]+|[^\p{Z}\p{C}]/gu) ?? []).map((token) =>
    token.toLowerCase(),
  );
}

/** Whether the answer's tokens occur consecutively; false for none. */
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
