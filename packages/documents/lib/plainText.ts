// Plain text whose lines were broken at a column.

/** Longest line of a text that counts as wrapped. */
const widest = 120;
/** Columns by which paragraphs of one text may differ in width. */
const tolerance = 10;

/**
 * The text with spaces for the line breaks of a hard-wrapped text, which would end sentences; its
 * length is the same. A text is wrapped if most of its lines that are followed by another could not
 * have had the next word too; other breaks are kept.
 */
export function joinWrappedLines(text: string): string {
  const lines = text.split(/(\r\n|\r|\n)/); // every second one is a line end
  let width = 0;
  // A line without spaces, such as an address, cannot be broken.
  for (let at = 0; at < lines.length; at += 2)
    if (lines[at]!.trim().includes(' ')) width = Math.max(width, lines[at]!.length);
  if (width > widest) return text;
  const forced: number[] = [];
  let breaks = 0;
  for (let at = 1; at < lines.length; at += 2) {
    const [before, next] = [lines[at - 1]!, lines[at + 1]!];
    const word = /^[^\S\t]*(\S+)/.exec(next)?.[1];
    if (before.trim() === '' || word === undefined) continue;
    breaks += 1;
    const isTable = /\t|\S {3,}\S/.test(before);
    if (!isTable && before.trimEnd().length + 1 + word.length > width - tolerance) forced.push(at);
  }
  if (breaks < 3 || forced.length < 0.7 * breaks) return text;
  for (const at of forced) lines[at] = ' '.repeat(lines[at]!.length);
  return lines.join('');
}
