// Candidates as the ranker reads them: passages with their sentences, terms and times. Everything comes from the store and from
// a scan of the candidates' rows; nothing is tagged or encoded anew.
import type { Asked, Candidate } from '../../candidates/candidate.js';
import { contentTimesOfRows, sentencesOf } from '../../store/rowTimes.js';
import type { StoredPassage } from '../../records.js';
import type { Analyser } from '../../text/analyser.js';
import type { Interval } from '../../time/interval.js';

/** A sentence of a passage, or a passage of one. */
export interface SentenceView {
  /** Its row as the scan scored it. */
  row: Candidate;
  text: string;
  terms: readonly string[];
  times: readonly Interval[];
  /** From 0, among the sentences of its passage. */
  position: number;
}

export interface PassageView {
  /** Its row as a whole, or its only sentence's. */
  whole: Candidate;
  record: StoredPassage;
  titleTerms: readonly string[];
  sentences: SentenceView[];
  /** Terms of title and text. */
  terms: ReadonlySet<string>;
}

/** The passages of the rows, in the order of `rows`; each with every sentence of its own among them. */
export function viewPassages({ snapshot, analyser }: Pick<Asked, 'snapshot' | 'analyser'>, rows: readonly Candidate[]): PassageView[] {
  const passages = new Map<string, Candidate[]>();
  for (const each of rows) {
    const place = `${each.segment}/${each.passage}`;
    const own = passages.get(place);
    if (own) own.push(each);
    else passages.set(place, [each]);
  }
  const titles = new Map<string, readonly string[]>(); // many passages of a page share one
  return [...passages.values()].map((own) => {
    own.sort((a, b) => a.row - b.row);
    const [whole, ...rest] = own as [Candidate, ...Candidate[]];
    const { segment } = snapshot.segments[whole.segment]!;
    const record = snapshot.passage(whole.segment, whole.passage);
    const { title } = record;
    let titleTerms: readonly string[] = [];
    if (title !== undefined) titles.set(title, (titleTerms = titles.get(title) ?? analyser.analyse(title)));
    const sentences = sentencesIn(segment, record.text, rest.length > 0 ? rest : [whole], analyser);
    const terms = new Set(titleTerms);
    for (const each of sentences) for (const term of each.terms) terms.add(term);
    return { whole, record, titleTerms, sentences, terms };
  });
}

function sentencesIn(segment: Parameters<typeof sentencesOf>[0], text: string, rows: readonly Candidate[], analyser: Analyser): SentenceView[] {
  // A passage's sentences are neighbouring rows.
  const first = rows[0]!.row;
  const count = rows.at(-1)!.row - first + 1;
  const spans = sentencesOf(segment, first, count);
  const times = contentTimesOfRows(segment, first, count);
  return rows.map((row, position) => {
    const { start, end } = spans[row.row - first]!;
    const own = text.slice(start, end);
    return { row, text: own, terms: analyser.analyse(own), times: times[row.row - first]!, position };
  });
}
