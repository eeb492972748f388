// What a passage is to any question: its record, terms, times and names, read off the store and its text once and remembered while it
// is of use. It knows no question, and reads only the sentences that are asked for.
import type { Asked, Candidate } from '../../candidates/candidate.js';
import { numberOf, Recent } from '../../candidates/recent.js';
import { recordOf } from '../../candidates/texts.js';
import type { StoredPassage } from '../../records.js';
import { contentTimesOfRows, sentencesOf } from '../../store/rowTimes.js';
import type { Analyser } from '../../text/analyser.js';
import { kindOfNoun } from '../../text/wanted.js';
import type { Interval } from '../../time/interval.js';
import { statesIn } from './states.js';

export interface SentenceReading {
  text: string;
  terms: readonly string[];
  /** The stretches that it speaks of (`statesIn`). */
  times: readonly Interval[];
  /** Whether the times are those of the title, which every sentence of the passage has. */
  timesOfTitle: boolean;
  /** Capitalised words but the first, in lower case and with repetition; no months, articles or pronouns. */
  names: readonly string[];
  hasDigit: boolean;
  /** Two capitalised words beside each other, as people are named. */
  namesPerson: boolean;
  /** Nouns for people by what they do, in lower case: offices, ranks, occupations. */
  offices: readonly string[];
  /** Capitalised words after a preposition of place, in lower case. */
  places: readonly string[];
}

export interface PassageReading {
  record: StoredPassage;
  title: TitleReading;
  opensWithTitle: number;
  listItem: number;
  /** By row, those that were asked for so far. */
  sentences: Map<number, SentenceReading>;
}

export interface TitleReading {
  terms: readonly string[];
  distinct: ReadonlySet<string>;
}

/** Characters of the passages that are remembered: half of them are forgotten at once. Some ten bytes each. */
const recent = new Recent<PassageReading>(1_500_000);
const noTitle: TitleReading = { terms: [], distinct: new Set() };

/** Readings of one question's passages, which often share their titles. */
export class Readings {
  private readonly titles = new Map<string, TitleReading>();

  constructor(private readonly asked: Pick<Asked, 'snapshot' | 'analyser'>) {}

  /** The passage of the candidate, without sentences yet. */
  passage(candidate: Candidate): PassageReading {
    const { snapshot, analyser } = this.asked;
    const key = `${numberOf(snapshot.segments[candidate.segment]!.segment)}/${candidate.passage}/${numberOf(analyser)}`;
    let reading = recent.get(key);
    if (!reading) {
      const record = recordOf(snapshot, candidate);
      const { title, text } = record;
      const first = title?.split(/[\s(,]/)[0];
      reading = {
        record, sentences: new Map(),
        title: title === undefined ? noTitle : this.title(title),
        opensWithTitle: first === undefined ? NaN : Number(text.slice(0, first.length + 6).includes(first)),
        listItem: Number(/^\s*[-–•*]/.test(text)),
      };
    }
    recent.keep(key, reading, 64 + reading.record.text.length);
    return reading;
  }

  /** The sentences of these rows of one passage, ascending, all of which lie in [first, last]. */
  sentences({ record: { title, text, publishedAt }, sentences }: PassageReading, rows: readonly Pick<Candidate, 'segment' | 'row'>[], first: number, last: number): SentenceReading[] {
    if (rows.some(({ row }) => !sentences.has(row))) {
      const { segment } = this.asked.snapshot.segments[rows[0]!.segment]!;
      const spans = sentencesOf(segment, first, last - first + 1);
      const times = contentTimesOfRows(segment, first, last - first + 1);
      for (const { row } of rows) {
        if (sentences.has(row)) continue;
        const { start, end } = spans[row - first]!;
        sentences.set(row, readSentence(text.slice(start, end), title, told(times[row - first]!, publishedAt), this.asked.analyser));
      }
    }
    return rows.map(({ row }) => sentences.get(row)!);
  }

  private title(title: string): TitleReading {
    let reading = this.titles.get(title);
    if (!reading) {
      const terms = this.asked.analyser.analyse(title);
      this.titles.set(title, (reading = { terms, distinct: new Set(terms) }));
    }
    return reading;
  }
}

/** "Forecasters said on 3 May that 4 May ...": of several dates the day of publication is when it was said, not what it tells of. */
function told(times: readonly Interval[], publishedAt: number | undefined): readonly Interval[] {
  if (publishedAt === undefined || times.length < 2) return times;
  const others = times.filter(({ start, end, granularity }) => granularity !== 'day' || publishedAt < start || publishedAt >= end);
  return others.length > 0 ? others : times;
}

function readSentence(text: string, title: string | undefined, all: readonly Interval[], analyser: Analyser): SentenceReading {
  const own = title !== undefined && /\d{3}/.test(title) ? all.filter((time) => !onlyInTitle(time, title, text)) : all;
  const timesOfTitle = own.length === 0 && all.length > 0;
  return {
    text, terms: analyser.analyse(text), times: timesOfTitle ? all : statesIn(text, own), timesOfTitle, names: namesIn(text), hasDigit: /\d/.test(text),
    namesPerson: twoCapitals.test(text), offices: officesIn(text), places: Array.from(text.matchAll(afterPreposition), ([, word]) => word!.toLowerCase()),
  };
}

const twoCapitals = /\p{Lu}[\p{L}\p{M}.'’-]*\s(?:(?:de|da|di|van|von|der|al|bin)\s){0,2}\p{Lu}\p{Ll}/u;
const afterPreposition = /\b(?:in|at|to|from|near|of)\s(?:the\s)?(\p{Lu}[\p{L}\p{M}]+)/gu;

function officesIn(text: string): string[] {
  return Array.from(text.matchAll(/\p{L}[\p{L}-]{2,}/gu), ([word]) => word.toLowerCase()).filter((word) => kindOfNoun(word) === 'person');
}

/** "(footballer, born 1978)": a row is tagged with its title, but that date says nothing of when the sentence was. */
function onlyInTitle({ start }: Interval, title: string, sentence: string): boolean {
  const year = String(new Date(start).getUTCFullYear());
  return title.includes(year) && !sentence.includes(year);
}

const capitalised = /\p{Lu}[\p{L}\p{M}]+/gu;
const noNames = new Set(
  ('january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'the a an in on at by for from to with as after before during when while since until this that these those it he she they his her their its').split(' '),
);

function namesIn(text: string): string[] {
  const names: string[] = [];
  for (const match of text.matchAll(capitalised)) {
    if (match.index < 2) continue;
    const word = match[0].toLowerCase();
    if (!noNames.has(word)) names.push(word);
  }
  return names;
}
