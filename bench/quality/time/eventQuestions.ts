// Questions that name an event or a state in place of a date, with what the data says of it: the
// times, the passage that tells them and the passages that answer. Facts of TimeQA's questions,
// dated sentences of its pages and the records of Nobel laureates are put into sentences of
// sets/eventWordings.json. It judges nothing.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Qrels } from '../../../packages/evaluation/lib/index.js';
import { opaque, passagesOf, records, shared } from '../sets/sets.js';

export type EventRelation = 'at' | 'before' | 'after';

/** Calendar years, inclusive. */
export interface EventTime {
  from: number;
  to: number;
}

export interface EventQuestion {
  id: string;
  /** Which half of the pages it is of: 1 was not looked at while the resolver was written. */
  half: 0 | 1;
  kind: 'state' | 'happening' | 'laureate';
  text: string;
  /** The same question with the dates that the data has in place of the event. */
  dated: string;
  relation: EventRelation;
  event: EventTime;
  /** Passages that the event's time is from. */
  told: string[];
  /** Passages that answer. */
  right: Set<string>;
}

interface EventWordings {
  states: Record<string, [EventRelation, string][]>;
  happenings: Record<string, [EventRelation, string][]>;
  laureates: Record<string, [EventRelation, string][]>;
  asked: string[];
}

const wordings = JSON.parse(
  readFileSync(new URL('../sets/eventWordings.json', import.meta.url), 'utf8'),
) as EventWordings;

/** A question of a state with the years that it lasted, and the passages that answer it. */
interface Asked {
  key: string;
  page: string;
  /** The question with `{when}` in place of its date. */
  stem: string;
  time: EventTime;
  right: Set<string>;
}

/** Something with a time that a clause can name. */
interface Event {
  key: string;
  page: string;
  kind: EventQuestion['kind'];
  forms: readonly (readonly [EventRelation, string])[];
  time: EventTime;
  told: string[];
}

const hash = (key: string): number =>
  parseInt(createHash('sha1').update(key).digest('hex').slice(0, 8), 16);
const halfOf = (page: string): 0 | 1 => (hash(`half ${page}`) % 2) as 0 | 1;

/** The pages' own spelling: words without the blanks of tokens, titles without a gloss. */
const detokenized = (text: string): string =>
  text.replace(/ ([,.;:!?%)\]}]|'s\b)/g, '$1').replace(/([([{]) /g, '$1');
const plainTitle = (page: string): string =>
  page
    .replace(/_/g, ' ')
    .replace(/ \(.*\)$/, '')
    .replace(/,.*$/, '');

interface TimeqaQuery {
  id: string;
  page: string;
  relation: string;
  answerable: boolean;
  answers: string[];
  question_easy: string;
  gold: { doc: string }[];
}

const span =
  /\b(?:from|between) (?:[A-Z][a-z]{2} )?(\d{4}) (?:to|and) (?:[A-Z][a-z]{2} )?(\d{4})\b/;

function timeqaFacts(qrels: Qrels): { asked: Asked[]; events: Event[] } {
  const queries = records(
    join(shared, 'data', 'timeqa_human', 'queries.jsonl'),
  ) as unknown as TimeqaQuery[];
  const asked: Asked[] = [];
  const events: Event[] = [];
  for (const { id, page, relation, answerable, answers, question_easy: text, gold } of queries) {
    const dates = span.exec(text);
    if (!answerable || !dates) continue;
    const time = { from: Number(dates[1]), to: Number(dates[2]) };
    const stem = text.replace(span, '{when}');
    const right = new Set([...(qrels.get(opaque(id)) ?? [])].map(([passage]) => passage));
    if (time.to <= time.from || /\d{3}/.test(stem)) continue;
    if (right.size > 0 && /\{when\}\s*\?$/.test(stem))
      asked.push({ key: id, page, stem, time, right });
    const answer = detokenized(answers[0]!).replace(/[\s.,]+$/, '');
    const forms = wordings.states[relation];
    if (!forms || !/^(?:the )?\p{Lu}/u.test(answer) || answer.split(' ').length > 6) continue;
    const told = gold.map(({ doc }) => opaque(doc));
    events.push({
      key: id,
      page,
      kind: 'state',
      forms: forms.map(([side, form]) => [side, fill(form, { s: plainTitle(page), a: answer })]),
      time,
      told,
    });
  }
  return { asked, events };
}

