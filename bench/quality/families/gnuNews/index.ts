// A family of release notes: the entries of NEWS files of GNU programs exactly as written, by
// program, release and section.
import { FamilyBuilder } from '../familyBuilder.js';
import { graded } from '../questions.js';
import type { Family, FamilyDefinition, Random } from '../family.js';
import { askCommands, askOptions } from './commands.js';
import { dates, entriesOf, ids, programs, published, subjectsOf, type Item } from './data.js';
import { ownQuestions, unansweredQuestions } from './own.js';
import { askReleases } from './releases.js';

export const gnuNews: FamilyDefinition = {
  name: 'gnuNews',
  description: 'release notes of GNU programs as written',
  sources: programs.map((name) => ({
    registry: 'Debian',
    package: name,
    license: /^(tar|nano|make)$/.test(name)
      ? 'GPL-3.0-or-later'
      : 'GFDL-1.3-no-invariants-or-later',
  })),
  build(folders: string[], random: Random): Family {
    const family = new FamilyBuilder('g', random);
    const items: Item[] = [];
    const releases: Item[] = [];
    programs.forEach((program, index) => {
      let heading = '';
      for (const entry of entriesOf(folders[index]!, program)) {
        const { section, date, text } = entry;
        const bare = published.has(program) && date;
        const time = bare ? { published_at: date } : {};
        if (bare && heading !== entry.heading) {
          const id = family.say(entry.heading, {
            title: `GNU ${program} NEWS`,
            ...time,
            entities: [program],
          });
          releases.push({ ...entry, id, subjects: [] });
        }
        heading = entry.heading;
        const title = `GNU ${program} NEWS${bare ? '' : `, ${heading}`}${section && `: ${section}`}`;
        const subjects = subjectsOf(entry);
        const id = family.say(text, { title, ...time, entities: [program, ...subjects] });
        items.push({ ...entry, id, subjects });
      }
    });
    for (const [operator, question, entity, program, start, answers] of ownQuestions) {
      const hits = items.filter((item) => item.program === program && item.text.startsWith(start));
      if (hits.length === 0) throw new Error(`no entry of ${program} starts with ${start}`);
      family.ask(operator, [question], {
        entity,
        answers: answers ?? dates(hits),
        relevant: graded(2, ids(hits)),
      });
    }
    askReleases(family, releases, random);
    askCommands(family, items, random);
    askOptions(family, items, random);
    for (const [operator, question, entity, asked] of unansweredQuestions)
      family.ask(operator, [question], {
        entity,
        answers: [],
        relevant: {},
        ...(asked ? { asked_at: asked } : {}),
      });
    return family;
  },
};
