// Condenses a passage for a question into one text without a model: the fewest of its sentences that between them say most of what
// is asked, with their dates (the twin of MRAG's query-focused summarisation, section 4). It quotes and never rewords.
import type { Summary } from '../../candidates/candidate.js';
import { unionOf } from '../../store/rows.js';
import type { Interval } from '../../time/interval.js';

export interface DatedSentence {
  /** Analysed. */
  terms: ReadonlySet<string>;
  dates: readonly Interval[];
  text: string;
}

export interface Wanted {
  /** Terms of what is asked; those of the passage's title are said already. */
  terms: ReadonlySet<string>;
  /** Terms of the word beside the question's constraint: the sentences that have one tell which date is asked for. */
  beside: ReadonlySet<string>;
}

const mostSentences = 3;

/** Undefined where fewer than two sentences have something to say: they stand for themselves. */
export function condense(sentences: readonly DatedSentence[], { terms, beside }: Wanted): Summary | undefined {
  if (sentences.length < 2) return undefined;
  const wanted = new Set([...terms, ...beside]);
  const taken = new Set<number>();
  while (taken.size < mostSentences) {
    const gains = sentences.map((sentence, at) => (taken.has(at) ? 0 : count(wanted, sentence.terms)));
    const most = Math.max(...gains);
    if (most === 0) break;
    // Of sentences that add as much, one with a date.
    const dated = gains.findIndex((gain, at) => gain === most && sentences[at]!.dates.length > 0);
    const next = dated >= 0 ? dated : gains.indexOf(most);
    taken.add(next);
    for (const term of sentences[next]!.terms) wanted.delete(term);
  }
  const [first] = taken;
  if (first === undefined) return undefined;
  if ([...taken].every((at) => sentences[at]!.dates.length === 0)) {
    const dated = nearestDated(sentences, first);
    if (dated !== undefined) taken.add(dated);
  }
  if (taken.size < 2) return undefined;
  const chosen = [...taken].sort((a, b) => a - b).map((at) => sentences[at]!);
  const telling = chosen.filter((sentence) => sentence.dates.length > 0 && count(beside, sentence.terms) > 0);
  return { text: chosen.map(({ text }) => text).join(' '), dates: unionOf((telling.length > 0 ? telling : chosen).map(({ dates }) => dates)) };
}

function count(wanted: ReadonlySet<string>, terms: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of wanted) if (terms.has(term)) shared += 1;
  return shared;
}

/** The sentence with a date that stands nearest, the one before of two. */
function nearestDated(sentences: readonly DatedSentence[], from: number): number | undefined {
  for (let away = 1; away < sentences.length; away += 1) {
    for (const at of [from - away, from + away]) if ((sentences[at]?.dates.length ?? 0) > 0) return at;
  }
  return undefined;
}