const fill = (form: string, slots: Readonly<Record<string, string>>): string =>
  form.replace(/\{(\w+)\}/g, (_, name: string) => slots[name]!);

const month =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const date = String.raw`(?:on|in) (?:${month} \d{1,2}, |\d{1,2} ${month} |${month} )?(\d{4})\b`;
const name = String.raw`\p{Lu}[\p{L}’'-]+(?: (?:of |the )?\p{Lu}[\p{L}’'-]+){0,3}`;
const happenings: [kind: string, pattern: RegExp][] = [
  ['died', happening(String.raw`(?:died|passed away)(?: [^.;,]{0,40}?)?`)],
  ['born', happening(String.raw`was born(?: [^.;]{0,40}?)?`)],
  ['married', happening(String.raw`(?:married|wed) (?<o>${name})`)],
  ['retired', happening(String.raw`retired(?: from [^.;,]{0,40}?)?`)],
  ['joined', happening(String.raw`joined (?:the )?(?<o>${name})`)],
  ['moved', happening(String.raw`moved to (?<o>${name})`)],
  [
    'chosen',
    happening(
      String.raw`(?:became|was (?:appointed|elected)(?: as)?) (?!to )(?:the )?(?<o>[^.,;\d]{6,45}?)`,
    ),
  ],
  ['founded', happening(String.raw`was (?:founded|established|formed)(?: [^.;,]{0,30}?)?`)],
  ['opened', happening(String.raw`(?:was )?opened(?: [^.;,]{0,30}?)?`)],
  ['won', happening(String.raw`won the (?<o>${name})`)],
];

/** A sentence that opens with its subject and has its date right after what happened. */
function happening(predicate: string): RegExp {
  return new RegExp(String.raw`(?:^|[.!?] )(?<s>He|She|It|${name}) ${predicate} ${date}`, 'u');
}

function datedSentences(): Event[] {
  const corpus = records(join(shared, 'data', 'timeqa_human', 'corpus.jsonl')) as unknown as {
    id: string;
    page: string;
    text: string;
    heading: boolean;
  }[];
  const events: Event[] = [];
  for (const { id, page, text, heading } of corpus) {
    if (heading) continue;
    const title = plainTitle(page);
    const sentence = detokenized(text);
    for (const [kind, pattern] of happenings) {
      const match = pattern.exec(sentence);
      if (!match) continue;
      const { s, o = '' } = match.groups as { s: string; o?: string };
      const isPronoun = /^(?:He|She|It)$/.test(s);
      // A name other than the page's may be one of many.
      if (!isPronoun && !s.split(' ').some((word) => title.split(' ').includes(word))) continue;
      if (!/\p{Lu}.*\s\p{Lu}/u.test(title)) continue;
      const year = Number(match.at(-1));
      const forms = wordings.happenings[kind]!.map(
        ([side, form]) => [side, fill(form, { s: title, o })] as const,
      );
      const time = { from: year, to: year };
      events.push({
        key: `${id} ${kind}`,
        page,
        kind: 'happening',
        forms,
        time,
        told: [opaque(id)],
      });
    }
  }
  return events;
}

interface Laureate {
  id: string;
  name: string;
  field: string;
  year: number;
  born?: number;
  died?: number;
}

