// Forecasts of the United States' National Weather Service as its interface answers them, one file
// a query of a city (Re3 appendix A.3): FOLDER/CITY/ANY.json. Whoever collects keeps the answers of
// /gridpoints/{office}/{x},{y}/forecast, day by day.
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AsOfError } from 'asof';
import { excerpt, invalidLine, throwIfAborted } from 'asof/kit';
import { re2RecordsOf, type ReadRe2Options, type Re2Record } from './records.js';
import { checkSchema, type Re2Schema } from './schema.js';

/** The schema of the daily summaries. */
export const forecastSchema: Re2Schema = {
  entity: 'city',
  date: 'target_date',
  published: 'issued_at',
  attributes: [
    { column: 'shortForecast', name: 'weather', told: 'day' },
    { column: 'temperature', name: 'high temperature', unit: ['°F', ' degrees F'], told: 'day' },
  ],
};

interface Period {
  startTime?: unknown;
  isDaytime?: unknown;
  temperature?: unknown;
  temperatureUnit?: unknown;
  shortForecast?: unknown;
}

/**
 * The daytime summaries of every answer, in the order of cities and files, published when the
 * answer says that it was made. `line` of a fault is the number of the period, 1 of a file.
 * @throws AsOfError ERR_INVALID_INPUT by file (or to `onFault`) for other JSON; ERR_NOT_FOUND;
 * ERR_ABORTED
 */
export async function* readForecasts(
  folder: string,
  { signal, onFault }: Pick<ReadRe2Options, 'signal' | 'onFault'> = {},
): AsyncGenerator<Re2Record> {
  const schema = checkSchema(forecastSchema);
  for (const file of await filesOf(folder)) {
    throwIfAborted(signal);
    try {
      yield* recordsOf(file, await readFile(file, 'utf8'), schema);
    } catch (fault) {
      if (!onFault || !AsOfError.is(fault) || fault.code !== 'ERR_INVALID_INPUT') throw fault;
      onFault(fault);
    }
  }
}

async function filesOf(folder: string): Promise<string[]> {
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() ?? false;
  const names = isFolder ? await readdir(folder, { recursive: true }) : [];
  const files = names.filter((name) => name.endsWith('.json') && dirname(name) !== '.').sort();
  if (files.length > 0) return files.map((name) => join(folder, name));
  const message = `Expected answers of forecasts, CITY/NAME.json, in ${folder}, found none.`;
  throw new AsOfError('ERR_NOT_FOUND', message, { details: { folder } });
}

function recordsOf(
  file: string,
  text: string,
  schema: ReturnType<typeof checkSchema>,
): Re2Record[] {
  const { properties } = parsed(file, text);
  const { periods, updateTime, generatedAt } = properties ?? {};
  const issued = updateTime ?? generatedAt;
  if (!Array.isArray(periods) || typeof issued !== 'string') {
    const expected = 'an answer {"properties": {"updateTime", "periods": [...]}} of forecasts';
    throw invalidLine({ file, line: 1 }, expected, excerpt(text.slice(0, 200)));
  }
  return (periods as Period[]).flatMap((period, at) => {
    if (period?.isDaytime !== true) return [];
    const where = { file, line: at + 1 };
    const { startTime, shortForecast, temperature, temperatureUnit: unit = 'F' } = period;
    if (typeof startTime !== 'string' || unit !== 'F')
      throw invalidLine(where, 'a period with startTime and a temperature in F', shown(period));
    const row = { shortForecast, temperature, target_date: startTime.slice(0, 10) };
    return re2RecordsOf(
      { ...row, city: basename(dirname(file)), issued_at: issued },
      schema,
      where,
    );
  });
}

const shown = (value: unknown): string => excerpt(JSON.stringify(value));

function parsed(
  file: string,
  text: string,
): { properties?: Readonly<Record<string, unknown>> | null } {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    throw invalidLine({ file, line: 1 }, 'JSON', excerpt(text.slice(0, 200)));
  }
}
