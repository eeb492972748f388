// Where tokens are in their text, which the tokenizer does not say: the letters of text and tokens
// are compared in its alphabet (lower case, bytes), without white space.
import type { Span } from '../../text/sentences.js';

/** How a tokenizer writes text before it makes tokens of it. */
export interface Alphabet {
  normalizer: ((text: string) => string) | null;
  pre_tokenizer: ((text: string, options: { section_index: number }) => string[]) | null;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** White space as it is, as SentencePiece and as byte-level BPE write it. */
const blanks = /[\s▁Ġ]/gu;
/** Letters that unknown tokens may cover: a long word that is none of the vocabulary. */
const longestGap = 1000;

/**
 * A function that gives the span of each token, in UTF-16 units; a token that is none of the text's
 * letters (unknown, special) covers what is left between its neighbours.
 * @param content of tokenizer.json
 */
export function tokenSpans(
  { normalizer, pre_tokenizer: split }: Alphabet,
  content: { model?: { continuing_subword_prefix?: string | null } },
): (text: string, tokens: readonly string[]) => Span[] {
  const prefix = content.model?.continuing_subword_prefix ?? '';
  const lettersOf = (grapheme: string): string => {
    const normal = normalizer ? normalizer(grapheme) : grapheme;
    const letters = split && normal !== '' ? split(normal, { section_index: 0 }).join('') : normal;
    return letters.replace(blanks, '');
  };
  return (text, tokens) => {
    let letters = '';
    /** The span of each letter's grapheme. */
    const places: Span[] = [];
    const known = new Map<string, string>();
    for (const { segment, index: start } of graphemes.segment(text)) {
      const found = known.get(segment) ?? lettersOf(segment);
      known.set(segment, found);
      letters += found;
      for (let i = 0; i < found.length; i += 1) places.push({ start, end: start + segment.length });
    }
    const spanOf = (from: number, to: number): Span => ({
      start: places[from]?.start ?? text.length,
      end: places[to - 1]?.end ?? 0,
    });
    const spans: Span[] = [];
    let [at, unknown] = [0, 0];
    const fill = (to: number): void => {
      for (; unknown > 0; unknown -= 1) spans.push(spanOf(at, to));
      at = to;
    };
    for (const token of tokens) {
      const own = (token.startsWith(prefix) ? token.slice(prefix.length) : token).replace(
        blanks,
        '',
      );
      // A blank one among the unknown is one of them.
      const next = own === '' ? -1 : letters.indexOf(own, at + 1);
      const from = unknown === 0 ? at : next;
      if (from < at || !letters.startsWith(own, from) || from - at > longestGap) {
        unknown += 1;
        continue;
      }
      fill(from);
      at += own.length;
      spans.push(spanOf(from, at));
    }
    fill(letters.length);
    return spans;
  };
}
