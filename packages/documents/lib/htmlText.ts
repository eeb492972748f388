// Visible text of an HTML page as blocks, from its tags and texts in order. Counters stand for the
// tree, so that the work is linear however tags are nested or left open.
import type { Block } from './blocks.js';

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));
/** Elements without text of the page; all of them need an end tag. */
const skipped = words(
  'script style template noscript svg math iframe object canvas audio video nav footer button ' +
    'select textarea dialog',
);
/** Elements that need an end tag, so that `hidden` says where the hidden part ends. */
const closed = words('div section article aside header main span ul ol dl table details figure');
/** Elements that begin and end a block. */
const blockLevel = words(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption ' +
    'figure form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu ol p pre ' +
    'search section summary table ul',
);
const heading = /^h([1-6])$/;

type Attributes = ReadonlyMap<string, string>;

export class HtmlText {
  readonly blocks: Block[] = [];
  /** Contents of `meta` by its property, name or itemprop, and of other elements by itemprop. */
  readonly meta = new Map<string, string>();
  /** `datetime` of time elements: the first, and the first that is marked as publication. */
  readonly times: { first?: string; published?: string } = {};
  /** JSON-LD texts. */
  readonly linkedData: string[] = [];
  title = '';
  hasMain = false;
  private parts: string[] = [];
  private length = 0;
  /** The block that is open, and the level of its heading. */
  private buffer = '';
  private level = 0;
  /** Elements of a kind that are open. */
  private open = { pre: 0, table: 0, main: 0 };
  /** The element whose contents are skipped, and how many of its name are open. */
  private skip = { name: '', depth: 0 };
  private captured: 'title' | 'linkedData' | undefined;
  /** Whether the first `main` has ended. */
  private isOver = false;

  /** @param onlyMain whether text outside the first `main` element counts only without one */
  constructor(private readonly onlyMain: boolean) {}

  get text(): string {
    return this.parts.join('');
  }

  openTag(name: string, attributes: Attributes, selfClosing: boolean): void {
    this.readAttributes(name, attributes);
    if (this.skip.depth > 0) {
      if (name === this.skip.name && !selfClosing) this.skip.depth += 1;
      return;
    }
    if (skipped.has(name) || (attributes.has('hidden') && closed.has(name))) {
      if (selfClosing && (name === 'svg' || name === 'math')) return;
      this.skip = { name, depth: 1 };
      if (name === 'script' && /^application\/ld\+json\b/i.test(attributes.get('type') ?? '')) {
        this.captured = 'linkedData';
        this.linkedData.push('');
      }
    } else if (name === 'title') this.captured = 'title';
    else if (name === 'br') this.buffer += '\n';
    else if (this.open.table > 0) this.openInTable(name);
    else if (blockLevel.has(name)) this.openBlock(name);
  }

  closeTag(name: string): void {
    this.captured = undefined;
    if (this.skip.depth > 0) {
      if (name === this.skip.name) this.skip.depth -= 1;
    } else if (this.open.table > 0 && (name !== 'table' || this.open.table > 1)) {
      if (name === 'table') this.open.table -= 1;
      if (name === 'tr') this.buffer += '\n';
      else if (blockLevel.has(name)) this.buffer += ' ';
    } else if (blockLevel.has(name)) this.closeBlock(name);
  }

  addText(text: string): void {
    if (this.captured === 'linkedData') this.linkedData[this.linkedData.length - 1] += text;
    else if (this.captured === 'title') this.title += text;
    else if (this.skip.depth === 0)
      this.buffer += this.open.pre > 0 ? text : text.replace(/[ \t\r\n\f]+/g, ' ');
  }

  end(): void {
    this.flush();
    this.title = this.title.replace(/\s+/g, ' ').trim();
  }

  private readAttributes(name: string, attributes: Attributes): void {
    const datetime = attributes.get('datetime');
    const key =
      attributes.get('property') ??
      attributes.get('itemprop') ??
      (name === 'meta' ? attributes.get('name') : undefined);
    const content = attributes.get('content');
    const value = name === 'meta' ? content : (datetime ?? content);
    if (key !== undefined && value !== undefined && !this.meta.has(key.toLowerCase()))
      this.meta.set(key.toLowerCase(), value);
    if (name !== 'time' || datetime === undefined) return;
    this.times.first ??= datetime;
    if (attributes.has('pubdate')) this.times.published ??= datetime;
  }

  /** Cells are separated by bars, rows by line ends; other elements only separate words. */
  private openInTable(name: string): void {
    if (name === 'table') this.open.table += 1;
    else if (name === 'tr') this.buffer += '\n';
    else if (name === 'td' || name === 'th') this.buffer += '\t';
    else if (blockLevel.has(name)) this.buffer += ' ';
  }

  private openBlock(name: string): void {
    this.flush();
    const [, level] = heading.exec(name) ?? [];
    this.level = Number(level ?? 0);
    if (name === 'pre') this.open.pre += 1;
    if (name === 'table') this.open.table += 1;
    if (name === 'main' && this.onlyMain) {
      if (!this.hasMain) this.clear();
      this.hasMain = true;
      this.open.main += 1;
    }
  }

  private closeBlock(name: string): void {
    this.flush();
    this.level = 0;
    if (name === 'pre' && this.open.pre > 0) this.open.pre -= 1;
    if (name === 'table' && this.open.table > 0) this.open.table -= 1;
    if (name === 'main' && this.open.main > 0) {
      this.open.main -= 1;
      this.isOver ||= this.open.main === 0;
    }
  }

  private clear(): void {
    this.parts = [];
    this.blocks.length = 0;
    this.length = 0;
  }

  /** Ends the open block. */
  private flush(): void {
    const { pre, table } = this.open;
    const text = pre > 0 ? this.buffer.replace(/^\n+/, '').trimEnd() : spaced(this.buffer);
    this.buffer = '';
    if (text.trim() === '' || this.isOver) return;
    if (this.length > 0) this.append('\n\n');
    const place = { start: this.length, end: this.length + text.length };
    this.append(text);
    if (this.level > 0) {
      const words = text.replace(/\s+/g, ' ');
      this.blocks.push({ ...place, kind: 'heading', level: this.level, heading: words });
    } else this.blocks.push({ ...place, kind: pre > 0 || table > 0 ? 'whole' : 'text' });
  }

  private append(text: string): void {
    this.parts.push(text);
    this.length += text.length;
  }
}

/** One space between words, a bar between cells, no blank lines. */
const spaced = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.split('\t').map((cell) => cell.replace(/ +/g, ' ').trim()))
    .map((cells) => cells.filter((cell) => cell !== '').join(' | '))
    .filter((line) => line !== '')
    .join('\n');
