// Questions on terms in office: holders on a day, successors, predecessors, dates.
import { spell } from '../dates.js';
import type { FamilyBuilder } from '../familyBuilder.js';
import { graded, type Grades } from '../questions.js';
import type { Random } from '../family.js';
import { leadership, nextOf, presidency, type Term } from './data.js';

/** Grades for the holder at `when` (a year or a day); a directory states that of its own time. */
export function holding(each: Term, when = ''): Grades {
  const certain = ({ published, dated }: Term['notices'][number]): boolean =>
    published.slice(0, 4) === when.slice(0, 4) || (dated && published >= when);
  return {
    ...graded(1, [...each.ends, ...each.notices.map(({ id }) => id)]),
    ...graded(2, [...each.starts, ...each.spans]),
    ...graded(
      2,
      each.notices.filter(certain).map(({ id }) => id),
    ),
  };
}
export const beginning = (each: Term): Grades =>
  graded(2, [
    ...each.starts,
    ...each.spans,
    ...each.notices.filter(({ dated }) => dated).map(({ id }) => id),
  ]);
export const year = (date: string): number => Number(date.slice(0, 4));
export const inside = (when: number, { from, until }: Term): boolean =>
  when > year(from) && when < year(until ?? '2021');
/** Grade 2 for passages that name both holders, grade 1 for the others. */
function succession(family: FamilyBuilder, [first, next]: [Term, Term], ids: string[]): Grades {
  const tells = (id: string): boolean => {
    const { text } = family.passages.find((passage) => passage.id === id)!;
    return text.includes(first.holder) && text.includes(next.holder);
  };
  return { ...graded(1, ids), ...graded(2, ids.filter(tells)) };
}
const all = (terms: Term[]): Grades => Object.assign({}, ...terms.map(beginning)) as Grades;

const offices = [presidency, leadership];
type Scene = ReturnType<typeof sceneOf>;

function sceneOf(family: FamilyBuilder, terms: Term[], random: Random) {
  const of = (office: string): Term[] => terms.filter((each) => each.office === office);
  const long = terms.filter(({ from, until }) => year(until ?? '2021') - year(from) > 1);
  const modern = long.filter(({ office }) => offices.includes(office));
  const once = ({ holder }: Term): boolean =>
    terms.filter((one) => one.holder === holder).length === 1;
  return { ask: family.ask.bind(family), family, terms, of, long, modern, once, random };
}

function askHolders({ ask, of, long, modern, random }: Scene): void {
  for (const each of [...random.sample(long, 8), ...random.sample(modern, 5)]) {
    const { office, holder, from, until } = each;
    const when = year(from) + 1 + random.below(year(until ?? '2021') - year(from) - 1);
    const day = `${when}-0${1 + random.below(9)}-1${random.below(10)}`;
    if (of(office).filter((other) => inside(when, other)).length > 1) continue;
    ask(
      'as_of',
      [
        `Who was ${office} on ${spell(day)}?`,
        `${office} as of ${spell(day, 1)}`,
        `In ${when}, who held the office of ${office}?`,
        `I need the name of the ${office} at the end of ${when}, please.`,
        `By mid ${when} the post of ${office} was in whose hands?`,
        `who was serving as ${office} back in ${when}`,
        `At ${day}: holder of the office "${office}"?`,
      ],
      { entity: holder, answers: [holder], relevant: holding(each, day) },
    );
    const same = of(office).filter((other) => other.holder === holder);
    if (random.next() < 0.6)
      ask(
        'undated',
        [
          `What do we have on ${holder} as ${office}?`,
          `${holder} ${office}`,
          `When and how long was ${holder} ${office}?`,
          `tell me about the time of ${holder} as ${office}`,
        ],
        {
          entity: holder,
          answers: [holder],
          relevant: Object.assign({}, ...same.map((other) => holding(other))) as Grades,
        },
      );
  }
}

