// Terms in office and releases of Perl from the packages of the family `offices`, and the passages
// that state them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capital, spell } from '../dates.js';
import type { FamilyBuilder } from '../familyBuilder.js';
import type { Random } from '../family.js';

export interface Term {
  /** Names the office for all its holders. */
  office: string;
  /** The form of this holder ("queen of England"). */
  title: string;
  holder: string;
  from: string;
  until: string | undefined;
  starts: string[];
  spans: string[];
  ends: string[];
  /** Directories that name the holder; `dated` ones state the start of the term. */
  notices: { id: string; published: string; dated: boolean }[];
}
export interface Release {
  version: string;
  series: string;
  by: string;
  date: string;
  id: string;
}

const term = (
  office: string,
  title: string,
  holder: string,
  from: string,
  until?: string,
): Term => ({ office, title, holder, from, until, starts: [], spans: [], ends: [], notices: [] });

export const presidency = 'president of the United States';
export const leadership = 'Debian Project Leader';
const fullNames: Record<string, string> = {
  Larry: 'Larry Wall',
  Andy: 'Andy Dougherty',
  Chip: 'Chip Salzenberg',
  Tim: 'Tim Bunce',
  Malcolm: 'Malcolm Beattie',
  Sarathy: 'Gurusamy Sarathy',
  Graham: 'Graham Barr',
  Jarkko: 'Jarkko Hietaniemi',
  Hugo: 'Hugo van der Sanden',
  Rafael: 'Rafael Garcia-Suarez',
  Nicholas: 'Nicholas Clark',
  Leon: 'Leon Brocard',
  'David M': 'Dave Mitchell',
  Eric: 'Eric Herman',
  Jesse: 'Jesse Vincent',
  'Jesse L': 'Jesse Luehrs',
  Ricardo: 'Ricardo Signes',
  Steve: 'Steve Hay',
  Matt: 'Matt S Trout',
  'David G': 'David Golden',
  Florian: 'Florian Ragwitz',
  Tom: 'Tom Christiansen',
  Miyagawa: 'Tatsuhiko Miyagawa',
  BinGOs: 'Chris Williams',
  Stevan: 'Stevan Little',
  Charles: 'Charles Bailey',
  'Dave R': 'Dave Rolsky',
  'Max M': 'Max Maischein',
  TonyC: 'Tony Cook',
  Dominic: 'Dominic Hargreaves',
  Aaron: 'Aaron Crane',
  Aristotle: 'Aristotle Pagaltzis',
  'Matthew H': 'Matthew Horsfall',
  Peter: 'Peter Martini',
  Chad: 'Chad Granum',
  Renee: 'Renee Bäcker',
  John: 'John SJ Anderson',
  Ether: 'Karen Etheridge',
  'Zak Elep': 'Zak B. Elep',
  'Tom H': 'Tom Hukins',
  'Richard L': 'Richard Leach',
};

export function presidentsOf(folder: string): { terms: Term[]; parties: Map<Term, string> } {
  const source = readFileSync(join(folder, 'package/index.js'), 'utf8');
  const records = source.split(/order:/).slice(1);
  const parties = new Map<Term, string>();
  const field = (record: string, name: string): string =>
    new RegExp(`${name}: "?([^",\\n]+)`).exec(record)?.[1]?.trim() ?? '';
  const terms = records.map((record) => {
    const [from, until] = [field(record, 'startYear'), field(record, 'endYear')];
    const each = term(presidency, presidency, field(record, 'name'), from, until || undefined);
    parties.set(each, field(record, 'party'));
    return each;
  });
  return { terms, parties };
}

