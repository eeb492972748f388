// What is left of a question without the words of its constraint: blanks, and a comma or brackets
// that stood for them, repaired, the first letter's case as it was (TIME_CONVENTIONS). Nothing else
// is reworded.

const opensWithPlace = /^\s*(?:in|at|on|for|during|within|under|with|of|to|as|according)\b/i;

/** `text` without [start, end). */
export function mainContentOf(
  text: string,
  { start, end }: { start: number; end: number },
): string {
  let before = text.slice(0, start).trimEnd();
  let after = text.slice(end).trimStart();
  const enclosed = ['()', '[]', '""', '“”', "''", '‘’'].some(
    ([open, close]) => before.endsWith(open!) && after.startsWith(close!),
  );
  if (enclosed) {
    before = before.slice(0, -1).trimEnd();
    after = after.slice(1).trimStart();
  }
  if (before === '') return after.replace(/^[,;:]\s*/, '').trim();
  if (after.startsWith(',') && before.endsWith(',')) {
    // "Who, in 1990, led the party?" had two for it; "In Paris, in 1990, who led it?" keeps that of
    // "In Paris".
    after = after.slice(1);
    if (!opensWithPlace.test(before)) before = before.slice(0, -1);
  } else if (before.endsWith(',') && /^(?:[?.!;]|$)/.test(after)) {
    before = before.slice(0, -1);
  }
  const closing = /^\s*[?.!,;:)'’]/.test(after) || after === '';
  return `${before}${closing ? '' : ' '}${after.trimStart()}`.replace(/[ \t]+/g, ' ').trim();
}
