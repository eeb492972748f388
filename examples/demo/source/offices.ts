// Passages about terms of office: biographical ones without a publication date, of which some carry
// the term as their validity and others only say it, and reports dated when a term began, was a
// year or more old, or ended.
import { cell, optional, readGroups } from './facts.js';
import {
  addYears,
  edge,
  isDay,
  on,
  publicationDay,
  spell,
  startOf,
  yearOf,
  yearsBetween,
  type Known,
} from './dates.js';
import { capital, choose, count, paragraph, pick, share, list, type Draft } from './passage.js';

interface Office {
  code: string;
  title: string;
  noun: string;
  place: string;
  american: boolean;
}

interface Term {
  office: Office;
  key: string;
  person: string;
  start: Known;
  /** Absent: still running at the edge of the facts. */
  end?: Known;
  born?: string;
  earlier?: string;
  /** The terms next to it, where one followed the other without a gap of more than 45 days. */
  before?: Term;
  after?: Term;
  again: boolean;
}

const files = ['offices-europe.tsv', 'offices-world.tsv', 'offices-bodies.tsv', 'chess.tsv'];
const longestGapMs = 45 * 86_400_000;

export function officePassages(): Draft[] {
  return readTerms().flatMap((terms) => [...terms.flatMap(termPassages), ...chapter(terms)]);
}

function readTerms(): Term[][] {
  return files
    .flatMap((file) => readGroups(file, 2))
    .map(({ head, rows }) => {
      const code = cell(head, 0);
      const american = /^(us-|fed|nyc)/.test(code);
      const office = {
        code,
        title: cell(head, 1),
        noun: cell(head, 2),
        place: cell(head, 3),
        american,
      };
      const terms: Term[] = rows.map((row, at) => {
        const start = cell(row, 1);
        const end = optional(row, 2) ?? cell(rows[at + 1] ?? [], 1);
        const again = rows.slice(0, at).some((other) => other[0] === row[0]);
        const term: Term = { office, key: `${code}:${start}`, person: cell(row, 0), start, again };
        if (end !== '-') term.end = end;
        const [born, earlier] = [optional(row, 3), optional(row, 4)];
        if (born !== undefined) term.born = born;
        if (earlier !== undefined) term.earlier = earlier;
        return term;
      });
      terms.forEach((term, at) => {
        const next = terms[at + 1];
        if (
          next === undefined ||
          term.end === undefined ||
          startOf(next.start) - startOf(term.end) > longestGapMs
        )
          return;
        term.after = next;
        next.before = term;
      });
      return terms;
    });
}

function termPassages(term: Term): Draft[] {
  const drafts = [biography(term)];
  if (share(`${term.key} start`, 28)) drafts.push(startReport(term));
  if (term.end !== undefined && isDay(term.end) && share(`${term.key} end`, 15))
    drafts.push(endReport(term, term.end));
  const yearly = isDay(term.start) ? anniversary(term) : undefined;
  if (yearly !== undefined && share(`${term.key} year`, 15)) drafts.push(yearly);
  return drafts;
}

const told = (term: Term | undefined): string[] => (term === undefined ? [] : [term.key]);
const day = (term: Term, date: Known): string => spell(date, term.office.american);
const onDay = (term: Term, date: Known): string => on(date, term.office.american);

function biography(term: Term): Draft {
  if (term.end === undefined) return incumbent(term);
  const draft = pick(`${term.key} biography`, biographies)(term, term.end);
  const both = isDay(term.start) && isDay(term.end);
  if (both && share(`${term.key} valid`, 55))
    return { ...draft, validFrom: term.start, validTo: term.end };
  return draft;
}