function askCurrent({ ask, of, modern, random }: Scene): void {
  for (const each of random.sample(modern, 14)) {
    const { office, holder, from, until } = each;
    const when = year(from) + 1 + random.below(year(until ?? '2021') - year(from) - 1);
    const asked = `${when}-1${random.below(3)}-0${1 + random.below(9)}`;
    const evidence = each.notices.filter(({ published }) => published <= asked).map(({ id }) => id);
    const relevant = graded(2, [...each.starts, ...each.spans, ...evidence]);
    const older = of(office).filter((other) => other.from < from && other.holder !== holder);
    const outdated = older.flatMap(({ starts, spans, notices }) => [
      ...starts,
      ...spans,
      ...notices.map(({ id }) => id),
    ]);
    ask(
      random.next() < 0.65 ? 'current' : 'latest',
      [
        `Who is the current ${office}?`,
        `who is ${office} now`,
        `Name of today's ${office}, please.`,
        `To whom does the post of ${office} belong at present?`,
        `Who is the most recent ${office}?`,
        `latest ${office}`,
        `Who presently serves as ${office}?`,
        `Which person took over as ${office} last?`,
        `the ${office}: who is it these days?`,
      ],
      {
        entity: holder,
        answers: [holder],
        relevant,
        asked_at: asked,
        outdated: outdated.filter((id) => !(id in relevant)),
      },
    );
  }
}

function askSuccession({ ask, family, terms, once, random }: Scene): void {
  const pairs = terms.flatMap((each): [Term, Term][] => {
    const next = nextOf(terms, each);
    return next && once(each) && once(next) ? [[each, next]] : [];
  });
  for (const pair of random.sample(pairs, 9)) {
    const [each, next] = pair;
    const { office, holder } = each;
    ask(
      'first_after',
      [
        `Who succeeded ${holder} as ${office}?`,
        `Next ${office} after ${holder}`,
        `After the time of ${holder}, who became ${office}?`,
        `By whom was ${holder} replaced as ${office}?`,
        `First ${office} to take over once ${holder} had gone?`,
        `successor of ${holder} (${office})`,
      ],
      {
        entity: holder,
        answers: [next.holder],
        relevant: succession(family, pair, [...next.starts, ...next.spans]),
      },
    );
    ask(
      'last_before',
      [
        `Who was ${next.office} before ${next.holder}?`,
        `predecessor of ${next.holder} as ${office}`,
        `Who was the last ${office} prior to ${next.holder}?`,
        `From whom did ${next.holder} take over the office of ${office}?`,
        `Whom did ${next.holder} follow as ${office}?`,
        `Just before ${next.holder}, the ${office} was who?`,
      ],
      {
        entity: next.holder,
        answers: [holder],
        relevant: succession(family, pair, [...each.ends, ...each.spans]),
      },
    );
  }
}

function askDates({ ask, terms, once, random }: Scene): void {
  for (const each of random.sample(terms.filter(once), 6)) {
    const { office, title, holder, from, until } = each;
    ask(
      'when',
      [
        `When did ${holder} become ${title}?`,
        `date ${holder} took office as ${title}`,
        `In which year did ${holder} start as ${title}?`,
        `Since when was ${holder} ${title}?`,
      ],
      { entity: holder, answers: [spell(from), from], relevant: beginning(each) },
    );
    if (until)
      ask(
        'when',
        [
          `When did ${holder} stop being ${office}?`,
          `end of the term of ${holder} as ${title}`,
          `Until when did ${holder} remain ${title}?`,
          `How long, that is up to what date, was ${holder} ${title}?`,
          `What year saw ${holder} leave the office of ${title}?`,
        ],
        {
          entity: holder,
          answers: [spell(until), until],
          relevant: graded(2, [...each.ends, ...each.spans]),
        },
      );
  }
}

