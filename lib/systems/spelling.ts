// Typo tolerance: a word of the question that neither the corpus nor English has is replaced by the
// nearest word of the passages that the rest of the question retrieves. So the work is bounded
// whatever the vocabulary, and a filter's passages are the only ones that a correction tells of.
import { binding } from '../binding.js';
import { stage, type Stage, type StageContext } from '../pipeline.js';
import { passageTexts } from '../retrieval/passageTexts.js';
import type { QueryContext } from '../retrieval/queryContext.js';
import { search, type Ranking } from '../retrieval/search.js';
import { lazily, type CacheSpec } from '../runtime/cacheRegistry.js';
import { editDistance } from '../runtime/nearestName.js';
import { yieldToEventLoop } from '../runtime/eventLoop.js';
import type { Snapshot } from '../store/views/snapshot.js';
import { passageText } from '../store/writing/rows.js';
import type { Span } from '../text/sentences.js';
import { questionStart } from '../time/question/questionText.js';
import { tokenEncoder, type TokenEncoder } from '../vectors/staticEncoder.js';
import { wordVectors } from '../vectors/wordVectors.js';
import type { QueryRequest } from './system.js';

/** Passages whose words are compared, and UTF-16 units that are read of each. */
const [readPassages, readUnits] = [200, 4_096];
/** Words from this length on may have two slips, names none but one. */
const twoSlipsFrom = 8;
/** Words of a question that are corrected; of one with more something else is wrong. */
const mostCorrected = 3;

/**
 * Words of five letters and more, since shorter ones have too many neighbours; no parts of
 * identifiers ("CVE-2021", "libfoo2", "a.b").
 */
const plainWord =
  /(?<![\p{L}\p{M}\p{N}'’_./@#:-])\p{L}{5,30}(?![\p{L}\p{M}\p{N}'’_/@#-]|[.:]\p{L})/gu;

interface Unknown extends Span {
  word: string;
  low: string;
  /** Most slips. */
  most: number;
}

/** What is known of words in small letters. */
interface Vocabulary {
  /** Whether it is an English word that is no name. */
  isCommon: (low: string) => boolean;
  /** Whether it is one, or a word of the embedded encoder, which has names too. */
  isKnown: (low: string) => boolean;
}

/** The embedded encoder, whose tokens are words of English and of many names. */
const encoderOf: CacheSpec<() => Promise<TokenEncoder>> = {
  name: 'words of spelling',
  create: () => lazily(tokenEncoder),
};

export interface SpellingLookup {
  analyze: Stage<QueryRequest, QueryContext>;
  ranking: Ranking;
}

/**
 * Corrects words of the question that are in no passage, not known and one slip (of eight
 * letters and more two, of names one) from a known word of the 200 best passages with the same
 * first letter. Notes: corrected, each as "goverment: government".
 */
export function correctSpelling({
  analyze,
  ranking,
}: SpellingLookup): Stage<QueryRequest, QueryRequest> {
  return stage('correctSpelling', async (request, context) => {
    const { question, snapshot } = request;
    const absent = await absentWords(question.text, snapshot, context.signal);
    if (absent.length === 0) return request;
    const vocabulary = await vocabularyOf(snapshot);
    const unknown = absent.filter(({ low }) => !vocabulary.isKnown(low));
    if (unknown.length === 0 || unknown.length > mostCorrected) return request;
    const quiet: StageContext = { note: () => undefined, signal: context.signal };
    const query = await analyze.run(request, quiet);
    const hits = await search(query, { ...ranking, pool: true, n: readPassages }, context.signal);
    const texts = passageTexts(query);
    const found = unknown.map((): Map<string, Neighbour> => new Map());
    for (const hit of hits) {
      const turn = yieldToEventLoop(context.signal);
      if (turn) await turn;
      const text = passageText(texts.passage(hit)).slice(0, readUnits);
      for (const [at, each] of unknown.entries()) addNeighbours(found[at]!, each, text);
    }
    let text = question.text;
    const corrected: string[] = [];
    for (const [at, { word, start, end }] of [...unknown.entries()].reverse()) {
      const best = nearest(found[at]!, vocabulary, /^\p{Lu}/u.test(word));
      if (best === undefined) continue;
      text = text.slice(0, start) + best + text.slice(end);
      corrected.unshift(`${word}: ${best}`);
    }
    if (corrected.length === 0) return request;
    context.note('corrected', corrected);
    return { ...request, question: { ...question, text } };
  });
}

/** Words that no passage has, as far as the question is read. */
async function absentWords(
  text: string,
  snapshot: Snapshot,
  signal: AbortSignal | undefined,
): Promise<Unknown[]> {
  const from = questionStart(text);
  const words = [...text.slice(from).matchAll(plainWord)].map((match): Unknown => {
    const [word] = match;
    const start = from + match.index;
    const isName = /^\p{Lu}/u.test(word) && start > from;
    const most = isName || word.length < twoSlipsFrom ? 1 : 2;
    return { word, low: word.toLowerCase(), most, start, end: start + word.length };
  });
  if (words.length === 0) return [];
  const terms = words.map(({ word }) => binding.analyze(word));
  const frequencies = await documentFrequencies(snapshot, terms, signal);
  return words.filter((_, at) => terms[at] !== '' && frequencies[at] === 0);
}

async function vocabularyOf({ caches }: Snapshot): Promise<Vocabulary> {
  const words = await wordVectors(caches);
  const { tokenize } = await caches.get(encoderOf)();
  const isCommon = (low: string): boolean => words.has(binding.analyze(low));
  return { isCommon, isKnown: (low) => isCommon(low) || tokenize([low]).ids.length === 1 };
}

async function documentFrequencies(
  { segments, remote }: Snapshot,
  terms: readonly string[],
  signal: AbortSignal | undefined,
): Promise<number[]> {
  if (remote) {
    const { frequencies } = await remote.statistics([...new Set(terms)], 'all', signal);
    return terms.map((term) => frequencies.get(term) ?? 0);
  }
  const sums = terms.map(() => 0);
  for (const { segment } of segments) {
    const counts = binding.documentFrequencies(segment, terms);
    for (const at of sums.keys()) sums[at]! += counts[2 * at]! + counts[2 * at + 1]!;
  }
  return sums;
}

interface Neighbour {
  form: string;
  distance: number;
  count: number;
}

/** Counts the words of a text that an unknown one may be meant to be. */
function addNeighbours(found: Map<string, Neighbour>, { low, most }: Unknown, text: string): void {
  for (const [form] of text.matchAll(/\p{L}{4,32}/gu)) {
    if (form.length < low.length - most || form.length > low.length + most) continue;
    const written = form.toLowerCase();
    if (written[0] !== low[0]) continue;
    const known = found.get(written);
    if (known) {
      known.count += 1;
      continue;
    }
    const distance = editDistance(low, written);
    if (distance <= most) found.set(written, { form, distance, count: 1 });
  }
}

/**
 * The one with the fewest slips, of several the most frequent. None that is unknown itself: a rare
 * name or an identifier that is nearly another one is more often a different thing.
 */
function nearest(
  found: ReadonlyMap<string, Neighbour>,
  { isCommon, isKnown }: Vocabulary,
  hasCapital: boolean,
): string | undefined {
  const [best] = [...found]
    .filter(([low]) => isKnown(low))
    .sort(([, a], [, b]) => a.distance - b.distance || b.count - a.count);
  if (!best) return undefined;
  const [low, { form }] = best;
  if (hasCapital) return form[0]!.toUpperCase() + form.slice(1);
  // A capital may be that of a title or of the first word.
  return isCommon(low) ? low : form;
}
