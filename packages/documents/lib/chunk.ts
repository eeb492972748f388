// Chunks: the passages of a document, exact slices of its text that keep sentences, sections, code
// and tables together. Linear in the text.
import { checkOptionNames, invalidArgument, mustBeWhole } from 'asof/kit';
import type { Passage } from 'asof';
import { splitSentences } from 'asof/time';
import { oneBlock, type Block } from './blocks.js';
import { markdownParts } from './frontMatter.js';
import { joinSoftBreaks } from './markdownBlocks.js';
import { countTokens, cutAtTokens, type Piece } from './tokens.js';

/** Size of chunks in tokens, and tokens that a chunk repeats of the one before. */
export interface ChunkSize {
  maxTokens?: number | undefined;
  overlap?: number | undefined;
}

const defaultTokens = 256;
/** Limits of a passage in UTF-16 units: lib/store/passages/passages.ts. */
const longest = { text: 1 << 20, title: 1000 };
const documentFields: readonly (keyof Passage)[] = [
  'id',
  'text',
  'title',
  'publishedAt',
  'validFrom',
  'validTo',
  'metadata',
];

/**
 * The passages of a document of any length, for `corpus.add`. Each is an exact slice of its text,
 * in order; together they have all of it but white space. The id is `${id}#${n}`, n from 0; the
 * title is the document's and the headings above; times and metadata are the document's; `chunk`
 * says where it lies. To replace a document by a shorter one, also delete the ids that are left.
 *
 * `by`: 'sentence' (default), or 'markdown': headings first, then blocks; code and tables are kept
 * whole where they fit, and YAML front matter gives the title, times and metadata that the document
 * does not. `maxTokens`, 1 to 65,536, default 256: no sentence is cut unless it has
 * more. `overlap`, 0 to half of maxTokens, default 0: most tokens of whole sentences that a chunk
 * repeats of the one before in its section. A token is up to 16 letters or digits of a word, or
 * another sign; encoders count some 1.3 for each.
 * @throws AsOfError ERR_INVALID_ARGUMENT; ERR_INVALID_INPUT for front matter that is no YAML or has
 * a date that is none, by line
 * @example await corpus.add(chunk({ id: 'handbook', text }, { by: 'markdown', maxTokens: 200 }));
 */
export function chunk(
  document: Passage,
  options: {
    by?: 'sentence' | 'markdown' | undefined;
    maxTokens?: number | undefined;
    overlap?: number | undefined;
  } = {},
): Passage[] {
  checkDocument(document);
  checkOptionNames('chunk', options, ['by', 'maxTokens', 'overlap']);
  const { by = 'sentence', maxTokens, overlap } = options;
  if (by !== 'sentence' && by !== 'markdown')
    throw invalidArgument('by', "'sentence' or 'markdown'", by);
  const { text } = document;
  if (by === 'sentence') return chunkBlocks(document, oneBlock(text), { maxTokens, overlap });
  const { blocks, fields } = markdownParts(text, document.id);
  const given = Object.entries(document).filter(([, value]) => (value ?? undefined) !== undefined);
  const whole = { ...document, ...fields, ...Object.fromEntries(given) };
  if (fields.metadata) whole.metadata = { ...fields.metadata, ...document.metadata };
  return chunkBlocks(whole, blocks, { maxTokens, overlap }, joinSoftBreaks(text, blocks));
}

/**
 * Chunks by blocks, in order and without overlap; text outside them is in no chunk. `joined` is a
 * text of the same length in which sentences are looked for.
 */
