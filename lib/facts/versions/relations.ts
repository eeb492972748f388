// Functional relations stated in different words: office, ownership, leadership, seat. Relation and
// subject must agree and the value differ.
import { stemmer } from 'stemmer';
import { headOf, namesRole } from './lexicon.js';
import { endingsDiffer } from './modality.js';
import { stemOf, type Statement, type Token } from './statement.js';
import type { Surroundings } from './subject.js';

/** What a statement says in one of the forms below. */
interface Fact {
  /** "mayor", "own", "seat". */
  relation: string;
  value: readonly Token[];
  /**
   * Keys of names and stems of words of what is spoken of; the value and the words of the form
   * aside.
   */
  names: ReadonlySet<string>;
  words: ReadonlySet<string>;
}

const roleGroups = ['chief executive', 'prime minister', 'managing director', 'vice president'];
/** Verbs that say who fills a role, by the role. */
const verbs: Readonly<Record<string, string>> = {
  leads: 'lead',
  led: 'lead',
  heads: 'lead',
  headed: 'lead',
  runs: 'lead',
  run: 'lead',
  chairs: 'chair',
  chaired: 'chair',
  coaches: 'coach',
  coached: 'coach',
  trains: 'coach',
  trained: 'coach',
  captains: 'captain',
  captained: 'captain',
  manages: 'manager',
  managed: 'manager',
  edits: 'editor',
  edited: 'editor',
  owns: 'own',
  owned: 'own',
  hosts: 'host',
  hosted: 'host',
  presents: 'host',
  presented: 'host',
  directs: 'director',
  directed: 'director',
  governs: 'governor',
  governed: 'governor',
};
/** One name for a role and its verb. */
const roleOf: Readonly<Record<string, string>> = {
  chairman: 'chair',
  chairwoman: 'chair',
  chairperson: 'chair',
  trainer: 'coach',
  owner: 'own',
  presenter: 'host',
  leader: 'lead',
  head: 'lead',
  'chief executive': 'ceo',
  premier: 'prime minister',
  skipper: 'captain',
  headquarters: 'seat',
  capital: 'capital',
  venue: 'venue',
};
const verbPattern = Object.keys(verbs).join('|');
const name = '(?:the )?@(\\d+)';
const mid = "(?:(?!@)[\\p{L}’'-]+ ){0,4}";
const now = '(?:now |currently |also |still )?';
const forms: readonly {
  pattern: RegExp;
  relation?: string;
  value: number;
  role?: number;
  verb?: number;
}[] = [
  // H is / became / took office as / was sworn in as the ROLE ...
  {
    pattern: new RegExp(
      `${name},? (?:has |have |had )?(?:is|was|became|become|remains|stays|serves|acts|took|takes|been|was sworn|was re-elected|` +
        `was elected|was named|was appointed|was chosen|was confirmed|will be)(?: (?:office|over|up|in|been|named|elected|appointed|sworn))* ` +
        `${now}(?:as )?(?:(?:the|its|their|our|new) )*` +
        `((?:@\\d+(?:'s|’s)? )?)(?:new )?(${mid})%([^%]+)%`,
      'u',
    ),
    value: 1,
    role: 4,
  },
  // The ROLE of S is H
  {
    pattern: new RegExp(
      `%([^%]+)%(?: (?!%|is |was )[^ ,.;]+){0,8},? (?:is|was|are|remains|will be) ${now}${name}(?=[ ,.;]|$)`,
      'u',
    ),
    value: 2,
    role: 1,
  },
  // S has appointed H as its ROLE
  {
    pattern: new RegExp(
      `(?:appointed|named|hired|elected|chosen|picked|made|installed|confirmed|chose|appoints|names|elects|hires) ${name} (?:as |to be )?` +
        `(?:(?:the|its|their|his|her|our|new) )*${mid}%([^%]+)%`,
      'u',
    ),
    value: 1,
    role: 2,
  },
  // H leads S as its ROLE; H owns S; S is led by H
  {
    pattern: new RegExp(
      `${name} ${now}(?:leads|heads|serves|guides)(?: [^ %,.;]+){0,6} as (?:(?:the|its|their) )*${mid}%([^%]+)%`,
      'u',
    ),
    value: 1,
    role: 2,
  },
  { pattern: new RegExp(`${name} ${now}(?:has )?(${verbPattern}) (?!by)`, 'u'), value: 1, verb: 2 },
  {
    pattern: new RegExp(`(?:is|are|was|were|been) ${now}(${verbPattern}) by ${name}`, 'u'),
    value: 2,
    verb: 1,
  },
  // Owners
  { pattern: new RegExp(`belongs? to (?:the )?${name}`, 'u'), value: 1, relation: 'own' },
  {
    pattern: new RegExp(
      `${name} (?:has |have )?(?:bought|acquired|purchased|taken over|took over) (?!as|from)`,
      'u',
    ),
    value: 1,
    relation: 'own',
  },
  {
    pattern: new RegExp(`(?:was|been) (?:bought|acquired|purchased|taken over) by ${name}`, 'u'),
    value: 1,
    relation: 'own',
  },
  { pattern: new RegExp(`(?:was|been) sold to ${name}`, 'u'), value: 1, relation: 'own' },
  // Seats
  {
    pattern: new RegExp(`(?:is|are) ${now}(?:based|headquartered|seated) in ${name}`, 'u'),
    value: 1,
    relation: 'seat',
  },
  {
    pattern: new RegExp(
      `%seat%(?: (?!%)[^ ,.;]+){0,6} (?:is|are|lie|lies|sit|sits) ${now}in ${name}`,
      'u',
    ),
    value: 1,
    relation: 'seat',
  },
  {
    pattern: new RegExp(
      `(?:has|have|keeps|moved|moves|moving|relocated|shifted|transferred)(?: [^ %,.;]+)? %seat%(?: from @\\d+)? (?:in|to) ${name}`,
      'u',
    ),
    value: 1,
    relation: 'seat',
  },
  { pattern: new RegExp(`(?:lives|resides) in ${name}`, 'u'), value: 1, relation: 'home' },
  {
    pattern: new RegExp(`(?:has|have) moved (?:house |home )?(?:from @\\d+ )?to ${name}`, 'u'),
    value: 1,
    relation: 'home',
  },
];