/** The writers of a finished term's passage. */
const biographies: ((term: Term, end: Known) => Draft)[] = [
  (term, end) =>
    draftOf(
      term,
      'term',
      term.person,
      [term],
      `${term.person} was ${term.office.title} from ${day(term, term.start)} to ${day(term, end)}.`,
    ),
  (term, end) =>
    draftOf(
      term,
      'life',
      term.person,
      [term, term.before],
      paragraph(
        term.born && `${term.person} was born in ${term.born}.`,
        term.earlier && `Earlier work: ${term.earlier}.`,
        term.before
          ? `${onDayCapital(term, term.start)} came the office of ${term.office.title}, until then that of ${predecessor(term, term.before)}.`
          : `${onDayCapital(term, term.start)} came the office of ${term.office.title}.`,
        `The term ended ${onDay(term, end)}.`,
      ),
    ),
  (term, end) =>
    draftOf(
      term,
      'office',
      capital(term.office.title),
      [term],
      paragraph(
        `Between ${day(term, term.start)} and ${day(term, end)} the post of ${term.office.title} was held by ${term.person}${once(term)}.`,
        term.after && `The post then went to ${term.after.person}.`,
        term.born && share(`${term.key} born`, 50) && `${term.person} was born in ${term.born}.`,
      ),
    ),
  (term, end) =>
    draftOf(
      term,
      'career',
      term.person,
      [term],
      paragraph(
        term.earlier
          ? `${term.person} had been ${term.earlier} before rising to the highest post.`
          : `${term.person}${term.born ? ` (born ${term.born})` : ''} held one of the best known posts of ${term.office.place}.`,
        `As ${term.office.title}, ${term.person} served from ${day(term, term.start)}.`,
        term.after
          ? `${capital(onDay(term, end))} the post passed to ${term.after.person}.`
          : `The service ended ${onDay(term, end)}.`,
      ),
    ),
  (term, end) =>
    draftOf(
      term,
      'succession',
      `Succession of the ${term.office.noun} (${term.office.place})`,
      [term, term.before],
      paragraph(
        term.before &&
          `${term.before.person} was ${term.office.title} from ${day(term, term.before.start)} to ${day(term, term.before.end!)}.`,
        `${term.person} held the office from ${day(term, term.start)} to ${day(term, end)}.`,
        term.after && `Next came ${term.after.person}.`,
      ),
    ),
  (term, end) =>
    draftOf(
      term,
      'years',
      `${term.person} as ${term.office.noun}`,
      [term],
      paragraph(
        `The years of ${term.person} as ${term.office.title} began ${onDay(term, term.start)} and were over ${onDay(term, end)}.`,
        `That was ${lasted(term, end)}.`,
        term.earlier &&
          share(`${term.key} earlier`, 60) &&
          `Before, ${term.person} had been ${term.earlier}.`,
      ),
    ),
];

/** A predecessor in office and since when. */
const predecessor = (term: Term, before: Term): string =>
  `${before.person}, who had come to it ${onDay(term, before.start)}`;
const once = (term: Term): string => (term.again ? ', not for the first time' : '');
const onDayCapital = (term: Term, date: Known): string => capital(onDay(term, date));

function lasted(term: Term, end: Known): string {
  const years = yearsBetween(term.start, end);
  if (years === 0) return 'less than a year';
  const round = isDay(term.start) && isDay(end) && addYears(term.start, years) === end;
  return `${round ? '' : 'more than '}${years === 1 ? 'a year' : `${count(years)} years`}`;
}

function incumbent(term: Term): Draft {
  const { person, office } = term;
  const text = pick(`${term.key} incumbent`, [
    `As of January 2025 ${person} is ${office.title}, in office since ${day(term, term.start)}.`,
    paragraph(
      term.earlier && `${person}, once ${term.earlier}, is the present ${office.noun}.`,
      `${person} has been ${office.title} since ${day(term, term.start)}, which still held at the end of January 2025.`,
    ),
    paragraph(
      `${person} took over as ${office.title} ${onDay(term, term.start)}.`,
      term.before &&
        `The post had been with ${term.before.person} from ${day(term, term.before.start)}.`,
      `There had been no change by ${spell(edge, office.american)}.`,
    ),
  ]);
  const draft = draftOf(
    term,
    'incumbent',
    person,
    [term, text.includes('had been with') ? term.before : undefined],
    text,
  );
  return {
    ...draft,
    publishedAt: edge,
    ...(isDay(term.start) && share(`${term.key} valid`, 55) ? { validFrom: term.start } : {}),
  };
}

