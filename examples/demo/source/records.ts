// Passages about records. Each is dated, because a record holds only until the next one; tables
// with gaps are worded without "previous". The lists of the fastest computers have a passage for
// each list and one for each unbroken reign.
import { cell, optional, readGroups, readRows } from './facts.js';
import { on, publicationDay, spell } from './dates.js';
import { capital, list, paragraph, pick, share, type Draft } from './passage.js';

interface Mark {
  code: string;
  record: string;
  verb: string;
  date: string;
  holder: string;
  mark: string;
  place?: string;
}

/** Athletes and drivers set records; buildings, ships and bridges take a title. */
const isThing = (mark: Mark): boolean => mark.record.startsWith('title');

export function recordPassages(): Draft[] {
  const marks = readGroups('records.tsv', 3).map(({ head, rows }) =>
    rows.map((row): Mark => {
      const place = optional(row, 3);
      const mark = {
        code: cell(head, 0),
        record: cell(head, 1),
        verb: cell(head, 2),
        date: cell(row, 0),
        holder: cell(row, 1),
        mark: cell(row, 2),
      };
      return place === undefined ? mark : { ...mark, place };
    }),
  );
  return [...marks.flatMap(markPassages), ...computerPassages()];
}

function markPassages(marks: Mark[]): Draft[] {
  return marks.flatMap((mark, at) => {
    const earlier = marks.slice(0, at);
    const drafts = [isThing(mark) ? thing(mark, earlier) : feat(mark, earlier)];
    if (earlier.length >= 2 && share(`${mark.code}${mark.date} table`, 35))
      drafts.push(progression(mark, earlier));
    return drafts;
  });
}

const keyOf = (mark: Mark): string => `${mark.code}:${mark.date}`;
const subject = (mark: Mark): string => mark.record.replace(/^(world record in|title of) /, '');

function feat(mark: Mark, earlier: Mark[]): Draft {
  const { holder, record, date, verb } = mark;
  const at = mark.place ? ` at ${mark.place}` : '';
  const last = earlier.at(-1);
  const own = earlier.filter((other) => other.holder === holder);
  const text = pick(keyOf(mark), [
    `${holder} ${verb} ${mark.mark}${at} ${on(date)}, a ${record}.`,
    paragraph(
      `The ${record} now stands at ${mark.mark}.`,
      `${holder} set it${at} ${on(date)}.`,
      last && `The mark of ${last.holder}, ${last.mark}, dates from ${spell(last.date)}.`,
    ),
    paragraph(
      last &&
        `Ever since ${spell(last.date)} people had talked of the ${last.mark} of ${last.holder}.`,
      `${capital(on(date))} ${holder} ${verb} ${mark.mark}${at} and holds the ${record}.`,
    ),
    paragraph(
      `A ${record} for ${holder}: ${mark.mark}${at} ${on(date)}.`,
      own.length > 0 &&
        `${holder} had been in the book before, with ${list(own.map((other) => `${other.mark} in ${other.date.slice(0, 4)}`))}.`,
    ),
  ]);
  const states = last && text.includes(last.mark) ? [keyOf(mark), keyOf(last)] : [keyOf(mark)];
  const title = pick(`${keyOf(mark)} title`, [
    holder,
    capital(subject(mark)),
    `${holder} sets a ${record}`,
    `${capital(record)}`,
  ]);
  return { id: `${mark.code}-${date}`, title, text, publishedAt: publicationDay(date), states };
}

function thing(mark: Mark, earlier: Mark[]): Draft {
  const { holder, date, verb, record } = mark;
  const last = earlier.at(-1);
  const place = mark.place ? ` in ${mark.place}` : '';
  const name = capital(subject(mark));
  const text = pick(keyOf(mark), [
    paragraph(
      `${capital(holder)}${place} ${verb} ${mark.mark} and took the ${record} ${on(date)}.`,
      last &&
        `Among its forerunners is ${last.holder}, which ${last.verb} ${last.mark} and dates from ${spell(last.date)}.`,
    ),
    paragraph(
      `The ${record} belongs to ${holder}${place} with ${mark.mark}, ready ${on(date)}.`,
      last && `${capital(last.holder)} had been given the same praise ${on(last.date)}.`,
    ),
    paragraph(
      last && `Compare the ${last.mark} of ${last.holder}, finished ${on(last.date)}.`,
      `${capital(holder)}${place} ${verb} ${mark.mark}; since ${spell(date)} it bears the ${record}.`,
    ),
  ]);
  const states =
    last && text.includes(spell(last.date)) ? [keyOf(mark), keyOf(last)] : [keyOf(mark)];
  return {
    id: `${mark.code}-${date}`,
    title: pick(`${keyOf(mark)} title`, [capital(holder), name]),
    text,
    publishedAt: publicationDay(date),
    states,
  };
}

