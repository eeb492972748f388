// Cosines of a question with the statements of its candidates, each with the title of its passage,
// without dates and values, by the embedded encoder. Texts go to native code as numbers of words,
// of which few are distinct.
import { yieldToEventLoop } from '../../runtime/eventLoop.js';
import type { CacheRegistry, CacheSpec } from '../../runtime/cacheRegistry.js';
import { wordCosines, type WordCosines, type WordLists } from '../../vectors/staticEncoder.js';
import type { Lexicon } from './lexicon.js';
import type { PassageStatements } from './statements.js';
import type { WordRange } from './textWords.js';
import type { AskedTerms } from './vocabulary.js';

/** The embedded encoder, for which the weights were fitted, whatever that of the corpus. */
const cosinesCache: CacheSpec<{ cosines?: Promise<WordCosines> }> = {
  name: 'statement encoder',
  create: () => ({}),
};
/** Words of one native task, which copies them on the JS thread: about 2 ms. */
const taskWords = 1 << 16;

/** Words of texts, the first of them the question. */
class WordTexts {
  private readonly words: string[];
  private readonly list: number[];
  private readonly ends: number[];
  /** By number of a word in the lexicon: its place in `words`, or 0, which the question has. */
  private readonly places: Uint32Array;

  constructor(
    private readonly lexicon: Lexicon,
    question: readonly string[],
  ) {
    this.words = [...question];
    this.list = [...question.keys()];
    this.ends = [question.length];
    this.places = new Uint32Array(lexicon.words.length);
  }

  get length(): number {
    return this.list.length;
  }

  add(title: WordRange, statement: WordRange): void {
    this.append(title);
    this.append(statement);
    this.ends.push(this.list.length);
  }

  lists(): WordLists {
    const { words, list, ends } = this;
    return { words, list: new Uint32Array(list), ends: new Uint32Array(ends) };
  }

  private append({ of: { words }, from, to }: WordRange): void {
    for (let at = from; at < to; at += 1) {
      const number = words[at]!;
      const { value, low } = this.lexicon.words[number]!;
      if (value) continue;
      if (this.places[number] === 0) this.places[number] = this.words.push(low) - 1;
      this.list.push(this.places[number]!);
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
  const cosinesOf = await embeddedCosines(caches);
  const asked = terms.flatMap(({ value, low }) => (value ? [] : [low]));
  const question = asked.length > 0 ? asked : [content];
  const tasks: Promise<Float64Array>[] = [];
  let texts = new WordTexts(lexicon, question);
  const send = (): void => {
    tasks.push(cosinesOf(texts.lists(), signal));
    texts = new WordTexts(lexicon, question);
  };
  for (const { title, statements } of passages) {
    const turn = yieldToEventLoop(signal);
    if (turn) await turn;
    for (const { words } of statements) texts.add(title, words);
    if (texts.length >= taskWords) send();
  }
  send();
  const cosines = (await Promise.all(tasks)).map((part) => ({ part, used: 0 }));
  let task = 0;
  return passages.map(({ statements }) => {
    if (cosines[task]!.used === cosines[task]!.part.length && task + 1 < cosines.length) task += 1;
    const own = cosines[task]!;
    return own.part.subarray(own.used, (own.used += statements.length));
  });
}

function embeddedCosines(caches: CacheRegistry): Promise<WordCosines> {
  const cache = caches.get(cosinesCache);
  if (!cache.cosines) {
    cache.cosines = wordCosines();
    cache.cosines.catch(() => delete cache.cosines);
  }
  return cache.cosines;
}
