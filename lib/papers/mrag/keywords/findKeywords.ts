// Keyword extraction of a question, by rules or by a model (MRAG appendix F).
import type { QueryContext } from '../../../retrieval/queryContext.js';
import { stage, type Stage } from '../../../pipeline.js';
import type { KeywordQuery, Keyword } from './keyword.js';
import { fallbackNote, askJson, type JsonPrompt } from '../../../text/jsonPrompt.js';
import { questionEnd } from '../../../time/question/questionText.js';
import { filledPrompt } from '../../../text/promptTemplates.js';
import { checkTextModel, type TextModel } from '../../../text/textModel.js';
import { keywordOf, isNumeric, isSuperlative } from './forms.js';
import { invalidArgument } from '../../../errors.js';
import { isIrregular } from '../../../text/inflections.js';

/** Adds the keywords of the main content. Rules replace an unusable answer of the model. */
export function findKeywords(model?: TextModel): Stage<QueryContext, KeywordQuery> {
  if (model) checkTextModel(model);
  return stage('findKeywords', async (query, { note, signal }) => {
    const answer = model && (await extractKeywordsBy(model, query.searchText, signal));
    const keywords =
      answer && 'keywords' in answer
        ? answer.keywords
        : extractKeywords(questionEnd(query.searchText));
    note(
      'by',
      answer === undefined
        ? 'rules'
        : 'keywords' in answer
          ? model!.id
          : fallbackNote(model!, answer.unusable),
    );
    return { ...query, keywords };
  });
}

/** Words that are no keywords, from the published code. */
const dropped = new Set('time years for new recent current whom who out place not'.split(' '));

/** The keywords, or why the answer is unusable: no JSON, or no keyword of the question. */
export async function extractKeywordsBy(
  model: TextModel,
  question: string,
  signal?: AbortSignal,
): Promise<{ keywords: Keyword[] } | { unusable: string }> {
  const answer = await askJson<KeywordsAnswer>(model, keywordsPrompt(model, question), signal);
  if ('unusable' in answer) return answer;
  const keywords = [
    ...new Set(
      answer.value.keywords
        .map((each) => matchInQuestion(each, question))
        .filter((each) => each !== '' && !dropped.has(each.toLowerCase())),
    ),
  ];
  return keywords.length === 0
    ? { unusable: 'no keyword that the question has' }
    : { keywords: keywords.map(keywordOf) };
}

/** The longest prefix of the keyword's words that occurs in the question, in its spelling. */
function matchInQuestion(keyword: string, question: string): string {
  const lower = question.toLowerCase();
  for (let words = keyword.trim().split(/\s+/); words.length > 0; words = words.slice(0, -1)) {
    const text = words.join(' ');
    const at = /[\p{L}\p{N}]/u.test(text) ? lower.indexOf(text.toLowerCase()) : -1;
    if (at >= 0) return question.slice(at, at + text.length);
  }
  return '';
}

interface KeywordsAnswer {
  keywords: string[];
}

