// Passages about prices that are set anew, figures that are counted again and versions that are
// released: the same sentence in many years with another value in each.
import { cell, readGroups } from './facts.js';
import { isDay, on, publicationDay, spell, startOf, yearOf, type Known } from './dates.js';
import { capital, list, paragraph, pick, share, type Draft } from './passage.js';

export function figurePassages(): Draft[] {
  return [
    ...readGroups('prices.tsv', 2).flatMap(({ head, rows }) =>
      rows.flatMap((_, at) => pricePassages(head, rows, at)),
    ),
    ...readGroups('counts.tsv', 2).flatMap(({ head, rows }) =>
      rows.flatMap((_, at) => countPassages(head, rows, at)),
    ),
    ...readGroups('releases.tsv', 2).flatMap(({ head, rows }) =>
      rows.flatMap((_, at) => releasePassages(head, rows, at)),
    ),
  ];
}

const dayBefore = (day: Known): string =>
  new Date(startOf(day) - 86_400_000).toISOString().slice(0, 10);

function pricePassages(head: string[], rows: string[][], at: number): Draft[] {
  const [code, name, subject, setter] = [
    cell(head, 0),
    cell(head, 1),
    cell(head, 2),
    cell(head, 3),
  ];
  const american = !code.startsWith('uk-');
  const [from, value] = [cell(rows[at]!, 0), cell(rows[at]!, 1)];
  const [before, next] = [rows[at - 1], rows[at + 1]];
  const key = `${code}:${from}`;
  const is = code === 'uk-vat' ? 'is' : 'costs';
  const was = code === 'uk-vat' ? 'was' : 'cost';
  const day = (date: string): string => spell(date, american);
  const report: Draft = {
    id: `${code}-${from}-new`,
    title: pick(`${key} title`, [name, `New: ${name}`, `${name} changes`]),
    publishedAt: publicationDay(from),
    states: [key],
    text: pick(key, [
      paragraph(
        `From ${day(from)} ${subject} ${is} ${value}.`,
        before &&
          `It had ${code === 'uk-vat' ? 'been' : 'cost'} ${before[1]} since ${day(before[0]!)}.`,
      ),
      paragraph(
        before && `The ${before[1]} in force since ${day(before[0]!)} are history.`,
        `${capital(on(from, american))} ${setter} made it ${value} for ${subject}.`,
      ),
      paragraph(
        `${capital(setter)} changed the rate ${on(from, american)}.`,
        `Since then ${subject} ${is} ${value}.`,
      ),
    ]),
  };
  if (before && report.text.includes(day(before[0]!))) report.states.push(`${code}:${before[0]}`);
  if (next === undefined) return [report];
  const review: Draft = {
    id: `${code}-${from}-period`,
    title: pick(`${key} heading`, [name, `History: ${name}`]),
    states: [key],
    text: pick(`${key} period`, [
      `Between ${day(from)} and ${day(next[0]!)} ${subject} ${was} ${value}.`,
      paragraph(
        `${capital(subject)} ${was} ${value} from ${day(from)}.`,
        `${capital(on(next[0]!, american))} that became ${next[1]}.`,
      ),
      paragraph(
        before && `Until ${day(from)} it had been ${before[1]}.`,
        `For the time from then to ${day(next[0]!)}, ${subject} ${was} ${value}.`,
        `After that came ${next[1]}.`,
      ),
    ]),
  };
  if (review.text.includes('After that came') && before === undefined)
    review.text = `From ${day(from)} to ${day(next[0]!)}, ${subject} ${was} ${value}.`;
  if (isDay(from) && isDay(next[0]!) && share(`${key} valid`, 50))
    Object.assign(review, { validFrom: from, validTo: dayBefore(next[0]!) });
  if (share(`${key} both`, 35)) return [report, review];
  return share(`${key} one`, 55) ? [report] : [review];
}

