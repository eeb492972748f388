// Typed answer spans: what kind of answer a question wants, and the stretches of a sentence that are of that kind. Rules
// over capitals, digits and the time tagger; no model, no list of names.
import { tagText } from '../time/tagger.js';

export type AnswerKind = 'date' | 'number' | 'name';

/** The kind of answer by the question's wh-word; undefined where no rule knows (then the sentence is the answer). */
export function answerKind(question: string): AnswerKind | undefined {
  const text = question.toLowerCase();
  if (/\b(?:when|(?:what|which) (?:year|date|day|month|decade|century))\b/.test(text)) return 'date';
  if (/\b(?:how (?:many|much|old|tall|high|long|fast|far|big|large|warm|cold)|what (?:was|is|were|are) the (?:\w+ ){0,3}(?:number|population|price|cost|count|total|score|record|height|speed|temperature|percentage|rate)|(?:by )?what score|score|what did .* cost)\b/.test(text)) return 'number';
  if (/\b(?:who|whom|whose|which|what|where|winner|champion|runner-up)\b/.test(text)) return 'name';
  return undefined;
}

/** Spans of `text` that are of the kind, as strings, in order of appearance. */
export function spansOf(kind: AnswerKind, text: string): string[] {
  if (kind === 'date') return datesIn(text).map(({ timexes }) => text.slice(timexes[0]!.start, timexes.at(-1)!.end));
  const withoutDates = blankDates(text);
  return kind === 'number' ? numbers(withoutDates) : names(withoutDates);
}

/** Dates and clock times: "three years" answers how many or how long, not when. */
const datesIn = (text: string) => tagText(text).mentions.filter(({ timexType }) => timexType === 'DATE' || timexType === 'TIME');

/** Dates are neither numbers nor names: "May 2021" answers no "who". */
function blankDates(text: string): string {
  let blanked = '';
  let at = 0;
  for (const { start, end } of datesIn(text)) {
    blanked += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return blanked + text.slice(at);
}

const scoreLine = /\d+-\d+(?:\(\d+\))?(?: \d+-\d+(?:\(\d+\))?)*/gu;
const quantity = /[$€£¥]?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|per cent|percent|million|billion|trillion|thousand|cents?|metres?|meters?|m|km|°[CF]|seconds?))?/gu;

function numbers(text: string): string[] {
  const lines = text.match(scoreLine);
  return lines ?? text.match(quantity) ?? [];
}

const capital = /\p{Lu}[\p{L}\p{M}'’.-]*/u;
const joint = new Set(['of', 'the', 'de', 'da', 'di', 'del', 'della', 'van', 'von', 'der', 'den', 'la', 'le', 'el', 'al', 'bin', 'ibn', 'y', 'and', '&', 'for']);

/** Runs of capitalised words, with the small words that join them; a sentence's first word counts only in a longer run. */
function names(text: string): string[] {
  const found: string[] = [];
  let run: string[] = [];
  let first = true;
  const close = (): void => {
    while (run.length > 0 && joint.has(run.at(-1)!.toLowerCase())) run.pop();
    if (run.length > 0) found.push(run.join(' ').replace(/[.,;:'’]+$/u, ''));
    run = [];
  };
  for (const [word] of text.matchAll(/\S+|\s{2,}/gu)) {
    const bare = word.replace(/^[("“‘[]+/u, '').replace(/[)"”’\],;:!?]+$/u, '');
    if (new RegExp(`^${capital.source}$`, 'u').test(bare) && !(first && common.has(bare.toLowerCase()))) run.push(bare);
    else if (run.length > 0 && joint.has(bare) && bare === word && bare !== 'and') run.push(bare);
    else close();
    if (/[,;:!?)]$/u.test(word)) close();
    first = /[.!?]$/u.test(word) && !/^\p{Lu}\.$/u.test(word);
    if (first) close();
  }
  close();
  return found;
}

const common = new Set('the a an in on at by for from to with as after before during when while since until this that these those it its he she they his her their there then however although but and or so if we i you'.split(' '));
