// A result for an agent: without what explains scores and speed, which its model would pay for.

/** A text, or its beginning with an ellipsis; no character is halved. */
export const cut = (text: string, units: number): string =>
  text.length <= units ? text : `${text.slice(0, units).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** The JSON of a result, whose texts are cut after `mostText` UTF-16 units, and marked `cut`. */
export function agentResult(
  result: Record<string, unknown>,
  mostText: number,
): Record<string, unknown> {
  const { trace: _, scan: __, dropped: ___, evidence, ...rest } = result;
  const found = evidence as { scores: unknown; shares: unknown; text: string }[];
  const shortened = found.map(({ scores: _, shares: __, text, ...others }) => ({
    ...others,
    text: cut(text, mostText),
    ...(text.length > mostText ? { cut: true } : {}),
  }));
  return { ...rest, evidence: shortened };
}
