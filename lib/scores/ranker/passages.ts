// Candidates as the ranker reads them: passages with their sentences, terms and times. Everything comes from the store and from
// a scan of the candidates' rows; nothing is tagged or encoded anew.
import { placeOf, type Asked, type Candidate } from '../../candidates/candidate.js';
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
  /** Whether the times are those of the title, which every sentence of the passage has. */
  timesOfTitle: boolean;
  /** From 0, among the sentences of its passage. */
  position: number;
}

export interface PassageView {
  /** Its row as a whole, or its only sentence's. */
  whole: Candidate;
  record: StoredPassage;
  titleTerms: readonly string[];
  sentences: SentenceView[];
}

/** Sentences of one passage that are looked at: those that the scan scored best. */
const mostSentences = 48;

/** The passages of the rows, in the order of `rows`; each with its best sentences among them, in their order. */
export function viewPassages({ snapshot, analyser }: Pick<Asked, 'snapshot' | 'analyser'>, rows: readonly Candidate[]): PassageView[] {
  const passages = new Map<string, Candidate[]>();
  for (const each of rows) {
    const place = placeOf(each);
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
    const sentences = sentencesIn(segment, record, rest.length > 0 ? rest : [whole], analyser);
    return { whole, record, titleTerms, sentences };
  });
}

function sentencesIn(segment: Parameters<typeof sentencesOf>[0], { text, title }: StoredPassage, rows: readonly Candidate[], analyser: Analyser): SentenceView[] {
  // A passage's sentences are neighbouring rows, of which a book has more than a ranking needs.
  const first = rows[0]!.row;
  const count = rows.at(-1)!.row - first + 1;
  const read = rows.length <= mostSentences ? rows : [...rows].sort((x, y) => y.score - x.score || x.row - y.row).slice(0, mostSentences).sort((x, y) => x.row - y.row);
  const spans = sentencesOf(segment, first, count);
  const times = contentTimesOfRows(segment, first, count);
  return read.map((row) => {
    const { start, end } = spans[row.row - first]!;
    const sentence = text.slice(start, end);
    const all = times[row.row - first]!;
    const own = title !== undefined && /\d{3}/.test(title) ? all.filter((time) => !onlyInTitle(time, title, sentence)) : all;
    const timesOfTitle = own.length === 0 && all.length > 0;
    return { row, text: sentence, terms: analyser.analyse(sentence), times: timesOfTitle ? all : own, timesOfTitle, position: row.row - first };
  });
}

/** "(footballer, born 1978)": a row is tagged with its title, but that date says nothing of when the sentence was. */
function onlyInTitle({ start }: Interval, title: string, sentence: string): boolean {
  const year = String(new Date(start).getUTCFullYear());
  return title.includes(year) && !sentence.includes(year);
}
