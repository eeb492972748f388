// How the form of a span agrees with the answer type of the question, as features.
import { nounType, type AnswerType } from '../text/answerType.js';
import type { Features } from './contest.js';
import { functional, type SpanForm, type TextSpan } from './spans.js';

const naming: readonly SpanForm[] = ['name', 'quoted'];
const describing: readonly SpanForm[] = [...naming, 'phrase'];

/** The forms that answers of a type have; a type that the question does not tell allows all. */
const formsOf: Readonly<Record<AnswerType, readonly SpanForm[]>> = {
  date: ['date'],
  number: ['number'],
  score: ['score'],
  version: ['version', 'number'],
  person: ['name'],
  organisation: naming,
  place: naming,
  role: describing,
  name: [],
};

const groups: Partial<Record<AnswerType, string>> = {
  person: 'person',
  organisation: 'thing',
  place: 'thing',
  role: 'role',
};

const personName =
  /^(?:\p{Lu}[\p{L}\p{M}'’.-]*\s(?:(?:de|da|van|von|der|di|la|el|al|bin)\s){0,2}){1,3}\p{Lu}[\p{L}\p{M}'’.-]+$/u;

/** Whether a span of this form can be of the type at all: no date or number is a name. */
export function canAnswer(kind: AnswerType | undefined, form: SpanForm): boolean {
  const named = kind !== undefined && kind in groups;
  if (kind === 'person' && form === 'version') return false;
  return !named || !(form === 'date' || form === 'number' || form === 'score');
}

export function formOf(kind: AnswerType | undefined, span: TextSpan, sentence: string): Features {
  const words = sentence.slice(span.start, span.end);
  const { form } = span;
  const open = kind === undefined || kind === 'name';
  const group = open ? 'open' : (groups[kind] ?? 'other');
  const features: Features = {
    [open ? `open.${form}` : `${formsOf[kind].includes(form) ? 'agrees' : 'differs'}`]: 1,
  };
  if (form === 'name' && words.length < 80 && personName.test(words))
    features[`fullName.${group}`] = 1;
  const oneWord = !/\s/.test(words);
  if (oneWord) features[form === 'name' ? `oneName.${group}` : 'oneWord'] = 1;
  if (span.start < 3) features[oneWord ? 'opens' : `starts.${group}`] = 1;
  Object.assign(features, boundariesOf(span, sentence));
  if (open || kind === 'number' || kind === 'date') return features;
  const head = nounType((/\p{L}+(?=\P{L}*$)/u.exec(words)?.[0] ?? '').toLowerCase());
  if (head !== undefined) features[head === kind ? 'headAgrees' : 'headDiffers'] = 1;
  if (leads[kind]?.test(sentence.slice(Math.max(0, span.start - 30), span.start)))
    features[`lead.${kind}`] = 1;
  return features;
}

/** Words before what is of a type. */
const leads: Partial<Record<AnswerType, RegExp>> = {
  person: /\b(?:by|to|was|were|is)\s(?:the\s)?$/i,
  place: /\b(?:in|at|near|to|from|of)\s(?:the\s)?$/i,
  organisation: /\b(?:for|with|at|to|by|join|joined|joining|from)\s(?:the\s|a\s)?$/i,
  role: /\b(?:as|was|became|is|appointed|named|promoted to|elected)\s(?:the\s|a\s|an\s)?$/i,
};

/** Whether a name, a version or a number goes on where the span ends, or began before it. */
function boundariesOf({ start, end, form }: TextSpan, sentence: string): Features {
  const behind = sentence.slice(end, end + 30);
  const before = sentence.slice(Math.max(0, start - 30), start);
  const small = /^ (\p{Ll}[\p{L}-]*)/u.exec(behind)?.[1];
  return {
    ...(small !== undefined && !functional.has(small) ? { [`goesOn.${form}`]: 1 } : {}),
    ...(/^ [\p{Lu}\d]/u.test(behind) ? { goesOnInName: 1 } : {}),
    ...(/^ \(/.test(behind) ? { bracketBehind: 1 } : {}),
    ...(/\p{Lu}[\p{L}\p{N}]* $/u.test(before) ? { beganInName: 1 } : {}),
    ...(/\($/.test(before) ? { inBracket: 1 } : {}),
  };
}