function keywordsPrompt({ templates }: TextModel, question: string): JsonPrompt {
  return {
    ...filledPrompt('keywords', templates, { question }),
    schema: {
      type: 'object',
      properties: { keywords: { type: 'array', items: { type: 'string' } } },
      required: ['keywords'],
    },
    maxTokens: 160,
  };
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Function and question words. The last line is the published code's list of keywords to drop. */
const functionWords = words(
  'a an the this that these those some any each every no all both either neither such same ' +
    'other another one ones who whom whose which what ' +
    'when where why how ' +
    'i you he she it we they me him her us them my your his its our their there here is are ' +
    'was were be been being am do does did done doing ' +
    'has have had having ' +
    'can could will would shall should may might must of in on at by to from with without ' +
    'within into onto upon over under about above below ' +
    'between among during ' +
    'before after since until till through throughout against toward towards as than then so ' +
    'and or but nor if while because also too very just ' +
    'only ever never ' +
    'name named called goes known much many few several more less per via case ' +
    'time years for new recent current whom who out place not',
);
/** Small words inside a name: "House of Commons", "Miguel de la Torre". */
const nameParticles = words('of the de da di del della van von der den la le el al bin ibn y for');
/** Verbs before a title, in which "and" joins: "wrote Romeo and Juliet". */
const worksVerb =
  /\b(?:writ|wrote|s[aiu]ng|record|releas|direct|compos|publish|produc|perform)\w*\s+$/i;
/** A time by its distance, and occasions: "last year", "the first time". */
const relativeTime =
  /\b(?:last|past|previous|this|next|first)\s+(?:times?|years?|months?|weeks?|days?|nights?|seasons?|decades?|centur(?:y|ies))\b/gi;
const questionOpeners = words(
  'name list give tell find show state which what who whom whose when where why how in on at ' +
    'by as from during until before after since between ' +
    'around the a an is are was were did does do has had have can could during',
);

interface Word {
  text: string;
  start: number;
  end: number;
}

const word = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’.&/-](?=[\p{L}\p{N}])|(?<=\b\p{Lu})\.)*/gu;
const quoted = /["“]([^"”]{2,80})["”]|(?<!\p{L})['‘]([^'’]{2,80})['’](?!\p{L})/gu;

/**
 * The keywords of a question without its time, in order, each once.
 * @example extractKeywords('Who runs the fastest 40-yard dash in the NFL?').map(({ text }) => text)
 * // ['runs', 'fastest', '40-yard', 'dash', 'NFL']
 */
export function extractKeywords(question: string): Keyword[] {
  if (typeof question !== 'string') throw invalidArgument('question', 'a text', question);
  const keywords: string[] = [];
  let rest = question;
  for (const match of question.matchAll(quoted)) {
    keywords.push((match[1] ?? match[2])!.trim());
    rest =
      rest.slice(0, match.index) +
      '\n'.repeat(match[0].length) +
      rest.slice(match.index + match[0].length);
  }
  rest = rest.replace(relativeTime, (each) => '\n'.repeat(each.length));
  const all = [...rest.matchAll(word)].map(
    (match): Word => ({ text: match[0], start: match.index, end: match.index + match[0].length }),
  );
  for (let at = 0; at < all.length; ) {
    const end = isNameAt(rest, all, at) ? endOfName(rest, all, at) : endOfPhrase(rest, all, at);
    if (end > at)
      keywords.push(rest.slice(all[at]!.start, all[end - 1]!.end).replace(/['’]s$/u, ''));
    at = Math.max(end, at + 1);
  }
  return [...new Set(keywords)].filter((each) => each !== '').map(keywordOf);
}

const capital = ({ text }: Word): boolean => /^\p{Lu}/u.test(text);
const blankBetween = (text: string, one: Word, other: Word): boolean =>
  /^[ \u00a0]+(?:& )?$/.test(text.slice(one.end, other.start));

/** A capitalised word; at the start of a sentence only if questions do not open with it. */
function isNameAt(text: string, all: readonly Word[], at: number): boolean {
  const each = all[at]!;
  if (!capital(each)) return false;
  const opens = /(?:^|[.?!]\s)\W*$/u.test(text.slice(0, each.start));
  return !(
    opens &&
    (questionOpeners.has(each.text.toLowerCase()) || functionWords.has(each.text.toLowerCase()))
  );
}

/** End of a run of capitalised words and numbers, with name particles between them. */
function endOfName(text: string, all: readonly Word[], at: number): number {
  const isTitle = worksVerb.test(text.slice(0, all[at]!.start));
  let end = at + 1;
  for (;;) {
    let next = end;
    while (
      next < all.length &&
      next - end < 2 &&
      (nameParticles.has(all[next]!.text) || (isTitle && all[next]!.text === 'and')) &&
      blankBetween(text, all[next - 1]!, all[next]!)
    )
      next += 1;
    const follows =
      next < all.length &&
      blankBetween(text, all[next - 1]!, all[next]!) &&
      (capital(all[next]!) || (next === end && /^\p{N}/u.test(all[next]!.text)));
    if (!follows || /['’]s$/u.test(all[end - 1]!.text)) return end;
    end = next + 1;
  }
}

/** End of a run of lower-case content words; verbs, numbers and superlatives stand alone. */
function endOfPhrase(text: string, all: readonly Word[], at: number): number {
  const content = (each: Word): boolean => !functionWords.has(each.text.toLowerCase());
  const alone = ({ text: each }: Word): boolean =>
    /^\p{N}+-/u.test(each) ||
    isNumeric(each) ||
    isSuperlative(each) ||
    isIrregular(each) ||
    /(?:ed|ing)$/.test(each);
  const first = all[at]!;
  if (!content(first)) return at;
  if (alone(first)) return at + 1;
  let end = at + 1;
  while (
    end < all.length &&
    end - at < 3 &&
    blankBetween(text, all[end - 1]!, all[end]!) &&
    content(all[end]!) &&
    !capital(all[end]!) &&
    !alone(all[end]!)
  )
    end += 1;
  return end;
}