function laureates(nobel: string): Laureate[] {
  return passagesOf(nobel).flatMap(({ id, text }): Laureate[] => {
    const [who = ''] = text.split('\n');
    const prize = /The Nobel (?:Prize in )?([A-Z]\w+)(?: Prize)? (\d{4})/.exec(text);
    if (!prize || !/^[\p{L}. '’-]+$/u.test(who) || !who.includes(' ')) return [];
    const years = (label: string): number | undefined => {
      const found = new RegExp(String.raw`^${label}: [^\n]*?(\d{4})`, 'm').exec(text);
      return found ? Number(found[1]) : undefined;
    };
    const [born, died] = [years('Born'), years('Died')];
    return [
      {
        id,
        name: who,
        field: prize[1]!,
        year: Number(prize[2]),
        ...(born === undefined ? {} : { born }),
        ...(died === undefined ? {} : { died }),
      },
    ];
  });
}

function laureateFacts(all: readonly Laureate[]): { asked: Asked[]; events: Event[] } {
  const prizes = new Map<string, Laureate[]>();
  const events: Event[] = [];
  for (const each of all) {
    const key = `${each.field} ${each.year}`;
    prizes.set(key, [...(prizes.get(key) ?? []), each]);
    const event = (kind: string, year: number | undefined): void => {
      if (year === undefined || (kind !== 'prize' && year < 1902)) return;
      const forms = wordings.laureates[kind]!.map(
        ([side, form]) => [side, fill(form, { s: each.name, c: each.field })] as const,
      );
      const time = { from: year, to: year };
      const page = each.name;
      const field = kind === 'prize' ? each.field : '';
      events.push({
        key: `${each.id} ${kind} ${field}`,
        page,
        kind: 'laureate',
        forms,
        time,
        told: [each.id],
      });
    };
    event('prize', each.year);
    event('born', each.born);
    event('died', each.died);
  }
  const asked = [...prizes].map(([key, list], at): Asked => {
    const { field, year } = list[0]!;
    const stem = `${fill(wordings.asked[at % 2]!, { c: field })} {when}?`;
    const right = new Set(list.map(({ id }) => id));
    return { key, page: key, stem, time: { from: year, to: year }, right };
  });
  return { asked, events };
}

/** The date in place of the event, as the relation reads it. */
function dateWords(relation: EventRelation, { from, to }: EventTime): string {
  if (relation === 'before') return `before ${from}`;
  if (relation === 'after') return `after ${to}`;
  return from === to ? `in ${from}` : `between ${from} and ${to}`;
}

/** Whether a state answers a question about an event's time, by years. */
function answers({ time }: Asked, relation: EventRelation, event: EventTime): boolean {
  if (relation === 'before') return time.from < event.from && event.from <= time.to;
  if (relation === 'after') return time.from <= event.to && event.to < time.to;
  if (time.from === time.to) return event.from === time.from && event.to === time.to;
  return (
    time.from <= event.from && event.to <= time.to && (event.from > time.from || event.to < time.to)
  );
}

export interface EventSources {
  /** The folder of the set 'nobel', and the judgements of 'timeqa'. */
  nobel: string;
  timeqa: Qrels;
}

/** Questions of each half, `most` of them, by a fixed choice: the same ones in every run. */
export function eventQuestions({ nobel, timeqa }: EventSources, most: number): EventQuestion[] {
  const facts = timeqaFacts(timeqa);
  const prizes = laureateFacts(laureates(nobel));
  const byKind: [share: number, events: Event[], asked: Asked[]][] = [
    [0.4, facts.events, facts.asked],
    [0.3, datedSentences(), facts.asked],
    [0.2, prizes.events, prizes.asked],
    [0.1, prizes.events, facts.asked],
  ];
  const used = new Set<string>();
  return ([0, 1] as const).flatMap((half) =>
    byKind.flatMap(([share, events, asked]) =>
      pairsOf(
        events.filter(({ page }) => halfOf(page) === half),
        asked.filter(({ page }) => halfOf(page) === half || /^\w+ \d{4}$/.test(page)),
        { used, half, most: Math.round(share * most) },
      ),
    ),
  );
}

function pairsOf(
  events: readonly Event[],
  asked: readonly Asked[],
  { used, half, most }: { used: Set<string>; half: 0 | 1; most: number },
): EventQuestion[] {
  const byHash = <T extends { key: string }>(list: readonly T[], salt: string): T[] =>
    [...list].sort((a, b) => hash(salt + a.key) - hash(salt + b.key));
  const questions: EventQuestion[] = [];
  for (const event of byHash(events, 'event')) {
    if (questions.length >= most) break;
    if (used.has(`page ${event.page}`)) continue;
    const [relation, clause] = event.forms[hash(`form ${event.key}`) % event.forms.length]!;
    const of = byHash(asked, event.key).find(
      (each) =>
        each.page !== event.page &&
        !used.has(each.key) &&
        !event.told.some((id) => each.right.has(id)) &&
        answers(each, relation, event.time),
    );
    if (!of) continue;
    used.add(of.key).add(`page ${event.page}`);
    questions.push({
      id: opaque(`${event.key} ${of.key}`),
      half,
      kind: event.kind,
      text: of.stem.replace(/\{when\}\s*/, clause),
      dated: of.stem.replace(/\{when\}\s*/, dateWords(relation, event.time)),
      relation,
      event: event.time,
      told: event.told,
      right: of.right,
    });
  }
  return questions;
}
