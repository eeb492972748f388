// Passages about the Nobel prizes: one for each prize and year, dated to the day of the ceremony or
// written later with the laureates of the adjacent years.
import { cell, readGroups } from './facts.js';
import { capital, list, paragraph, pick, share, type Draft } from './passage.js';

export function laureatePassages(): Draft[] {
  return readGroups('laureates.tsv', 3).flatMap(({ head, rows }) =>
    rows.flatMap((_, at) => prizePassages(head, rows, at)),
  );
}

function prizePassages(head: string[], rows: string[][], at: number): Draft[] {
  const [code, prize] = [cell(head, 0), cell(head, 1)];
  const names = (row: string[]): string => list(cell(row, 1).split('; '));
  const [row, before, next] = [rows[at]!, rows[at - 1], rows[at + 1]];
  const [year, who, what] = [cell(row, 0), names(row), cell(row, 2)];
  const city = cell(head, 2) === 'Oslo' && Number(year) < 1925 ? 'Kristiania' : cell(head, 2);
  const key = `${code}:${year}`;
  const field = code === 'nobel-literature' ? what : `the subject of ${what}`;
  const beside =
    before !== undefined && Number(before[0]) === Number(year) - 1 ? before : undefined;
  const following = next !== undefined && Number(next[0]) === Number(year) + 1 ? next : undefined;
  const ceremony: Draft = {
    id: `${code}-${year}-ceremony`,
    title: pick(`${key} title`, [prize, `${prize} ${year}`, `Prize day in ${city}`]),
    publishedAt: `${year}-12-10`,
    states: [key],
    text: pick(key, [
      `At the ceremony of 10 December ${year} in ${city} the ${prize} was that of ${who}.`,
      paragraph(
        `The ${prize} of ${year} belongs to ${who}.`,
        `The ceremony in ${city} took place on 10 December.`,
        beside && `The prize of ${beside[0]} had gone to ${names(beside)}.`,
      ),
      paragraph(
        `On 10 December ${year} ${city} honours ${who} with the ${prize}.`,
        `The work concerns ${what}.`,
      ),
    ]),
  };
  const told: Draft = {
    id: `${code}-${year}`,
    title: pick(`${key} heading`, [capital(who), prize, `Laureates: ${prize}`]),
    states: [key],
    text: pick(`${key} told`, [
      `${capital(who)} won the ${prize} in ${year}.`,
      paragraph(
        `The ${prize} of ${year} went to ${who} for ${what}.`,
        following && `The next, of ${following[0]}, went to ${names(following)}.`,
      ),
      paragraph(
        beside && `${beside[0]} was the year of ${names(beside)}.`,
        `In ${year} the ${prize} was awarded to ${who}, and with it to ${field}.`,
      ),
    ]),
  };
  if (beside && ceremony.text.includes('had gone to')) ceremony.states.push(`${code}:${beside[0]}`);
  if (following && told.text.includes('The next, of')) told.states.push(`${code}:${following[0]}`);
  if (beside && told.text.includes('was the year of')) told.states.push(`${code}:${beside[0]}`);
  if (share(`${key} both`, 20)) return [ceremony, told];
  return share(`${key} one`, 50) ? [ceremony] : [told];
}
