// Passages about invented towns and companies whose plans and forecasts are revised: every issue is
// a passage of its own, dated when it was issued, and each one's title says that it is fiction.
// Nothing here speaks of the real world.
import { cell, readGroups } from './facts.js';
import { on, spell } from './dates.js';
import { capital, paragraph, pick, type Draft } from './passage.js';

export function fictionPassages(): Draft[] {
  return [
    ...readGroups('fiction.tsv', 3).flatMap(({ head, rows }) =>
      rows.map((_, at) => issue(head, rows, at)),
    ),
    ...readGroups('weather.tsv', 5).flatMap(({ head, rows }) =>
      rows.map((row) => forecast(head, row)),
    ),
  ];
}

function issue(head: string[], rows: string[][], at: number): Draft {
  const [code, name, speaker, subject] = [
    cell(head, 0),
    cell(head, 1),
    cell(head, 2),
    cell(head, 3),
  ];
  const [row, before] = [rows[at]!, rows[at - 1]];
  const [date, said, reason] = [cell(row, 0), cell(row, 1), cell(row, 2)];
  const key = `${code}:${date}`;
  const text = pick(key, [
    paragraph(`${capital(subject)} ${said}, ${lower(speaker)} said ${on(date)}.`, `${reason}.`),
    paragraph(`${reason}.`, `${speaker} now says: ${subject} ${said}.`),
    paragraph(
      `News of ${spell(date)} from ${lower(speaker)}: ${subject} ${said}.`,
      `${reason}.`,
      before && `The word of ${spell(before[0]!)} no longer counts.`,
    ),
    paragraph(
      `According to ${lower(speaker)}, ${subject} ${said}.`,
      before && `This takes the place of what was said ${on(before[0]!)}.`,
      `${reason}.`,
    ),
  ]);
  return {
    id: `fiction-${code}-${date}`,
    title: `${name} (fiction)`,
    text,
    publishedAt: date,
    states: [key],
  };
}

/** "The harbour board" within a sentence: the article small, names as they are. */
const lower = (speaker: string): string => speaker.replace(/^The /, 'the ');

function forecast(head: string[], row: string[]): Draft {
  const [code, town] = [cell(head, 0), cell(head, 1)];
  const [date, issued, sky, high, wind] = [
    cell(row, 0),
    cell(row, 1),
    cell(row, 2),
    cell(row, 3),
    cell(row, 4),
  ];
  const key = `weather-${code}:${issued}`;
  const title = `Weather in ${town} (fiction)`;
  const day = spell(date);
  const issuedOn = `${spell(issued.slice(0, 10))} at ${issued.slice(11, 16)}`;
  const observed = row[5] === 'observed';
  const text = observed
    ? paragraph(
        `Observed in ${town} on ${day}: ${sky}, with a high of ${high} degrees and ${wind}.`,
        `This report is of ${issuedOn}.`,
      )
    : pick(key, [
        paragraph(
          `Forecast for ${town} on ${day}: ${sky}.`,
          `The high will be ${high} degrees, with ${wind}.`,
          `Issued on ${issuedOn}.`,
        ),
        paragraph(
          `Issued on ${issuedOn} for ${town}.`,
          `The outlook for ${day}: ${sky}, a high of ${high} degrees and ${wind}.`,
        ),
        `What the weather service of ${town} has for ${day} is ${sky}, a high of ${high} degrees and ${wind}; this was written on ${issuedOn}.`,
      ]);
  const id = `fiction-weather-${code}-${date}-${observed ? 'observed' : `issued-${issued.slice(0, 10)}`}`;
  return { id, title, text, publishedAt: issued, validFrom: date, validTo: date, states: [key] };
}
