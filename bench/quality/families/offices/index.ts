// A family on holders of offices: presidents, sovereigns, popes, Debian Project Leaders, release
// managers of Perl, with their terms, predecessors and successors.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { spell } from '../dates.js';
import { FamilyBuilder } from '../familyBuilder.js';
import { graded } from '../questions.js';
import type { Family, FamilyDefinition, Random } from '../family.js';
import { askTerms, beginning, holding, inside, year } from './ask.js';
import {
  eventsOf,
  leadersOf,
  peopleOf,
  presidency,
  presidentsOf,
  releasesOf,
  tellReleases,
  tellTerms,
  type Term,
} from './data.js';
import { askReleases } from './releases.js';

interface Event {
  id: string;
  date: string;
  text: string;
}

function askEvents(family: FamilyBuilder, events: Event[], terms: Term[], random: Random): void {
  const fit = events.filter(({ text, date }) => text.length < 75 && date > '1800');
  for (const { id, date, text } of random.sample(fit, 8)) {
    const holder = terms.find((one) => one.office === presidency && inside(year(date), one));
    if (!holder) continue;
    family.ask(
      'as_of',
      [
        `Who was ${presidency} when this happened: ${text}?`,
        `${presidency} at the time of "${text}"`,
        `"${text}": under which ${presidency} was that?`,
      ],
      {
        entity: holder.holder,
        answers: [holder.holder],
        relevant: { ...holding(holder, date), [id]: 1 },
      },
    );
  }
}

const unanswered: [Parameters<FamilyBuilder['ask']>[0], string, string, string?][] = [
  ['as_of', 'Who was doge of Venice in 1612?', 'doge of Venice'],
  ['as_of', 'Debian Project Leader as of 3 May 1989', 'Debian Project Leader'],
  [
    'as_of',
    'By the end of 1771, who was president of the United States?',
    'president of the United States',
  ],
  ['as_of', 'Which shogun ruled in 1701?', 'shogun'],
  ['current', 'Who is the current regent of Hungary?', 'regent of Hungary', '1938-03-04'],
  ['current', 'Who chairs the FreeBSD core team now?', 'FreeBSD core team', '2006-10-02'],
  [
    'when',
    'When did Benjamin Franklin become president of the United States?',
    'Benjamin Franklin',
  ],
  ['when', 'When was Perl 5.99.3 released?', 'Perl 5.99.3'],
  [
    'when',
    'In which year did Richard Stallman take over as Debian Project Leader?',
    'Richard Stallman',
  ],
  ['when', 'end of the term of Robert I as Debian Project Leader', 'Robert I'],
  ['first', 'Who was the first governor of Alaska?', 'governor of Alaska'],
  ['first', 'Which Perl release was the first of the 5.77 series?', 'Perl 5.77'],
  ['in', 'Who became maharaja of Mysore in 1894?', 'maharaja of Mysore'],
  ['in', 'Which Perl release did Ian Murdock make in March 2006?', 'Ian Murdock'],
  ['first_after', 'Who succeeded Bruce Perens as pope?', 'Bruce Perens'],
  ['first_after', 'Who came after Haakon VII as king of Norway?', 'Haakon VII'],
  [
    'last_before',
    'Who was president of the United States before George Washington?',
    'George Washington',
  ],
  ['last_before', 'predecessor of Ian Murdock as Debian Project Leader', 'Ian Murdock'],
  ['latest', 'Who was elected mayor of Chicago most recently?', 'mayor of Chicago', '1999-01-05'],
  [
    'between',
    'Who held the office of vice president of Debian between 2001 and 2006?',
    'vice president of Debian',
  ],
  ['since', 'Which new directors has the Louvre had since 1990?', 'Louvre'],
  [
    'before_date',
    'Who was Debian Project Leader twelve years before 1999?',
    'Debian Project Leader',
  ],
  ['undated', 'How high is the salary of the Debian Project Leader?', 'Debian Project Leader'],
];

export const offices: FamilyDefinition = {
  name: 'offices',
  description: 'holders of offices with their terms, and releases with their makers',
  sources: [
    { registry: 'npm', package: 'presidents', version: '1.1.1', license: 'MIT' },
    { registry: 'Debian', package: 'wordnet-base', license: 'WordNet-3.0' },
    { registry: 'Debian', package: 'perl-doc', license: 'Artistic-1.0-Perl OR GPL-1.0-or-later' },
    { registry: 'Debian', package: 'debian-history', license: 'GPL-2.0-or-later' },
    { registry: 'Debian', package: 'calendar', license: 'BSD-2-Clause' },
  ],
  build(folders: string[], random: Random): Family {
    const [presidents, wordnet, perl, debian, calendar] = folders as [
      string,
      string,
      string,
      string,
      string,
    ];
    const family = new FamilyBuilder('o', random);
    const { terms: heads, parties } = presidentsOf(presidents);
    const { terms: rulers, others } = peopleOf(wordnet);
    const history = join(debian, 'usr/share/doc/debian-history/docs/project-history.en.txt.gz');
    const prose = gunzipSync(readFileSync(history)).toString();
    const terms = [...heads, ...rulers.map(([each]) => each), ...leadersOf(prose)];
    for (const [each, gloss] of rulers)
      each.spans.push(family.say(`${each.holder}: ${gloss}`, { entities: [each.holder] }));
    tellTerms(family, terms, random);
    for (const [each, party] of parties) {
      const id = family.say(`${each.holder}, party: ${party}.`, { entities: [each.holder] });
      const first = heads.find((other) => parties.get(other) === party);
      if (first === each && !/None|Unaff/.test(party))
        family.ask(
          'first',
          [
            `Who was the first ${presidency} of the ${party} party?`,
            `earliest ${party} ${presidency}`,
            `Which ${presidency} was the first to come from the ${party} party?`,
          ],
          {
            entity: each.holder,
            answers: [each.holder],
            relevant: { ...graded(1, Object.keys(beginning(each))), [id]: 2 },
          },
        );
    }
    for (const [name, gloss] of random.sample(others, 350))
      family.say(`${name}: ${gloss}`, { entities: [name] });
    const paragraphs = prose.split(/\n\s*\n/).map((text) => text.replace(/\s+/g, ' ').trim());
    for (const text of paragraphs.filter((each) => /[.]$/.test(each) && each.length > 120))
      if (!/leader|appointed| led /i.test(text)) family.say(text, { entities: ['Debian'] });
    const releases = releasesOf(perl);
    tellReleases(family, releases);
    const office =
      /king|queen|pope|president|emperor|czar|tsar|crown|throne|succe|sworn|inaug|elect|resign|abdic|minister|assass/i;
    const surnames = heads.map(({ holder }) => holder.split(' ').at(-1)!);
    const neutral = eventsOf(calendar).filter(
      ({ text }) => !office.test(text) && !surnames.some((name) => text.includes(name)),
    );
    const events = neutral.map(({ date, text }, index) => {
      const made = [
        `${spell(date, index)}: ${text}.`,
        `${text} (${date}).`,
        `This day in ${date.slice(0, 4)}: ${text}.`,
      ];
      return { date, text, id: family.say(random.pick(made)) };
    });
    askTerms(family, terms, random);
    askEvents(family, events, heads, random);
    askReleases(family, releases, random);
    for (const [operator, question, entity, asked] of unanswered)
      family.ask(operator, [question], {
        entity,
        answers: [],
        relevant: {},
        ...(asked ? { asked_at: asked } : {}),
      });
    return family;
  },
};