/** Words of the forms themselves, which tell nothing of the subject. */
const formWords = new Set(
  (
    'take took taken office sworn name named appoint appointed elect elected re-elected ' +
    'choose chosen pick picked hire hired make made install ' +
    'installed confirm confirmed become became remain stay serve act replace replacing ' +
    'succeed succeeding belong buy bought acquire acquired ' +
    'purchase purchased sold sell move moved relocate shift transfer base based ' +
    'headquartered live lives reside resides team club company firm ' +
    'group board new current role post job position head house home'
  )
    .split(' ')
    .flatMap((word) => [stemmer(word), headOf(stemmer(word))]),
);

const facts = new WeakMap<Statement, readonly Fact[]>();

function factsOf(statement: Statement): readonly Fact[] {
  let found = facts.get(statement);
  if (!found)
    facts.set(
      statement,
      (found = statement.holding || seated.test(statement.text) ? readFacts(statement) : []),
    );
  return found;
}
const seated =
  /\b(?:lives|resides|moved|based|headquarter\w*|belongs|bought|acquired|purchased|sold|head office)\b/i;

function readFacts(statement: Statement): Fact[] {
  const { rendered, runs } = render(statement);
  const found: Fact[] = [];
  for (const form of forms) {
    const match = form.pattern.exec(rendered);
    if (!match) continue;
    // "a director of": one of several.
    if (
      form.role !== undefined &&
      new RegExp(`\\b(?:an?|one of the|another|former|ex) ${mid}%${match[form.role]}%`, 'u').test(
        rendered,
      )
    )
      continue;
    const value = runs[Number(match[form.value])]!;
    const relation =
      form.relation ?? (form.verb === undefined ? match[form.role!]! : verbs[match[form.verb]!]!);
    const replaced = /(?:replac\w+|succe\w+|ousting|following|from) @(\d+)/u.exec(rendered)?.[1];
    const aside = new Set([...value, ...(replaced === undefined ? [] : runs[Number(replaced)]!)]);
    const rest = statement.tokens.filter((token) => !aside.has(token));
    const words = rest.filter(
      ({ kind, key }) =>
        kind === 'word' && !formWords.has(key) && !isRole(key) && !(key in verbStems),
    );
    const names = rest.filter(({ kind, key }) => kind === 'name' && !isRole(stemOf(key)));
    found.push({
      relation,
      value,
      names: new Set(names.map(({ key }) => key)),
      words: new Set(words.map(({ key }) => headOf(key))),
    });
  }
  return found;
}

const isRole = (stem: string): boolean => namesRole(stem) || stem === 'trainer' || stem === 'chief';
const verbStems: Readonly<Record<string, true>> = Object.fromEntries(
  Object.keys(verbs).map((verb) => [stemmer(verb), true] as const),
);