/** What a reader of the day could have known: the last few marks, this one at the end. */
function progression(mark: Mark, earlier: Mark[]): Draft {
  const shown = [...earlier.slice(-3), mark];
  const entries = shown.map(
    (other) =>
      `${other.holder} with ${other.mark} (${isThing(other) ? other.date.slice(0, 4) : spell(other.date)})`,
  );
  const text = paragraph(
    `A table of the ${subject(mark)} drawn up in ${publicationDay(mark.date).slice(0, 4)} has among its lines: ${entries.join('; ')}.`,
    `The last line is the newest.`,
  );
  const id = `${mark.code}-${mark.date}-table`;
  return {
    id,
    title: `${capital(subject(mark))}: progression`,
    text,
    publishedAt: publicationDay(mark.date),
    states: shown.map(keyOf),
  };
}

interface Head {
  list: string;
  computer: string;
  site: string;
  country: string;
  speed: string;
}

function computerPassages(): Draft[] {
  const heads = readRows('top500.tsv').map(
    (row): Head => ({
      list: cell(row, 0),
      computer: cell(row, 1),
      site: cell(row, 2),
      country: cell(row, 3),
      speed: cell(row, 4),
    }),
  );
  return [...heads.map((head, at) => listPassage(head, heads[at - 1])), ...reigns(heads)];
}

const listKey = (head: Head): string => `top500:${head.list}`;

function listPassage(head: Head, before: Head | undefined): Draft {
  const { computer, site, country, speed } = head;
  const month = spell(head.list);
  const same = before?.computer === computer;
  const text = pick(listKey(head), [
    paragraph(
      `The TOP500 list of ${month} is headed by ${computer} at ${site}.`,
      `Its Linpack speed is ${speed}.`,
      before &&
        !same &&
        `${before.computer}, first in ${spell(before.list)}, had reached ${before.speed}.`,
    ),
    paragraph(
      `${computer}, in ${country}, is the fastest computer on the TOP500 list of ${month} with ${speed}.`,
      same && `It was first in ${spell(before.list)} already.`,
    ),
    paragraph(
      `Number one of the TOP500 in ${month}: ${computer} (${site}), measured at ${speed}.`,
      before &&
        `On the list before, of ${spell(before.list)}, the first place went to ${same ? 'the same machine' : before.computer}.`,
    ),
    paragraph(
      before && !same && `${before.computer} led the list of ${spell(before.list)}, but no longer.`,
      `In ${month} the fastest computer of the world was ${computer}, which ran Linpack at ${speed}.`,
    ),
  ]);
  const states =
    before && text.includes(spell(before.list))
      ? [listKey(head), listKey(before)]
      : [listKey(head)];
  return {
    id: `top500-${head.list}`,
    title: pick(`${listKey(head)} title`, ['TOP500', computer, `TOP500: ${month}`]),
    text,
    publishedAt: publicationDay(head.list),
    states,
  };
}

function reigns(heads: Head[]): Draft[] {
  const runs: Head[][] = [];
  for (const head of heads) {
    if (runs.at(-1)?.at(-1)?.computer === head.computer) runs.at(-1)!.push(head);
    else runs.push([head]);
  }
  return runs.flatMap((run, at) => {
    const [first, next] = [run[0]!, runs[at + 1]?.[0]];
    if (next === undefined) return [];
    const text = pick(`${listKey(first)} reign`, [
      `From ${spell(first.list)} until ${spell(next.list)}, when ${next.computer} took its place, ${first.computer} was the fastest computer ` +
        'in the world by the TOP500 list.',
      paragraph(
        `${first.computer} stood at ${first.site}.`,
        `It was the fastest computer of the TOP500 from ${spell(first.list)} and gave up first place in ${spell(next.list)}.`,
        `Its successor at the head was ${next.computer} in ${next.country}.`,
      ),
    ]);
    const id = `top500-${first.list}-reign`;
    return [
      {
        id,
        title: first.computer,
        text,
        publishedAt: publicationDay(next.list),
        states: [...run, next].map(listKey),
      },
    ];
  });
}
