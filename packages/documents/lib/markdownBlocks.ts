// Blocks of Markdown (CommonMark with tables) with their offsets, and soft line breaks.
import { Lexer, type Token, type Tokens } from 'marked';
import type { Block } from './blocks.js';

/** YAML between two lines of three dashes at the start of a file. */
const frontMatter = /^---[ \t]*\r?\n(?:[^]*?\r?\n)?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** End of the front matter, 0 without one. */
export function frontMatterEnd(text: string): number {
  return text.startsWith('---') ? (frontMatter.exec(text)?.[0].length ?? 0) : 0;
}

/** The blocks of a text, which cover all of it that is no white space. Front matter is one. */
export function markdownBlocks(text: string): Block[] {
  const body = frontMatterEnd(text);
  const blocks: Block[] = body > 0 ? [{ start: 0, end: body, kind: 'whole' }] : [];
  const lineFeeds = new LineFeeds(text, body);
  let at = 0;
  for (const token of topLevelTokens(text.slice(body).replace(/\r\n|\r/g, '\n'))) {
    const start = lineFeeds.offset(at);
    at += token.raw.length;
    const end = lineFeeds.offset(at);
    if (token.type === 'space') continue;
    if (token.type !== 'heading') {
      const kind = token.type === 'code' || token.type === 'table' ? 'whole' : 'text';
      blocks.push({ start, end, kind });
      continue;
    }
    const { depth, text: heading } = token as Tokens.Heading;
    blocks.push({ start, end, kind: 'heading', level: depth, heading: plainText(heading) });
  }
  return blocks;
}

/**
 * Top-level tokens, whose `raw` add up to the text's length. What lists and quotations contain is
 * not parsed: nested a few hundred deep it would take seconds.
 */
function topLevelTokens(text: string): Token[] {
  const lexer = new Lexer({ gfm: true });
  const blockTokens = lexer.blockTokens.bind(lexer) as (src: string, to: Token[]) => Token[];
  lexer.blockTokens = (_: string, tokens: Token[] = []) => tokens as never;
  return blockTokens(text, []);
}

/** Offsets in a text whose line ends are CR, LF or both, from those with line feeds alone. */
class LineFeeds {
  private line = 0;
  private original: number;

  constructor(
    private readonly text: string,
    start: number,
  ) {
    this.original = start;
  }

  /** @param offset at least that of the call before */
  offset(offset: number): number {
    for (; this.line < offset && this.original < this.text.length; this.line += 1)
      this.original += this.text.startsWith('\r\n', this.original) ? 2 : 1;
    return this.original;
  }
}

/** The words of a heading: no emphasis, code marks, images, link targets or HTML tags. */
function plainText(heading: string): string {
  return heading
    .replace(/!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])?/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/(?<![\p{L}\p{N}])[*_~]{1,3}(?=\S)|(?<=\S)[*_~]{1,3}(?![\p{L}\p{N}])|`+/gu, '')
    .replace(/\{#[^{}]*\}\s*$/, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A line that begins a block or an item of a list, so that the break before it is no space. */
const opensLine =
  /^[ \t]*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|[>|#<]|```|~~~|=+[ \t]*$|-+[ \t]*$|\[[^\]]+\]:|$)/;

/**
 * The text with spaces for the line breaks inside paragraphs and items of lists, which would end
 * sentences; its length is the same.
 */
export function joinSoftBreaks(text: string, blocks: readonly Block[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, kind } of blocks) {
    if (kind !== 'text') continue;
    parts.push(text.slice(done, start), joinLines(text.slice(start, end)));
    done = end;
  }
  return parts.join('') + text.slice(done);
}

function joinLines(block: string): string {
  const lines = block.split(/(\r\n|\r|\n)/); // every second one is a line end
  for (let at = 1; at < lines.length; at += 2) {
    const [before, next] = [lines[at - 1]!, lines[at + 1]!];
    const isHard = /(?: {2}|\\)$/.test(before) || /^[ \t]*(?:<|\||\[[^\]]+\]:)/.test(before);
    if (!isHard && before.trim() !== '' && !opensLine.test(next))
      lines[at] = ' '.repeat(lines[at]!.length);
  }
  return lines.join('');
}