/** The text with runs of names as "@0", roles as "%mayor%", the rest in lower case. */
function render({ text, tokens }: Statement): { rendered: string; runs: Token[][] } {
  const runs: Token[][] = [];
  let out = '';
  let end = 0;
  let last: Token | undefined;
  for (const token of tokens) {
    if (token.start < end) continue; // one of several names that an abbreviation stands for
    const written = text.slice(token.start, token.end);
    const between = text.slice(end, token.start);
    const joins = last !== undefined && nameLike(last, text) && /^[\s.-]{1,2}$/.test(between);
    if (nameLike(token, text)) {
      if (joins) runs.at(-1)!.push(token);
      else {
        runs.push([token]);
        out += `${between}@${runs.length - 1}`;
      }
    } else {
      const lower = written.toLowerCase();
      const roleWord =
        token.kind === 'word'
          ? isRole(token.key)
          : token.kind === 'name' && isRole(stemOf(token.key));
      const role = roleWord && !(lower in verbs) && !lower.endsWith('ed');
      out += between + (role ? `%${lower}%` : lower);
    }
    end = token.end;
    last = token;
  }
  out = `${out}${text.slice(end)}`.replace(/\s+/g, ' ').trim();
  out = out
    .replace(/\bhead office%?/g, '%seat%')
    .replace(/%([^%]+)% %([^%]+)%/g, (_, a: string, b: string) => `%${a} ${b}%`);
  return { rendered: out.replace(/%([^%]+)%/g, (_, role: string) => `%${canonical(role)}%`), runs };
}

const canonical = (role: string): string => {
  const group = roleGroups.find((each) => role.startsWith(each)) ?? role.split(' ').at(-1)!;
  return roleOf[group] ?? group;
};

/** A name, or the first word of the text with a capital that is no word of a role. */
function nameLike({ kind, key, start, end }: Token, text: string): boolean {
  if (kind === 'name') return !isRole(stemOf(key)) && !/^(?:chief|prime)$/.test(key);
  return (
    kind === 'word' && start <= 1 && /^\p{Lu}\p{Ll}/u.test(text.slice(start, end)) && !isRole(key)
  );
}

/**
 * The values of two statements that give one relation of one subject and differ in its value;
 * undefined where they do not.
 */
export function compareRelations(
  older: Statement,
  newer: Statement,
  { asked }: Pick<Surroundings, 'asked'>,
): { older: string; newer: string } | undefined {
  for (const one of factsOf(older)) {
    for (const other of factsOf(newer)) {
      if (one.relation !== other.relation || !sameSubject(one, other, older, newer)) continue;
      if (sameName(one.value, other.value)) continue;
      if (
        endingsDiffer(older, newer) ||
        [...one.value, ...other.value].some(({ key }) => asked.names.has(key))
      )
        return undefined;
      return { older: said(older, one.value), newer: said(newer, other.value) };
    }
  }
  return undefined;
}

const said = ({ text }: Statement, value: readonly Token[]): string =>
  text.slice(value[0]!.start, value.at(-1)!.end);

const standIn =
  /\b(?:deputy|vice|assistant|acting|interim|honorary|shadow)\b|-(?:elect|designate)\b/i;
const standIns = new WeakMap<Statement, boolean>();
/** Whether a statement tells of a deputy, who fills another office. */
export function tellsOfStandIn(statement: Statement): boolean {
  let found = standIns.get(statement);
  if (found === undefined) standIns.set(statement, (found = standIn.test(statement.text)));
  return found;
}
export const officesDiffer = (older: Statement, newer: Statement): boolean =>
  older.holding && newer.holding && tellsOfStandIn(older) !== tellsOfStandIn(newer);

function sameSubject(one: Fact, other: Fact, older: Statement, newer: Statement): boolean {
  const titled = (key: string): boolean => older.titled.has(key) && newer.titled.has(key);
  const within = (
    a: ReadonlySet<string>,
    b: ReadonlySet<string>,
    stems: ReadonlySet<string>,
  ): boolean => [...a].every((key) => b.has(key) || stems.has(stemOf(key)) || titled(key));
  if (!within(one.names, other.names, other.words) || !within(other.names, one.names, one.words))
    return false;
  if (
    one.names.size === 0 &&
    older.titled.size === 0 &&
    ![...one.words].some((word) => other.words.has(word))
  )
    return false;
  return within(one.words, other.words, other.names) || within(other.words, one.words, one.names);
}

/** One name in full and shortened: "E. M. Blum", "Eva Blum"; "Brandt", "Brandt Media". */
function sameName(a: readonly Token[], b: readonly Token[]): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  const [one, other] = [few.map(({ key }) => key), many.map(({ key }) => key)];
  if (one.every((key) => other.includes(key))) return true;
  if (one.at(-1) !== other.at(-1)) return false;
  const initial = (a: string, b: string): boolean =>
    (a.length === 1 || b.length === 1) && a[0] === b[0];
  return one
    .slice(0, -1)
    .every((key, at) =>
      other.slice(0, -1).some((full, place) => full === key || (place >= at && initial(key, full))),
    );
}
