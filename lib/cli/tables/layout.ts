// Plain-text layout: tables with aligned columns, paragraphs wrapped to a width.
import { stripVTControlCharacters } from 'node:util';

/** Columns of a text: wide characters two, marks and colour codes none. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of stripVTControlCharacters(text)) {
    const code = character.codePointAt(0)!;
    if (code < 0x300) width += 1;
    else if (/\p{M}|\p{Cf}/u.test(character)) width += 0;
    else width += isWide(code) ? 2 : 1;
  }
  return width;
}

/** Rows of cells in aligned columns, by default the first left and the others right. */
export function table(
  rows: readonly (readonly string[])[],
  options: { align?: readonly ('left' | 'right')[]; gap?: number; indent?: number } = {},
): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach(
      (cell, column) => (widths[column] = Math.max(widths[column] ?? 0, textWidth(cell))),
    );
  const gap = ' '.repeat(options.gap ?? 2);
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => {
      const filler = ' '.repeat(widths[column]! - textWidth(cell));
      const align = options.align?.[column] ?? (column === 0 ? 'left' : 'right');
      return align === 'left' ? cell + filler : filler + cell;
    });
    return `${' '.repeat(options.indent ?? 0)}${cells.join(gap).trimEnd()}\n`;
  });
  return lines.join('');
}

/**
 * Text wrapped at blanks to a width, every line indented; more than `lines` lines end in an
 * ellipsis.
 */
export function wrap(
  text: string,
  options: { width: number; indent?: number; lines?: number },
): string {
  const room = Math.max(20, options.width - (options.indent ?? 0));
  const wrapped: string[] = [];
  let current = '';
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    for (const piece of pieces(word, room)) {
      if (current !== '' && textWidth(current) + 1 + textWidth(piece) > room) {
        wrapped.push(current);
        current = piece;
      } else current = current === '' ? piece : `${current} ${piece}`;
    }
  }
  if (current !== '') wrapped.push(current);
  const lines = wrapped.slice(0, options.lines ?? Infinity);
  if (lines.length < wrapped.length) lines[lines.length - 1] = ellipsis(lines.at(-1)!, room);
  return lines.map((line) => `${' '.repeat(options.indent ?? 0)}${line}\n`).join('');
}

/** A text truncated to a width, with an ellipsis. */
export function clip(text: string, width: number): string {
  return textWidth(text) <= width ? text : ellipsis(text, width);
}

/** Without colours, of which the cut could leave one open. */
function ellipsis(text: string, width: number): string {
  let prefix = '';
  for (const character of stripVTControlCharacters(text)) {
    if (textWidth(prefix + character) > width - 1) break;
    prefix += character;
  }
  return `${prefix.trimEnd()}…`;
}

/** A count with its noun: `1 query`, `12,345 queries`. */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

function pieces(word: string, room: number): string[] {
  if (textWidth(word) <= room) return [word];
  const parts: string[] = [];
  let current = '';
  for (const character of word) {
    if (textWidth(current + character) > room) {
      parts.push(current);
      current = '';
    }
    current += character;
  }
  return [...parts, current];
}

/** East Asian wide blocks and emoji, approximately: enough to align columns. */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}
