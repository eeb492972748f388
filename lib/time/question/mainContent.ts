// Main content of a question: its text without the words of the constraint, with blanks, orphaned
// commas and brackets repaired and the first letter's case kept
// (docs/decisions/time-in-text.md). Nothing else is reworded.

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
    // "Who, in 1990, led the party?" loses both commas; "In Paris, in 1990, who led it?" keeps that
    // of "In Paris".
    after = after.slice(1);
    if (!opensWithPlace.test(before)) before = before.slice(0, -1);
  } else if (before.endsWith(',') && /^(?:[?.!;]|$)/.test(after)) {
    before = before.slice(0, -1);
  }
  const closing = /^\s*[?.!,;:)'’]/.test(after) || after === '';
  return `${before}${closing ? '' : ' '}${after.trimStart()}`.replace(/[ \t]+/g, ' ').trim();
}