export function chunkBlocks(
  document: Passage,
  blocks: readonly Block[],
  { maxTokens = defaultTokens, overlap = 0 }: ChunkSize = {},
  joined = document.text,
): Passage[] {
  mustBeWhole({ maxTokens }, 1, 65_536);
  mustBeWhole({ overlap }, 0, Math.floor(maxTokens / 2), 'Repeat at most half of maxTokens.');
  const { id, text, title, publishedAt, validFrom, validTo, metadata } = document;
  const rest = {
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(validTo === undefined ? {} : { validTo }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const chunks: Passage[] = [];
  for (const { headings, blocks: within } of sectionsOf(blocks)) {
    const pieces = within.flatMap((block) => piecesOf(block, text, joined, maxTokens));
    const heading = titleOf(title ?? undefined, headings);
    for (const { start, end } of pack(pieces, maxTokens, overlap))
      chunks.push({
        id: `${id}#${chunks.length}`,
        text: text.slice(start, end),
        ...(heading === '' ? {} : { title: heading }),
        ...rest,
        chunk: { parent: id, start, end, ...(headings.length > 0 ? { headings } : {}) },
      });
  }
  return chunks;
}

interface Section {
  /** From the outermost. */
  headings: string[];
  blocks: Block[];
}

/** Sections, each with the headings before its first block: one without text joins the next. */
function sectionsOf(blocks: readonly Block[]): Section[] {
  const sections: Section[] = [];
  let path: { level: number; heading: string }[] = [];
  let hasBody = true;
  for (const block of blocks) {
    if (block.kind === 'heading') {
      path = path.filter(({ level }) => level < block.level!);
      if (block.heading !== '') path.push({ level: block.level!, heading: clip(block.heading!) });
      if (hasBody) sections.push({ headings: [], blocks: [] });
    } else if (sections.length === 0) sections.push({ headings: [], blocks: [] });
    const section = sections.at(-1)!;
    section.blocks.push(block);
    section.headings = path.map(({ heading }) => heading);
    hasBody = block.kind !== 'heading';
  }
  return sections;
}

const clip = (text: string): string =>
  text.length <= longest.title
    ? text
    : text.slice(0, longest.title).replace(/[\uD800-\uDBFF]$/, '');

/** "Handbook: Leave: Parents"; of a long path the title and the innermost headings. */
function titleOf(title: string | undefined, headings: readonly string[]): string {
  const isRepeated = title && headings[0] && hasWords(title, headings[0]);
  const own = isRepeated ? headings.slice(1) : [...headings];
  const all = [...(title ? [title] : []), ...own];
  const length = (): number => all.reduce((sum, each) => sum + each.length + 2, -2);
  while (all.length > 2 && length() > longest.title) all.splice(title ? 1 : 0, 1);
  return clip(all.join(': '));
}

/** Whether a title has the words of a heading: "Leave - ACME" those of "Leave". */
function hasWords(title: string, heading: string): boolean {
  const at = title.indexOf(heading);
  const [before, after] = [title.slice(0, Math.max(0, at)), title.slice(at + heading.length)];
  return at >= 0 && !/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after);
}

/** The parts of a block that chunks are packed from, none over `most` tokens. */
function piecesOf(
  { start, end, kind }: Block,
  text: string,
  joined: string,
  most: number,
): Piece[] {
  if (kind === 'text')
    return splitSentences(joined.slice(start, end)).flatMap((sentence) =>
      pieceOf(text, start + sentence.start, start + sentence.end, most),
    );
  const trimmed = trim(text, start, end);
  if (!trimmed) return [];
  const tokens = countTokens(text.slice(trimmed.start, trimmed.end));
  if (tokens <= most && trimmed.end - trimmed.start <= longest.text)
    return [{ ...trimmed, tokens }];
  const pieces: Piece[] = [];
  for (let from = trimmed.start; from < trimmed.end; ) {
    const next = text.indexOf('\n', from);
    const to = next < 0 || next > trimmed.end ? trimmed.end : next;
    for (const each of linePieces(text, from, to, most)) pieces.push(each);
    from = to + 1;
  }
  return pieces;
}

/** A line, or its sentences where it has too many tokens: a page may be laid out as a table. */
function linePieces(text: string, start: number, end: number, most: number): Piece[] {
  const line = text.slice(start, end);
  return countTokens(line) <= most
    ? pieceOf(text, start, end, most)
    : splitSentences(line).flatMap((sentence) =>
        pieceOf(text, start + sentence.start, start + sentence.end, most),
      );
}

function pieceOf(text: string, start: number, end: number, most: number): Piece[] {
  const tokens = countTokens(text.slice(start, end));
  if (tokens === 0) return [];
  return tokens <= most && end - start <= longest.text
    ? [{ start, end, tokens }]
    : cutAtTokens(text, start, end, most);
}

/** The part of text[start, end) between its first and last line that is not blank. */
function trim(
  text: string,
  start: number,
  end: number,
): { start: number; end: number } | undefined {
  const slice = text.slice(start, end);
  const first = slice.search(/\S/);
  if (first < 0) return undefined;
  // The first line keeps its indentation.
  const from = Math.max(0, slice.lastIndexOf('\n', first) + 1);
  return { start: start + from, end: start + slice.trimEnd().length };
}

/** Consecutive pieces of at most `most` tokens, each span as long as fits. */
function* pack(pieces: readonly Piece[], most: number, overlap: number) {
  let from = 0;
  let tokens = 0;
  for (const [at, piece] of pieces.entries()) {
    const fits = tokens + piece.tokens <= most && piece.end - pieces[from]!.start <= longest.text;
    if (at > from && !fits) {
      yield { start: pieces[from]!.start, end: pieces[at - 1]!.end };
      const previous = from;
      from = at;
      tokens = 0;
      while (from > previous + 1) {
        const before = pieces[from - 1]!;
        const repeated = tokens + before.tokens;
        const isSmall = repeated <= overlap && repeated + piece.tokens <= most;
        if (!isSmall || piece.end - before.start > longest.text) break;
        from -= 1;
        tokens = repeated;
      }
    }
    tokens += piece.tokens;
  }
  if (pieces.length > 0) yield { start: pieces[from]!.start, end: pieces.at(-1)!.end };
}

function checkDocument(document: Passage): void {
  if (typeof document !== 'object' || document === null)
    throw invalidArgument('document', 'an object { id, text, ... }', document);
  const unknown = Object.keys(document).find(
    (name) => !(documentFields as readonly string[]).includes(name),
  );
  if (unknown !== undefined)
    throw invalidArgument('the fields of document', documentFields.join(', '), unknown);
  const { id, text, title } = document;
  if (typeof id !== 'string' || id === '')
    throw invalidArgument('document.id', 'a string that is not empty', id);
  if (typeof text !== 'string') throw invalidArgument('document.text', 'a string', text);
  if (title !== undefined && title !== null && typeof title !== 'string')
    throw invalidArgument('document.title', 'a string or absent', title);
}