/** People of WordNet: those whose gloss states one spell in office, and the others. */
export function peopleOf(folder: string): { terms: [Term, string][]; others: [string, string][] } {
  const terms: [Term, string][] = [];
  const others: [string, string][] = [];
  const pattern = new RegExp(
    String.raw`\b(king|queen|czar|emperor|pope|president|prime minister|kaiser)` +
      String.raw`( of (?:the )?[A-Z][\w ]*?)?(?: and (?:[A-Z]|emperor)[\w ]*?)?` +
      String.raw` from (\d{3,4}) (?:to|until) (\d{3,4})`,
    'i',
  );
  for (const line of readFileSync(join(folder, 'usr/share/wordnet/data.noun'), 'utf8').split(
    '\n',
  )) {
    const [head = '', gloss = ''] = line.split(' | ');
    const fields = head.split(' ');
    if (fields[2] !== 'n' || fields[1] !== '18' || !head.includes('@i')) continue;
    const count = parseInt(fields[3]!, 16);
    const names = Array.from({ length: count }, (_, i) => fields[4 + 2 * i]!.replace(/_/g, ' '));
    const name = names.find((each) => / [IVX]+$/.test(each)) ?? names[1] ?? names[0]!;
    const found = pattern.exec(gloss);
    const rank = found?.[1]!.toLowerCase();
    const place = found?.[2] ?? '';
    const realm = place.replace('Great Britain', 'England');
    if (
      found &&
      (place || rank === 'pope') &&
      !/ and from|regained|president of the Cong/.test(gloss)
    ) {
      const crown = rank === 'king' || rank === 'queen' ? 'king or queen' : rank;
      terms.push([
        term(`${crown}${realm}`, `${rank}${place}`, name, found[3]!, found[4]),
        gloss.trim(),
      ]);
    } else if (
      !/king|queen|pope|emperor|president of the united|from \d|reign|rule[rd]/i.test(gloss) &&
      names.length > 1
    )
      others.push([names[1]!, gloss.trim()]);
  }
  return { terms, others };
}

export function leadersOf(text: string): Term[] {
  const iso = (date: string): string => new Date(`${date} 1 UTC`).toISOString().slice(0, 7);
  const flat = text
    .replace(/\s+/g, ' ')
    .replace('founded Debian in August 1993 and led it until', 'led Debian from August 1993 until');
  const terms = [
    ...flat.matchAll(/([A-Z]\w+ [A-Z]\w+) led Debian from (\w+ \d+) until (\w+ \d+)/g),
  ].map((match) => term(leadership, leadership, match[1]!, iso(match[2]!), iso(match[3]!)));
  return [...terms, term(leadership, leadership, 'Jonathan Carter', '2020-04')];
}

export function releasesOf(folder: string): Release[] {
  const perl = join(folder, 'usr/share/perl');
  const version = readdirSync(perl).find((each) => /^\d+\.\d+\.\d+$/.test(each))!;
  const text = readFileSync(join(perl, version, 'pod/perlhist.pod'), 'utf8');
  const releases: Release[] = [];
  let keeper = '';
  for (const line of text.split('=head2 SELECTED')[0]!.split('\n')) {
    const found = /^ (\S[\S ]*?)?\s+(\d\.\d[\w.-]*)\s+(\d{4})-([A-Z][a-z]{2})-(\d\d)\b/.exec(line);
    if (!found) continue;
    keeper = found[1] ?? keeper;
    const [version, year, month, day] = found.slice(2) as [string, string, string, string];
    const number = 'JanFebMarAprMayJunJulAugSepOctNovDec'.indexOf(month) / 3 + 1;
    const series = /^5\.\d+(?=\.)/.exec(version)?.[0] ?? '';
    const date = `${year}-${String(number).padStart(2, '0')}-${day}`;
    releases.push({ version, series, by: fullNames[keeper] ?? keeper, date, id: '' });
  }
  return releases;
}

export function eventsOf(folder: string): { date: string; text: string }[] {
  const text = readFileSync(join(folder, 'usr/share/calendar/calendar.history'), 'utf8');
  return text
    .replace(/\n\t/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const found = /^(\d\d)\/(\d\d)\t(.*), (\d{4})$/.exec(line.replace(/ +/g, ' '));
      return found ? [{ date: `${found[4]}-${found[1]}-${found[2]}`, text: found[3]! }] : [];
    });
}

export const nextOf = (terms: Term[], each: Term): Term | undefined =>
  terms.find(
    (other) => other !== each && other.office === each.office && other.from === each.until,
  );

interface Teller {
  family: FamilyBuilder;
  terms: Term[];
  random: Random;
  /** Returns one of the texts, in turn. */
  pick: (texts: string[]) => string;
}

