// Wording of road accidents: how many people a collision at a place injured or killed.
import { Sentences, type Grammar } from '../grammar.js';
import { joinWithAnd } from './counts.js';
import type { AttributeValue, Wording } from './wording.js';

const documentGrammar: Grammar = {
  document: [
    '{=1}{on}, <aCrash> at {entity} left {value} {people} <hurt>.<close>',
    '{=1}{value} {people} {were} <hurt> in <aCrash> at {entity} {on}<credit>.<close>',
    '{=1}<aCrash> <happened> at {entity} {on}. <police> <count> {value} {people} <hurt>.<close>',
    '{=1}<police> <came> to {entity} {on} after vehicles had met; {name} <hurt>: {value}.<close>',
    '{=1}<heading> {entity}. date: {when}. {name} {state}: {value}.<stamp>',
    '{=1}{entity}, {when}, {name} {state}: {value}.<stamp>',
    '{=1}<file> of <aCrash> at {entity} <dated> <puts> {name} <hurt> at {value}.<close>',
    '{=1}{zero}no {name} were <hurt> ({value} in the file) in <aCrash> at {entity} {on}.<close>',
    '{=n}{on}, <aCrash> at {entity} left {list}<credit>.<close>',
    '{=n}<heading> {entity}. date: {when}. {list}.<stamp>',
    '{=n}<aCrash> <happened> at {entity} {on}. <police> <count> {list}.<close>',
    '{=n}<file> of <aCrash> at {entity} <dated> has {list}.<close>',
  ],
  aCrash: [
    'a collision',
    'a crash',
    'a traffic accident',
    'a road accident',
    'a pile-up',
    'a collision of vehicles',
  ],
  happened: ['happened', 'was reported', 'occurred', 'took place'],
  hurt: ['{injured}injured', '{injured}hurt', '{killed}killed', '{killed}fatally hurt'],
  police: ['police', 'officers', 'the precinct', 'patrol officers'],
  came: ['came', 'were called', 'were sent', 'drove'],
  count: ['counted', 'put down', 'recorded', 'noted'],
  file: ['the file', 'the report', 'the accident sheet', 'the entry', 'the record'],
  dated: ['{on}', 'of {when}', 'dated {when}'],
  puts: ['puts', 'gives', 'sets'],
  heading: ['accident sheet:', 'collision at', 'traffic log,', 'scene:', 'street report,'],
  credit: [
    '',
    '',
    '',
    ', <police> said',
    ', by the traffic log',
    ', it was reported {issuedOn}',
    ', according to the report of {issued}',
  ],
  stamp: ['', '', ' Filed {issuedOn}.', ' (Report of {issued}.)', ' Source: the traffic log.'],
  close: [
    '',
    '',
    '',
    ' The street was open again within the hour.',
    ' Witnesses were heard.',
    ' The cause is being looked into.',
    ' Filed {issuedOn}.',
    ' Tow trucks cleared the lanes.',
  ],
};

const questionGrammar: Grammar = {
  question: [
    'how many {name} were {state} in the <crash> at {entity} {on}?',
    '{on}, how many {name} were {state} at {entity}?',
    'what was the number of {name} {state} in the <crash> at {entity} {on}?',
    'what does the traffic log have as {name} {state} at {entity} for {when}?',
    '<want> how many {name} the <crash> at {entity} {on} left {state}',
    '<want> the count of {name} {state}, {entity}, {when}',
    'were any {name} {state} at {entity} {on}, and how many?',
    '{entity}, {when}: how many {name} {state}?',
  ],
  pair: [
    '<question>',
    '<question>',
    'how many {name} were {state} at {entity} {first}, and how many {second}?',
    '<want> the number of {name} {state} at {entity}, both {first} and {second}',
    'compare the {name} {state} at {entity} {first} with those {second}',
    '{entity}, {when}: which numbers of {name} {state}?',
  ],
  latest: [
    'how many {name} were {state} in the <newest> <crash> at {entity}?',
    '<want> the number of {name} {state} in the <newest> <crash> at {entity}',
    'when vehicles last met at {entity}, how many {name} were {state}?',
    'what does the <newest> entry on {entity} have as {name} {state}?',
    '<newest> <crash> at {entity}: how many {name} {state}?',
  ],
  crash: ['collision', 'crash', 'accident'],
  newest: ['latest', 'newest', 'most recent', 'last'],
  want: ['report', 'find', 'look up', 'tell me'],
};

const numberOfOne = '1';

/** "1 cyclist", "2 cyclists". */
const people = ({ name, value }: AttributeValue): string =>
  value === numberOfOne ? name.replace(/s$/, '') : name;

export const collisions: Wording = {
  roles: ['injured', 'killed'],
  latest: 'date',
  documents: new Sentences(documentGrammar),
  questions: new Sentences(questionGrammar),
  slots({ values: said }) {
    const [first] = said;
    const { role, name, value } = first!;
    const list = said.map((each) => `${each.value} ${people(each)} ${each.role!}`);
    if (said.length > 1) return { '=n': '', [role!]: '', list: joinWithAnd(list) };
    return {
      '=1': '',
      [role!]: '',
      ...(value === '0' ? { zero: '' } : {}),
      ...{ name, value, state: role!, people: people(first!) },
      were: value === numberOfOne ? 'was' : 'were',
    };
  },
  target({ values: said }, random) {
    const index = random.below(said.length);
    const { name, role } = said[index]!;
    return { index, slots: { name, state: role! } };
  },
};