function startReport(term: Term): Draft {
  const { person, office, before } = term;
  const since = before && `, who had been in the post since ${day(term, before.start)}`;
  const text = pick(`${term.key} report`, [
    paragraph(
      `${person} became ${office.title} ${onDay(term, term.start)}${before ? `, succeeding ${before.person}${since}` : ''}.`,
      term.earlier && `The new ${office.noun} was ${term.earlier}.`,
    ),
    paragraph(
      `${capital(office.place)} has a new ${office.noun}.`,
      `${person} took up the office of ${office.title} ${onDay(term, term.start)}.`,
      before &&
        `The last to hold it was ${before.person}, who had begun ${onDay(term, before.start)}.`,
    ),
    paragraph(
      before &&
        `The time of ${before.person}, ${office.title} since ${day(term, before.start)}, is over.`,
      `Since ${day(term, term.start)} the post is ${person}'s.`,
      term.born &&
        `${person} was born in ${term.born}${term.again ? ' and knows the office from an earlier term' : ''}.`,
    ),
  ]);
  return {
    ...draftOf(term, 'took-office', `New ${office.noun}: ${person}`, [term, before], text),
    publishedAt: publicationDay(term.start),
  };
}

function endReport(term: Term, end: Known): Draft {
  const { person, office, after } = term;
  const starts = after !== undefined && isDay(after.start) && after.start <= end;
  const text = pick(`${term.key} farewell`, [
    paragraph(
      `${person}'s time as ${office.title} ended ${onDay(term, end)}.`,
      `It had begun ${onDay(term, term.start)} and lasted ${lasted(term, end)}.`,
      starts && `${after.person} takes over at once.`,
    ),
    paragraph(
      `From ${day(term, term.start)} until today, ${day(term, end)}, ${person} was ${office.title}.`,
      starts && `The name on the door is now ${after.person}.`,
    ),
  ]);
  return {
    ...draftOf(term, 'left-office', `${person}: end of a term`, [term], text),
    publishedAt: end,
  };
}

function anniversary(term: Term): Draft | undefined {
  const last = yearsBetween(term.start, term.end ?? edge);
  const years = last < 1 ? 0 : 1 + choose(`${term.key} years`, last);
  const date = addYears(term.start, years);
  if (years === 0 || date >= (term.end ?? edge) || Number.isNaN(Date.parse(date))) return undefined;
  const { person, office, before } = term;
  const text = pick(`${term.key} anniversary`, [
    paragraph(
      `${person} has today been ${office.title} for ${years === 1 ? 'a year' : `${count(years)} years`}.`,
      `The term began ${onDay(term, term.start)}.`,
      before &&
        `${before.person}, who went before, had come to office ${onDay(term, before.start)}.`,
    ),
    paragraph(
      term.earlier && `Many still remember ${person} as ${term.earlier}.`,
      `By ${day(term, date)}, however, ${person} can look back on ${years === 1 ? 'one year' : `${count(years)} years`} as ${office.title}.`,
      `The post was taken up ${onDay(term, term.start)}.`,
    ),
  ]);
  return {
    ...draftOf(
      term,
      'anniversary',
      `${count(years) === 'one' ? 'A year' : `${capital(count(years))} years`} of ${person}`,
      [term],
      text,
    ),
    publishedAt: date,
  };
}

/**
 * One passage an office that lists four holders in a row, the kind of text in which many dates
 * stand close together.
 */
function chapter(terms: Term[]): Draft[] {
  const first = terms[choose(`${terms[0]!.key} chapter`, Math.max(1, terms.length - 4))]!;
  const holders = terms
    .slice(terms.indexOf(first), terms.indexOf(first) + 4)
    .filter((term) => term.end !== undefined);
  if (holders.length < 3) return [];
  const { office } = first;
  const entries = holders.map(
    (term) => `${term.person} (${yearOf(term.start)} to ${yearOf(term.end!)})`,
  );
  const text = `Among those who held the office of ${office.title} were, in this order, ${list(entries)}.`;
  return [
    {
      id: `${office.code}-chapter`,
      title: `List of holders: ${office.title}`,
      text,
      states: holders.map((term) => term.key),
    },
  ];
}

function draftOf(
  term: Term,
  kind: string,
  title: string,
  told_: (Term | undefined)[],
  text: string,
): Draft {
  return {
    id: `${term.office.code}-${term.start}-${kind}`,
    title,
    text,
    states: told_.flatMap(told),
  };
}