function countPassages(head: string[], rows: string[][], at: number): Draft[] {
  const [code, name, source, what] = [cell(head, 0), cell(head, 1), cell(head, 2), cell(head, 3)];
  const [date, value] = [cell(rows[at]!, 0), cell(rows[at]!, 1)];
  const [before, next] = [rows[at - 1], rows[at + 1]];
  const key = `${code}:${date}`;
  const when = spell(date);
  const text =
    source === 'census'
      ? pick(key, [
          `The census of ${when} counted ${value} ${what}.`,
          paragraph(
            `${value} ${what}: that is the result of the census of ${when}.`,
            before && `In ${before[0]} it had been ${before[1]}.`,
          ),
          paragraph(
            before &&
              `After ${before[1]} in ${before[0]}, the number of ${what} was found to be ${value} in the census of ${when}.`,
            !before && `There were ${value} ${what} at the census of ${when}.`,
          ),
          paragraph(
            `Censuses tell how the number of ${what} moved.`,
            `In ${when} it was ${value}.`,
            next && `By ${next[0]} it was ${next[1]}.`,
          ),
        ])
      : pick(key, [
          `${capital(on(date))} the number of ${what} came to ${value}.`,
          paragraph(
            `The number of ${what} rose or fell to ${value} ${on(date)}.`,
            before && `${capital(on(before[0]!))} the figure was ${before[1]}.`,
          ),
          paragraph(
            `${value} is the number of ${what} as given ${on(date)}.`,
            before && `Older books, of ${spell(before[0]!)} for instance, say ${before[1]}.`,
          ),
        ]).replace('rose or fell', 'went');
  const states = [rows[at]!, before, next]
    .filter((row) => row !== undefined && text.includes(row[1]!) && text.includes(spell(row[0]!)))
    .map((row) => `${code}:${row![0]}`);
  const draft: Draft = {
    id: `${code}-${date}`,
    title: pick(`${key} title`, [name, source === 'census' ? `${name}, census of ${when}` : name]),
    text,
    states,
  };
  const looksAhead = next !== undefined && text.includes(`By ${next[0]} it`);
  const published = source === 'census' ? `${yearOf(date) + 2}-01-01` : publicationDay(date);
  const drafts = [
    !looksAhead && (source !== 'census' || share(`${key} dated`, 60))
      ? { ...draft, publishedAt: published }
      : draft,
  ];
  if (at >= 3 && share(`${key} row`, 12))
    drafts.push(series(code, name, what, rows.slice(at - 3, at + 1)));
  return drafts;
}

function series(code: string, name: string, what: string, rows: string[][]): Draft {
  const entries = rows.map((row) => `${row[1]} in ${yearOf(row[0]!)}`);
  return {
    id: `${code}-${rows.at(-1)![0]}-series`,
    title: `${name} through the years`,
    publishedAt: `${yearOf(rows.at(-1)![0]!) + 2}-01-01`,
    text: `The number of ${what} is a long story in a few figures: ${list(entries)}.`,
    states: rows.map((row) => `${code}:${row[0]}`),
  };
}

function releasePassages(head: string[], rows: string[][], at: number): Draft[] {
  const [code, name, publisher] = [cell(head, 0), cell(head, 1), cell(head, 2)];
  const [date, version] = [cell(rows[at]!, 0), cell(rows[at]!, 1)];
  const [before, next] = [rows[at - 1], rows[at + 1]];
  const key = `${code}:${date}`;
  const news: Draft = {
    id: `${code}-${date}-release`,
    title: pick(`${key} title`, [`${capital(version)} released`, capital(name), capital(version)]),
    publishedAt: publicationDay(date),
    states: [key],
    text: pick(key, [
      `${capital(version)} came out ${on(date)}.`,
      paragraph(
        `${capital(publisher)} brought out ${version} ${on(date)}.`,
        before && `An earlier release is ${before[1]}, of ${spell(before[0]!)}.`,
      ),
      paragraph(
        before &&
          `Users of ${before[1]}, on the market since ${spell(before[0]!)}, may think of moving on.`,
        `As of ${spell(date)} ${version} is available.`,
      ),
    ]),
  };
  const history: Draft = {
    id: `${code}-${date}-history`,
    title: `History of ${name}`,
    states: [key],
    text: pick(`${key} history`, [
      paragraph(
        `In the history of ${name}, ${version} belongs to ${yearOf(date)}: it was released ${on(date)}.`,
        next && `${capital(next[1]!)} came ${on(next[0]!)}.`,
      ),
      paragraph(
        `${capital(version)} was released ${on(date)}.`,
        before && `${capital(before[1]!)} was older, of ${spell(before[0]!)}.`,
        next && `${capital(next[1]!)} is from ${spell(next[0]!)}.`,
      ),
    ]),
  };
  for (const draft of [news, history]) {
    for (const row of [before, next])
      if (row && draft.text.includes(spell(row[0]!))) draft.states.push(`${code}:${row[0]}`);
  }
  if (share(`${key} both`, 15)) return [news, history];
  return share(`${key} one`, 60) ? [news] : [history];
}
