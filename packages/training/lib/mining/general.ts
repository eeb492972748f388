// Mining of general triplets against forgetting (re-implementation, section 4.2): a title or first
// sentence as question, near passages of another page as negatives.
import { invalidArgument, mustBe, mustBeWhole, seededRandom } from 'asof/kit';
import type { Progress, Corpus } from 'asof';
import { splitSentences } from 'asof/time';
import { CorpusReader, type TaggedPassage } from './corpusReader.js';
import { splitOf } from './split.js';
import { tripletPassage, type Split, type Triplet, type TripletPassage } from './triplets.js';

export interface GeneralMiningOptions {
  split?: Split | undefined;
  /** Maximum number of triplets. Default 100,000. */
  limit?: number | undefined;
  /** The margin of the ranking loss. Default 1. */
  margin?: number | undefined;
  seed?: number | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

const batchPassages = 64;
const depth = 20;
const leastCharacters = 40;
const negativesPerQuestion = 2;

/**
 * Mines general triplets of any corpus. Deterministic like mineTriplets.
 */
export async function* mineGeneralTriplets(
  corpus: Corpus,
  options: GeneralMiningOptions = {},
): AsyncGenerator<Triplet> {
  mustBe('an object', { options });
  const { split, limit = 100_000, margin = 1, seed = 1, signal, onProgress } = options;
  mustBeWhole({ limit }, 1);
  if (typeof corpus?.snapshot !== 'function') throw invalidArgument('corpus', 'a Corpus', corpus);
  const snapshot = corpus.snapshot();
  try {
    const reader = new CorpusReader(corpus, snapshot, signal);
    let made = 0;
    let done = 0;
    for (const batch of reader.batches(seed + 1, batchPassages)) {
      const sources = (await reader.read(batch)).filter(
        ({ passage }) => split === undefined || splitOf(passage, seed) === split,
      );
      const asked = sources.flatMap((source) => questionsOf(source, seed));
      const near = await reader.nearest(
        asked.map(({ question }) => question),
        depth,
      );
      for (const [q, { question, positive, source }] of asked.entries()) {
        const side = splitOf(source.passage, seed);
        const hits = (await reader.read(near[q]!)).filter(
          ({ passage }) => isOther(passage, source) && splitOf(passage, seed) === (split ?? side),
        );
        const random = seededRandom(seed, question);
        for (const { passage } of random.shuffled(hits).slice(0, negativesPerQuestion)) {
          yield {
            kind: 'general',
            split: side,
            question,
            positive,
            negative: tripletPassage(passage),
            margin,
          };
          made += 1;
          if (made === limit) return;
        }
      }
      done += batch.length;
      onProgress?.({ done, total: reader.count });
    }
  } finally {
    snapshot.release();
  }
}

const isOther = (passage: TripletPassage, { passage: source }: TaggedPassage): boolean =>
  passage.id !== source.id &&
  passage.text !== source.text &&
  (passage.title === undefined || passage.title !== source.title);

/**
 * The question of a passage: alternately its title or its first sentence, whichever exists.
 */
function questionsOf(
  source: TaggedPassage,
  seed: number,
): { question: string; positive: TripletPassage; source: TaggedPassage }[] {
  const { id, title, text } = source.passage;
  if (text.length < leastCharacters) return [];
  const sentences = splitSentences(text);
  const byTitle =
    title === undefined
      ? []
      : [{ question: title, positive: tripletPassage(source.passage), source }];
  const rest = sentences.length > 1 ? text.slice(sentences[1]!.start) : '';
  const bySentence =
    rest.length < leastCharacters
      ? []
      : [
          {
            question: text.slice(sentences[0]!.start, sentences[0]!.end),
            positive: tripletPassage({ ...source.passage, id: `${id}#rest`, text: rest }),
            source,
          },
        ];
  const [first, second] =
    seededRandom(seed, id).next() < 0.5 ? [byTitle, bySentence] : [bySentence, byTitle];
  return first.length > 0 ? first : second;
}
