// What a sentence is to any question: its times and names, read off its text when they are asked
// for and kept. A question for a number never reads offices, and a ranking by words no names. It
// knows no question.
import { utf16Units } from '../../text/analyzer.js';
import { nounType } from '../../text/answerType.js';
import type { Interval } from '../../time/interval.js';
import { cueOf, cuesOf, statesIn, type Cue } from '../../time/states.js';

export class SentenceFeatures {
  private readonly own: readonly Interval[];
  private cues: readonly Cue[] | undefined;
  private stretches: readonly Interval[] | undefined;
  private capitals: readonly string[] | undefined;
  private people: readonly string[] | undefined;
  private located: readonly string[] | undefined;
  private pair: boolean | undefined;

  /** `all` are the times that its row has: those of its title among them. */
  constructor(
    readonly text: string,
    title: string | undefined,
    private readonly all: readonly Interval[],
  ) {
    this.own =
      all.length > 0 && title !== undefined && /\d{3}/.test(title)
        ? all.filter((time) => !onlyInTitle(time, title, text))
        : all;
  }

  /** The stretches that it speaks of (`statesIn`). */
  get times(): readonly Interval[] {
    return (this.stretches ??= this.timesOfTitle
      ? this.all
      : statesIn(this.text, this.own, (this.cues ??= cuesOf(this.text, this.own))));
  }

  /** What the words beside one of its times say of it. */
  cue(time: Interval): Cue {
    return this.cues?.[this.own.indexOf(time)] ?? cueOf(this.text, time);
  }

  /** Whether the times are those of the title, which every sentence of the passage has. */
  get timesOfTitle(): boolean {
    return this.own.length === 0 && this.all.length > 0;
  }

  /**
   * Capitalised words but the first, in lower case and with repetition; no months, articles or
   * pronouns.
   */
  get names(): readonly string[] {
    return (this.capitals ??= namesIn(this.text));
  }

  get hasDigit(): boolean {
    return /\d/.test(this.text);
  }

  /** Two capitalised words beside each other, as people are named. */
  get namesPerson(): boolean {
    return (this.pair ??= twoCapitals.test(this.text));
  }

  /** Nouns for people by what they do, in lower case: offices, ranks, occupations. */
  get offices(): readonly string[] {
    return (this.people ??= officesIn(this.text));
  }

  /** Capitalised words after a preposition of place, in lower case. */
  get places(): readonly string[] {
    return (this.located ??= Array.from(this.text.matchAll(afterPreposition), ([, word]) =>
      word!.toLowerCase(),
    ));
  }
}

const twoCapitals =
  /\p{Lu}[\p{L}\p{M}.'’-]*\s(?:(?:de|da|di|van|von|der|al|bin)\s){0,2}\p{Lu}\p{Ll}/u;
const afterPreposition = /\b(?:in|at|to|from|near|of)\s(?:the\s)?(\p{Lu}[\p{L}\p{M}]+)/gu;

function officesIn(text: string): string[] {
  return (text.match(/\p{L}[\p{L}-]{2,}/gu) ?? [])
    .map((word) => word.toLowerCase())
    .filter((word) => nounType(word) === 'person');
}

/**
 * "(footballer, born 1978)": a row is tagged with its title, but that date says nothing of when the
 * sentence was.
 */
function onlyInTitle({ start }: Interval, title: string, sentence: string): boolean {
  const year = String(new Date(start).getUTCFullYear());
  return title.includes(year) && !sentence.includes(year);
}

const noNames = new Set(
  (
    'january february march april may june july august september october november december ' +
    'jan feb mar apr jun jul aug sep sept oct nov dec ' +
    'the a an in on at by for from to with as after before during when while since until ' +
    'this that these those it he ' +
    'she they his her their its'
  ).split(' '),
);

function namesIn(text: string): string[] {
  const names: string[] = [];
  const units = utf16Units(text);
  for (let at = 0; at < text.length; ) {
    const kind = kinds[units[at]!] || kindOf(text.codePointAt(at)!);
    let end = at + (kind & 4 ? 2 : 1);
    if (kind & 1) {
      while (end < text.length) {
        const next = kinds[units[end]!] || kindOf(text.codePointAt(end)!);
        if (!(next & 2)) break;
        end += next & 4 ? 2 : 1;
      }
      if (at >= 2 && end > at + (kind & 4 ? 2 : 1)) {
        const word = text.slice(at, end).toLowerCase();
        if (!noNames.has(word)) names.push(word);
      }
    }
    at = end;
  }
  return names;
}

/**
 * Of UTF-16 units that are characters, filled as they are met: 1 for a capital, 2 for a letter or
 * mark, 4 where it takes two units, 8, added up.
 */
const kinds = new Uint8Array(0x10000);

function kindOf(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  const kind =
    8 +
    (/\p{Lu}/u.test(character) ? 1 : 0) +
    (/[\p{L}\p{M}]/u.test(character) ? 2 : 0) +
    (codePoint > 0xffff ? 4 : 0);
  if (codePoint < 0xd800 || (codePoint > 0xdfff && codePoint < 0x10000)) kinds[codePoint] = kind;
  return kind;
}
