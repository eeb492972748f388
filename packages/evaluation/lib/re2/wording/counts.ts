// Wording of counts: how many of something a place, a firm or a person had by or on a day.
import { Sentences, type Grammar } from '../grammar.js';
import type { Wording } from './wording.js';

const documentGrammar: Grammar = {
  document: [
    '{=1}{total}{entity} <hadCounted> {value} {name} by {when}<credit>.<close>',
    '{=1}{total}the <tally> of {name} <in> {entity} <stood> {value} <asOf>.<close>',
    '{=1}{total}<asOf>, {name} <in> {entity} <cameTo> {value}<credit>.<close>',
    '{=1}{total}<through>, {entity} <hadCounted> {value} {name}.<close>',
    '{=1}{single}{entity} <reported> {value} {name} {on}<credit>.<close>',
    '{=1}{single}{on}, {name} <in> {entity} <cameTo> {value}<credit>.<close>',
    '{=1}{single}the number of {name} <in> {entity} {on} was {value}<credit>.<close>',
    '{=1}{name}, {entity}, {when}: {value}.<stamp>',
    '{=1}<update> <puts> {name} <in> {entity} at {value} <dated>.<close>',
    '{=1}<heading> {entity}. <day> {when}. {name}: {value}.<stamp>',
    '{=1}<readers> {entity} <find> {value} {name} <dated>.<close>',
    '{=n}{entity}, {when}: {list}.<stamp>',
    '{=n}<update> <puts> {entity} at {list} <dated>.<close>',
    '{=n}<heading> {entity}. <day> {when}. {list}.<stamp>',
    '{=n}<dated>, {entity} had {list}<credit>.<close>',
  ],
  dated: [
    '{total}by {when}',
    '{total}as of {when}',
    '{total}up to {when}',
    '{single}{on}',
    '{single}for {when}',
  ],
  asOf: ['as of {when}', 'by {when}', '{on}'],
  through: ['up to {when}', 'from the start until {when}', 'counting through {when}'],
  hadCounted: [
    'had counted',
    'had registered',
    'had recorded',
    'had logged',
    'was up to',
    'had reached',
  ],
  tally: ['tally', 'running total', 'overall number', 'cumulative number', 'sum'],
  in: ['in', 'for', 'in', 'across'],
  stood: ['stood at', 'was', 'had climbed to', 'was given as', 'amounted to'],
  cameTo: ['came to', 'numbered', 'amounted to', 'totalled', 'stood at'],
  reported: ['reported', 'registered', 'recorded', 'counted', 'logged'],
  update: [
    'the <bulletin>',
    'the figures',
    'a <bulletin> of {issued}',
    'figures released {issuedOn}',
    'a revision published {issuedOn}',
    'the table of {issued}',
    'the statistics office, {issuedOn},',
    'the open data',
  ],
  bulletin: ['bulletin', 'situation report', 'daily summary', 'statistical note', 'dashboard'],
  puts: ['put', 'placed', 'set'],
  heading: ['figures for', 'area:', 'report for', 'table entry,', 'statistics,'],
  day: ['day:', 'date:', 'status of', 'as of'],
  readers: ['a look at the table for', 'whoever opens the file for', 'the row for', 'the page on'],
  find: ['gives', 'shows', 'has', 'lists'],
  credit: [
    '',
    '',
    '',
    ', the <bulletin> said',
    ', by figures of {issued}',
    ', according to the <bulletin> of {issued}',
    ', it was announced {issuedOn}',
    ', officials said',
  ],
  stamp: [
    '',
    '',
    ' Published {issuedOn}.',
    ' (Table of {issued}.)',
    ' Data as released {issuedOn}.',
  ],
  close: [
    '',
    '',
    '',
    ' Figures may be revised.',
    ' Numbers were released {issuedOn}.',
    ' The count is provisional.',
    ' Reporting practice differs from place to place.',
    ' Published {issuedOn}.',
  ],
};

const questionGrammar: Grammar = {
  question: [
    '{total}what total of {name} did {entity} report <upTo>?',
    '{total}how far had {name} in {entity} risen <upTo>?',
    '{single}which number of {name} did {entity} report {on}?',
    'how did {name} in {entity} stand {on}?',
    '<want>, for {when}, the count of {name} in {entity}',
    '{total}how many {name} did {entity} have <upTo>?',
    '{total}how many {name} had there been in {entity} <upTo>?',
    '{total}what had {name} in {entity} added up to <upTo>?',
    '{total}<upTo>, how many {name} had {entity} seen?',
    '{single}how many {name} were there in {entity} {on}?',
    '{single}{on}, how many {name} did {entity} have?',
    '{single}what was the figure for {name} in {entity} {on}?',
    'how large was the number of {name} in {entity} {on}?',
    'what number of {name} is known for {entity} {on}?',
    '<want> the number of {name} in {entity} {on}',
    '{entity} {name} {when}?',
    'what do the statistics give as {name} of {entity} for {when}?',
  ],
  pair: [
    '<question>',
    '<question>',
    'how did {name} in {entity} stand {first}, and how {second}?',
    '<want> the number of {name} in {entity}, both {first} and {second}',
    'how many {name} were known in {entity} {first}, and how many {second}?',
    'by how much did {name} in {entity} {first} differ from those {second}?',
    'compare {name} in {entity} {first} and {second}',
    '{entity}, {when}: how many {name}?',
  ],
  latest: [
    'what is the last reported number of {name} in {entity}?',
    'how do {name} in {entity} stand <now>?',
    'how far have {name} in {entity} got <now>?',
    'how many {name} does {entity} have <now>?',
    'what is the <newest> number of {name} in {entity}?',
    '<newest> figure for {name} in {entity}?',
    'where does the count of {name} in {entity} stand <now>?',
    '<want> the <newest> count of {name} for {entity}',
    'how many {name} are known in {entity} <now>?',
  ],
  upTo: ['by {when}', 'as of {when}', 'up to {when}', 'until {when}'],
  want: ['I am looking for', 'please look up', 'find', 'I need'],
  now: ['now', 'at present', 'at the moment', 'so far', 'to date', 'today'],
  newest: ['latest', 'newest', 'most recent', 'current', 'last known'],
};

export const counts: Wording = {
  roles: [],
  latest: 'date',
  documents: new Sentences(documentGrammar),
  questions: new Sentences(questionGrammar),
  slots({ values: said }) {
    const [first] = said;
    const kind = { [first!.cumulative ? 'total' : 'single']: '' };
    if (said.length === 1) return { '=1': '', ...kind, value: first!.value, name: first!.name };
    return {
      '=n': '',
      ...kind,
      list: joinWithAnd(said.map(({ name, value }) => `${value} ${name}`)),
    };
  },
  target({ values: said }, random) {
    const index = random.below(said.length);
    return {
      index,
      slots: { name: said[index]!.name, [said[index]!.cumulative ? 'total' : 'single']: '' },
    };
  },
};

/** "a, b and c" */
export function joinWithAnd(parts: readonly string[]): string {
  return parts.length < 2
    ? (parts[0] ?? '')
    : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;
}