function tellTerm({ family, terms, random, pick }: Teller, each: Term): void {
  const { holder, title, from, until } = each;
  const next = nextOf(terms, each);
  const before = terms.find((other) => nextOf(terms, other) === each);

  const [start, end] = [spell(from), until && spell(until)];
  const say = (texts: string[], name = holder): string =>
    family.say(pick(texts), { entities: [...new Set([holder, name])] });
  if (before) {
    const id = say(
      [
        `In ${start} ${holder} succeeded ${before.holder} as ${title}.`,
        `${before.holder} was replaced by ${holder} as ${title} in ${start}.`,
        `The year ${from.slice(0, 4)} brought a change: ${before.holder} went, and ${holder} followed as ${title}${from.length > 4 ? ` in ${start}` : ''}.`,
        `${capital(title)}: handover from ${before.holder} to ${holder}, ${start}.`,
      ],
      before.holder,
    );
    each.starts.push(id);
    before.ends.push(id);
  }
  if (!before || random.next() < 0.4)
    each.starts.push(
      say([
        `${holder} became ${title} in ${start}.`,
        `In ${start} the office of ${title} passed to ${holder}. Much was expected of the newcomer.`,
        `${start}: ${holder} takes over as ${title}.`,
        `It was in ${start} that ${holder} first acted as ${title}.`,
        `The new ${title}, ${holder}, took up the duties in ${start}.`,
      ]),
    );
  if (until && (!next || random.next() < 0.3))
    each.ends.push(
      say([
        `${holder} ceased to be ${title} in ${end}.`,
        `The time of ${holder} as ${title} ended in ${end}.`,
        `In ${end}, ${holder} was ${title} no more.`,
        `Last year of ${holder} as ${title}: ${until.slice(0, 4)}${until.length > 4 ? ` (${end})` : ''}.`,
      ]),
    );
  if (until && (each.spans.length === 0 || random.next() < 0.3))
    each.spans.push(
      say([
        `${holder} was ${title} from ${start} to ${end}.`,
        `From ${start} until ${end}, ${title} was ${holder}.`,
        `${holder} (${title} ${from}–${until}) is treated in a chapter of its own. The chapter draws on letters and diaries.`,
        `The ${title} between ${start} and ${end} was ${holder}; historians differ about the merits.`,
        `${capital(title)}, ${start} to ${end}: ${holder}.`,
        `Holding office as ${title} from ${start}, ${holder} remained until ${end}.`,
      ]),
    );

  tellNotices({ family, random, pick }, each, start);
}

function tellNotices(
  { family, random, pick }: Omit<Teller, 'terms'>,
  each: Term,
  start: string,
): void {
  const { holder, title, from, until } = each;
  const entities = [holder];
  const last = until ?? '2021-03';
  const years = Number(last.slice(0, 4)) - Number(from.slice(0, 4));
  for (let count = 0; count < (title === presidency || title === leadership ? 2 : 0); count++) {
    if (years < 2) continue;
    const published = `${Number(from.slice(0, 4)) + 1 + random.below(years - 1)}-0${1 + random.below(9)}-1${random.below(9)}`;
    const id = family.say(
      pick([
        `The ${title} is ${holder}, in office since ${start}. Letters should be addressed to the secretary.`,
        `Current holder of the post of ${title}: ${holder} (since ${start}).`,
        `${holder}, now ${title}, came into office in ${start}.`,
        `Who is who this year: ${holder} serves as ${title}.`,
      ]),
      {
        title: `Directory of offices, ${published.slice(0, 4)}`,
        published_at: published,
        entities,
      },
    );
    each.notices.push({
      id,
      published,
      dated: !family.passages.at(-1)!.text.includes('this year'),
    });
  }
}

export function tellTerms(family: FamilyBuilder, terms: Term[], random: Random): void {
  let turn = 0;
  const pick = (texts: string[]): string => texts[turn++ % texts.length]!;
  for (const each of terms) tellTerm({ family, terms, random, pick }, each);
}

export function tellReleases(family: FamilyBuilder, releases: Release[]): void {
  releases.forEach((each, index) => {
    const { version, by, date } = each;
    const day = spell(date, index >> 3);
    const dated = { published_at: date, title: `[ANNOUNCE] perl ${version}` };
    const shapes: [string, object?][] = [
      [`Perl ${version} was released on ${day} by ${by}.`],
      [`${by} cut perl-${version} on ${day}.`],
      [`perl ${version} is now available. Thanks to all who reported bugs. ${by}`, dated],
      [`On ${day}, ${by} uploaded Perl ${version} to CPAN. Mirrors followed within hours.`],
      [`${day}  perl-${version}  pumpking: ${by}`],
      [`The release manager of Perl ${version}, dated ${day}, was ${by}.`],
      [
        `Today I, ${by}, put perl ${version} on the servers. Please test it with your modules.`,
        dated,
      ],
      [`Released by ${by}: version ${version} of Perl (${day}).`],
    ];
    const [text, more] = shapes[index % shapes.length]!;
    each.id = family.say(text, { ...more, entities: [`Perl ${version}`, by] });
  });
}