function askEntries({ ask, of, random }: Scene, office: string): void {
  const entity = office;
  const names = (list: Term[]): string[] => list.map(({ holder }) => holder);
  for (const each of random.sample(of(office), offices.includes(office) ? 3 : 1)) {
    const start = year(each.from);
    const starting = of(office).filter(({ from }) => year(from) === start);
    ask(
      'in',
      [
        `Who became ${office} in ${start}?`,
        `new ${office} ${start}`,
        `Which person or persons took office as ${office} during ${start}?`,
        `In the year ${start}, who was made ${office}?`,
        `${start}: a new ${office} begins. Who?`,
        `Whose time as ${office} began in ${start}?`,
      ],
      { entity, answers: names(starting), relevant: all(starting) },
    );
    const span = offices.includes(office) ? 3 + random.below(8) : 40;
    const from = Math.min(start, 2020 - span) - 1;
    const later = of(office).filter(
      (one) => year(one.from) >= from && year(one.from) <= from + span,
    );
    ask(
      'between',
      [
        `Who became ${office} between ${from} and ${from + span}?`,
        `${office} ${from}-${from + span}: everyone who newly came in`,
        `List whoever took over as ${office} from ${from} to ${from + span}.`,
        `Changes of ${office} in the years ${from} through ${from + span}?`,
        `During the period ${from} to ${from + span}, which people started as ${office}?`,
        `I am looking for those who first held the office of ${office} between January ${from} and December ${from + span}.`,
      ],
      { entity, answers: names(later), relevant: all(later) },
    );
  }
}

function askBack({ ask, of, random }: Scene, office: string): void {
  const entity = office;
  for (const early of random.sample(
    of(office).filter(({ until }) => until),
    3,
  )) {
    const back = 2 + random.below(9);
    const middle = Math.floor((year(early.from) + year(early.until!)) / 2);
    if (inside(middle, early) && of(office).filter((one) => inside(middle, one)).length === 1)
      ask(
        'before_date',
        [
          `${back} years before ${middle + back}, who was ${office}?`,
          `Who was ${office} ${back} years prior to ${spell(`${middle + back}-06-15`)}?`,
          `holder of the office of ${office} ${back} years earlier than ${middle + back}`,
          `Going back ${back} years from ${middle + back}: name of the ${office}?`,
          `I want the ${office} of ${back} years before the year ${middle + back}.`,
          `In ${middle + back} people recalled things as they were ${back} years before. Who was ${office} then?`,
        ],
        { entity, answers: [early.holder], relevant: holding(early, `${middle}`) },
      );
  }
}

function askSince({ ask, of, random }: Scene): void {
  for (const office of [...offices, ...offices]) {
    const list = of(office).slice(0, -1);
    const start = year(random.pick(list.slice(-5)).from);
    const later = of(office).filter(({ from }) => year(from) >= start);
    ask(
      'since',
      [
        `Who has become ${office} since ${start}?`,
        `every new ${office} since ${start}`,
        `Since the beginning of ${start}, which people have taken over as ${office}?`,
        `From ${start} onwards, who came in as ${office}?`,
        `Name all who have entered the office of ${office} since January ${start}.`,
        `who took over as ${office} from ${start} on`,
      ],
      { entity: office, answers: later.map(({ holder }) => holder), relevant: all(later) },
    );
  }
}

export function askTerms(family: FamilyBuilder, terms: Term[], random: Random): void {
  const scene = sceneOf(family, terms, random);
  const { ask, of } = scene;
  askHolders(scene);
  askCurrent(scene);
  askSuccession(scene);
  askDates(scene);
  for (const office of [
    ...offices,
    'pope',
    'king or queen of England',
    'king or queen of France',
  ]) {
    askEntries(scene, office);
    askBack(scene, office);
  }
  for (const office of offices) {
    const each = of(office)[0]!;
    ask('first', [`Who was the very first ${office}?`, `first ever ${office}`], {
      entity: office,
      answers: [each.holder],
      relevant: beginning(each),
    });
  }
  askSince(scene);
}
