// Proper names in a text: runs of capitalised words with the small words that join them, and their
// parts. Rules over capitals; no list of names.
import type { Span } from '../text/sentences.js';

const capital =
  /^(?:\p{Lu}[\p{L}\p{M}\p{N}'’.&/-]*|\p{N}+(?:st|nd|rd|th)|[a-z]{0,3}[-'’]\p{Lu}[\p{L}\p{M}'’-]*)$/u;
// Small words that hold a name together wherever they stand; the others only open a longer reading
// of it.
const tight = new Set(
  'of de da do dos di del della van von zu der den la le el al bin ibn y e & du des'.split(' '),
);
const joint = new Set([...tight, 'the', 'and', 'for', 'in', 'on', 'at', 'a']);

/** A word with its place and what stands around it. */
interface Word {
  start: number;
  end: number;
  bare: string;
  /** A comma, stop or bracket follows. */
  closes: boolean;
  opens: boolean;
  first: boolean;
}

/** What is longer is no word of a name, and would cost its square to look at. */
const longestWord = 80;

const tailPattern = new RegExp(
  String.raw`(?:['’]s)?[)\]}"”’,;:!?–—]*(?:(?<!\b\p{Lu}|\b(?:Mr|Dr|St|Mrs|Jr|Sr|Inc|Co|Ltd|Lt|` +
    String.raw`Col|Gen|Capt))\.)?[)\]}"”’,;:!?]*$`,
  'u',
);

function wordsOf(text: string): Word[] {
  let first = true;
  return [...text.matchAll(/\S+/gu)].map((match) => {
    const [word] = match;
    if (word.length > longestWord)
      return { start: match.index, end: match.index, bare: '', closes: true, opens: true, first };
    const lead = /^[([{"“‘'–—-]+/u.exec(word)?.[0].length ?? 0;
    const tail = tailPattern.exec(word.slice(lead))?.[0].length ?? 0;
    const start = match.index + lead;
    const end = Math.max(start, match.index + word.length - tail);
    const made = {
      start,
      end,
      bare: text.slice(start, end),
      closes: tail > 0,
      opens: lead > 0,
      first,
    };
    first = (/[.!?]["”’)]*$/u.test(word) && !/^\p{Lu}\.$/u.test(word)) || /^[-–—•*]$/u.test(word);
    return made;
  });
}

/** Runs of capitalised words; a sentence's first word counts only in a longer run. */
export function names(text: string): Span[] {
  const found: Span[] = [];
  let run: Word[] = [];
  const close = (): void => {
    while (run.length > 0 && joint.has(run.at(-1)!.bare)) run.pop();
    if (run.length > 0) found.push(...readings(run));
    run = [];
  };
  let last: Word | undefined;
  for (const word of wordsOf(text)) {
    const gap = last === undefined ? '' : text.slice(last.end, word.start);
    // A blank that is longer than a year was a date: "Lund from 2011 to 2016 and Brann" are two
    // names, "Rio 2016 Olympics" is one.
    const apart = gap.includes('\n') || gap.length > 6;
    if (word.opens || apart) close();
    if (word.bare === '') close();
    else if (
      capital.test(word.bare) &&
      !common.has(word.bare.toLowerCase()) &&
      !(word.first && adverbs.test(word.bare))
    )
      run.push(word);
    else if (capital.test(word.bare) && run.length > 0) run.push(word);
    else if (run.length > 0 && joint.has(word.bare) && !word.closes) run.push(word);
    else close();
    if (word.closes) close();
    last = word;
  }
  close();
  return found;
}

/** The whole run, and its parts where loose small words ("and", "in", "the") join them. */
function readings(run: readonly Word[]): Span[] {
  const span = (words: readonly Word[]): Span => ({
    start: words[0]!.start,
    end: words.at(-1)!.end,
  });
  const parts: Word[][] = [[]];
  for (const word of run) {
    if (joint.has(word.bare) && !tight.has(word.bare)) parts.push([]);
    else parts.at(-1)!.push(word);
  }
  const isName = ({ bare }: Word): boolean => !joint.has(bare);
  const apart = parts
    .filter((part) => part.some(isName))
    .map((part) => part.slice(part.findIndex(isName), part.findLastIndex(isName) + 1));
  // "Ana Lind of Norway", "the University of Oslo": what stands before "of" may be all of the name.
  const heads = apart
    .map((part) =>
      part.slice(
        0,
        part.findIndex((word) => word.bare === 'of'),
      ),
    )
    .filter((head, at) => head.length > 0 && head.length < apart[at]!.length - 1);
  return [...(parts.length === 1 ? [] : [span(run)]), ...apart.map(span), ...heads.map(span)];
}

const adverbs = new RegExp(
  '^(?:Later|Today|Currently|Initially|Originally|Eventually|Subsequently|Previously|Formerly|' +
    'Afterwards?|Meanwhile|Soon|Finally|' +
    'Following|Under|Born|Prior|Upon|According|Once|Also|Since|Due|Despite|Both|All|Many|Most|' +
    'Some|No|Not|Built|Founded|Established|' +
    'Located|Between|Around|About|Over|Through|Throughout|Instead|' +
    'Thus|Hence|Several|Another|Other|Such|Only|Even|Here|What|Who|When|Where|Which|How|Why)$',
);
const common = new Set(
  (
    'the a an in on at by for from to with as after before during when while since until ' +
    'this that these those it its he she they his her their ' +
    'there then however although but and or so if we i you'
  ).split(' '),
);
