// Wording for any schema: recorded values of an entity at a time.
import { Sentences } from '../grammar.js';
import { joinWithAnd } from './counts.js';
import type { Wording } from './wording.js';

const documents = new Sentences({
  document: [
    '{=1}the {name} of {entity} <was> {value} {on}<credit>.<close>',
    '{=1}{on}, the {name} of {entity} <was> {value}<credit>.<close>',
    '{=1}{entity} <had> {value} as its {name} {on}.<close>',
    '{=1}{entity}, {name}, {when}: {value}.<stamp>',
    '{=1}<source> <gives> {value} as the {name} of {entity} {on}.<close>',
    '{=1}<entry> {entity}. {name}: {value}. <day> {when}.<stamp>',
    '{=1}{value} <isWhat> <source> <gives> as {name} of {entity} for {when}.<close>',
    '{=n}{entity} {on}: {list}.<stamp>',
    '{=n}<entry> {entity}. <day> {when}. {list}.<stamp>',
    '{=n}<source> <gives> for {entity} {on}: {list}.<close>',
    '{=n}{on}, <source> <had> {entity} with {list}.<close>',
    '{=n}of {entity}, {when}, <source> <gives> {list}.<close>',
  ],
  was: ['was', 'stood at', 'was put at', 'was given as', 'was recorded as'],
  had: ['had', 'showed', 'listed', 'carried'],
  isWhat: ['is what', 'is the figure that'],
  gives: ['gives', 'lists', 'names', 'records', 'shows'],
  source: [
    'the register',
    'the file',
    'the record',
    'the ledger',
    'the register of {issued}',
    'a note of {issued}',
    'an update published {issuedOn}',
    'the yearbook',
    'the log',
  ],
  entry: ['entry for', 'subject:', 'record of', 'sheet:', 'about'],
  day: ['date:', 'valid for', 'as of', 'when:'],
  credit: [
    '',
    '',
    ', the records show',
    ', by the register of {issued}',
    ', it was noted {issuedOn}',
    ', according to the file',
  ],
  stamp: ['', '', ' Noted {issuedOn}.', ' (Update of {issued}.)', ' Source: the register.'],
  close: [
    '',
    '',
    '',
    ' The entry may be amended.',
    ' Noted {issuedOn}.',
    ' Nothing else is on file.',
    ' The sheet was last printed {issuedOn}.',
  ],
});

const questions = new Sentences({
  question: [
    'what is on file as the {name} of {entity} for {when}?',
    'how did the {name} of {entity} stand {on}?',
    '{on}, which {name} was recorded for {entity}?',
    '<want>, for {when}, the {name} of {entity}',
    'what did {entity} have as its {name} {on}?',
    'what was the {name} of {entity} {on}?',
    '{on}, what was the {name} of {entity}?',
    'which {name} did {entity} have {on}?',
    '<want> the {name} of {entity} {on}',
    'how is the {name} of {entity} known for {when}?',
    '{entity}: {name} {when}?',
    'what does one find as {name} of {entity} for {when}?',
  ],
  pair: [
    '<question>',
    '<question>',
    'what was the {name} of {entity} {first}, and what {second}?',
    '<want> the {name} of {entity}, both {first} and {second}',
    'how did the {name} of {entity} {second} compare with the one {first}?',
    'which {name} did {entity} have {first}, and which {second}?',
    '{entity}: {name}, {when}?',
  ],
  latest: [
    'how does the {name} of {entity} stand <now>?',
    'what is the last known {name} of {entity}?',
    'which {name} is on file for {entity} <now>?',
    'what is the <newest> {name} of {entity}?',
    'which {name} does {entity} have <now>?',
    '<want> the <newest> {name} of {entity}',
    'what is the {name} of {entity} <now>?',
    '<newest> {name}, {entity}?',
  ],
  want: ['look up', 'I would like to know', 'tell me', 'find'],
  newest: ['latest', 'newest', 'most recent', 'current'],
  now: ['now', 'at present', 'at the moment', 'today'],
});

export const generic: Wording = {
  roles: [],
  latest: 'date',
  documents,
  questions,
  slots({ values: said }) {
    if (said.length === 1) return { '=1': '', name: said[0]!.name, value: said[0]!.value };
    return { '=n': '', list: joinWithAnd(said.map(({ name, value }) => `${name} ${value}`)) };
  },
  target({ values: said }, random) {
    const index = random.below(said.length);
    return { index, slots: { name: said[index]!.name } };
  },
};
