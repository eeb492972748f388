// Cosines of a question with the statements of its candidates, each with the title of its passage,
// without dates and values, by the embedded encoder. Each word of the lexicon is tokenized once.
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import type { CacheRegistry, CacheSpec } from '../../runtime/cacheRegistry.js';
import { tokenEncoder, type TokenEncoder } from '../../vectors/staticEncoder.js';
import type { Lexicon } from '../statements/lexicon.js';
import type { PassageStatements } from '../statements/statements.js';
import type { WordRange } from '../statements/textWords.js';
import type { AskedTerms } from '../question/vocabulary.js';

/** The embedded encoder, for which the weights were fitted, whatever that of the corpus. */
const encoderCache: CacheSpec<{ encoder?: Promise<TokenEncoder>; words?: WordTokens }> = {
  name: 'statement encoder',
  create: () => ({}),
};
/** Tokens of one native task, which copies them on the JS thread. */
const taskTokens = 1 << 18;
/** Words that are tokenized at once, in about a millisecond. */
const wordsAtOnce = 1024;

/** Tokens of the words of a lexicon, which grows. */
class WordTokens {
  /** By number of the word: where its tokens begin and, at the next, end. */
  private readonly starts: number[] = [0];
  private readonly ids: number[] = [];

  constructor(
    readonly lexicon: Lexicon,
    private readonly encoder: TokenEncoder,
  ) {}

  /** Tokenizes the words that are new. */
  async extend(signal?: AbortSignal): Promise<void> {
    const { lexicon, starts, ids } = this;
    while (starts.length <= lexicon.words.length) {
      const from = starts.length - 1;
      const words = lexicon.words.slice(from, from + wordsAtOnce).map(({ low }) => low);
      const tokens = this.encoder.tokenize(words);
      const before = ids.length;
      for (const id of tokens.ids) ids.push(id);
      for (const end of tokens.ends) starts.push(before + end);
      const turn = yieldToEventLoop(signal);
      if (turn) await turn;
    }
  }

  /** Appends the tokens of a text's words, without values. */
  append({ of: { words, lexicon }, from, to }: WordRange, output: number[]): void {
    const { starts, ids } = this;
    for (let at = from; at < to; at += 1) {
      const word = words[at]!;
      if (lexicon.isValue[word]) continue;
      for (let i = starts[word]!; i < starts[word + 1]!; i += 1) output.push(ids[i]!);
    }
  }
}

/** By passage, the cosines of its statements. */
export async function statementCosines(
  caches: CacheRegistry,
  { question: { terms, content }, vocabulary: { lexicon } }: AskedTerms,
  passages: readonly PassageStatements[],
  signal?: AbortSignal,
): Promise<Float64Array[]> {
  const cache = caches.get(encoderCache);
  const encoder = await embeddedEncoder(cache);
  if (cache.words?.lexicon !== lexicon) cache.words = new WordTokens(lexicon, encoder);
  const { words } = cache;
  await words.extend(signal);
  const asked = terms.flatMap(({ value, low }) => (value ? [] : [low]));
  const question = [...encoder.tokenize([asked.join(' ') || content]).ids];
  const cosines: Float64Array[] = [];
  let [ids, ends] = [[...question], [question.length]];
  // One task after another: none is left behind by a signal.
  const readTo = async (end: number): Promise<void> => {
    const texts = { ids: new Uint32Array(ids), ends: new Uint32Array(ends) };
    const all = await encoder.cosines(texts, signal);
    let from = 0;
    for (const { statements } of passages.slice(cosines.length, end))
      cosines.push(all.subarray(from, (from += statements.length)));
    [ids, ends] = [[...question], [question.length]];
  };
  for (const [at, { title, statements }] of passages.entries()) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    for (const statement of statements) {
      words.append(title, ids);
      words.append(statement.words, ids);
      ends.push(ids.length);
    }
    if (ids.length >= taskTokens) await readTo(at + 1);
  }
  await readTo(passages.length);
  return cosines;
}

function embeddedEncoder(cache: { encoder?: Promise<TokenEncoder> }): Promise<TokenEncoder> {
  if (!cache.encoder) {
    cache.encoder = tokenEncoder();
    cache.encoder.catch(() => delete cache.encoder);
  }
  return cache.encoder;
}
