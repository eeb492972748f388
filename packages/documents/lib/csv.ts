// Streaming reader of CSV tables (RFC 4180) with quoted fields, doubled quotes and line breaks
// inside quotes. Rows of another length and misplaced quotes are faults; nothing is repaired.
import { AsOfError } from 'asof';
import {
  invalidArgument,
  mustBe,
  excerpt,
  invalidLine,
  readLines,
  type LineLocation,
} from 'asof/kit';

type Line = LineLocation & { text: string };

export interface CsvOptions extends NonNullable<Parameters<typeof readLines>[1]> {
  /** One character between fields. Default: a tab in files that end in .tsv, else a comma. */
  delimiter?: string | undefined;
}

/** Longest quoted field in lines; a longer one counts as a quote that was never closed. */
const fieldLinesMax = 1000;

/**
 * The rows of a table as records keyed by the header row, in order; blank lines are skipped. A line
 * break inside quotes becomes a line feed. `where` is the line on which the row begins.
 * @throws AsOfError as `readLines`; ERR_INVALID_INPUT for malformed rows; a fault of the header row
 * is always thrown.
 */
export async function* readCsv<T>(
  path: string,
  read: (record: Record<string, string>, where: LineLocation) => T,
  options: CsvOptions = {},
): AsyncGenerator<T> {
  mustBe('a string', { path });
  const { onFault, delimiter = path.endsWith('.tsv') ? '\t' : ',' } = options;
  if (!/^[^"\r\n]$/u.test(delimiter))
    throw invalidArgument('delimiter', 'one character that is no quote and no line end', delimiter);
  let names: readonly string[] | undefined;
  const report = (fault: unknown): void => {
    if (!AsOfError.is(fault) || !onFault || !names) throw fault;
    onFault(fault);
  };
  for await (const row of rowsOf(readLines(path, options), delimiter)) {
    let record: T;
    try {
      if ('fault' in row) throw row.fault;
      if (!names) {
        names = header(row.fields, row.where);
        continue;
      }
      record = read(byName(names, row.fields, row.where), row.where);
    } catch (fault) {
      report(fault);
      continue;
    }
    yield record;
  }
}

type Row = { fields: string[]; where: LineLocation } | { fault: AsOfError };

/**
 * Rows, each complete. A quote that is never closed is a fault of its own line, and the lines after
 * it are read again.
 */
async function* rowsOf(source: AsyncGenerator<Line>, delimiter: string): AsyncGenerator<Row> {
  let lookahead: Line[] = [];
  let ended = false;
  const more = async (): Promise<boolean> => {
    const next = await source.next();
    if (next.done) ended = true;
    else lookahead.push(next.value);
    return !ended;
  };
  for (;;) {
    if (lookahead.length === 0 && !(await more())) return;
    const first = lookahead[0]!;
    if (first.text.trim() === '') {
      lookahead = lookahead.slice(1);
      continue;
    }
    const where = { file: first.file, line: first.line };
    const row = new RowReader(delimiter);
    let lines = 0;
    while (row.open && !row.fault) {
      if (lines === fieldLinesMax || (lines === lookahead.length && !(await more()))) break;
      row.take(lookahead[lines]!.text);
      lines += 1;
    }
    if (row.fault) {
      yield { fault: invalidLine(where, ...row.fault) };
      lookahead = lookahead.slice(lines);
    } else if (row.open) {
      yield {
        fault: invalidLine(
          where,
          'every quoted field to be closed',
          `one that is open at the end of ${excerpt(first.text)}`,
          'Close the quote, or double it inside the field.',
        ),
      };
      lookahead = lookahead.slice(1);
    } else {
      yield { fields: row.fields, where };
      lookahead = lookahead.slice(lines);
    }
  }
}

/** Parser of one row: accepts lines until no quoted field is open. */
class RowReader {
  readonly fields: string[] = [];
  open = true;
  fault: [expected: string, received: string, remedy: string] | undefined;
  #quoted: string | undefined;

  constructor(private readonly delimiter: string) {}

  take(line: string): void {
    let at = 0;
    if (this.#quoted !== undefined) {
      const after = this.#intoQuoted(`\n${line}`, 0);
      if (after === undefined) return;
      at = after - 1;
      if (at === line.length) return this.#close();
      at += 1; // the delimiter
    }
    for (;;) {
      if (line[at] === '"') {
        this.#quoted = '';
        const after = this.#intoQuoted(line, at + 1);
        if (after === undefined) return;
        at = after;
      } else {
        const next = line.indexOf(this.delimiter, at);
        const end = next < 0 ? line.length : next;
        const field = line.slice(at, end);
        if (field.includes('"')) return this.#refuse('a quote only where it opens a field', field);
        this.fields.push(field);
        at = end;
      }
      if (at >= line.length) return this.#close();
      at += 1;
    }
  }

  /**
   * Index after the closing quote; undefined if the field continues on the next line or is
   * malformed.
   */
  #intoQuoted(line: string, from: number): number | undefined {
    for (let at = from; ; ) {
      const quote = line.indexOf('"', at);
      this.#quoted += line.slice(at, quote < 0 ? line.length : quote);
      if (quote < 0) return undefined;
      if (line[quote + 1] === '"') {
        this.#quoted += '"';
        at = quote + 2;
        continue;
      }
      if (quote + 1 < line.length && line[quote + 1] !== this.delimiter) {
        this.#refuse('a quoted field to end at its quote', line.slice(quote));
        return undefined;
      }
      this.fields.push(this.#quoted!);
      this.#quoted = undefined;
      return quote + 1;
    }
  }

  #refuse(expected: string, received: string): void {
    this.fault = [
      expected,
      excerpt(received),
      'Quote a field that has quotes, and double those inside it.',
    ];
  }

  #close(): void {
    this.open = false;
  }
}

function header(fields: readonly string[], where: LineLocation): string[] {
  const names = fields.map((each) => each.trim());
  const wrong = names.find((name, at) => name === '' || names.indexOf(name) !== at);
  if (wrong !== undefined)
    throw invalidLine(
      where,
      'a first row that names each column once',
      wrong === '' ? 'a column without a name' : `${excerpt(wrong)} twice`,
    );
  return names;
}

function byName(
  names: readonly string[],
  fields: readonly string[],
  where: LineLocation,
): Record<string, string> {
  if (fields.length !== names.length)
    throw invalidLine(where, `${names.length} fields, as the first row has`, `${fields.length}`);
  return Object.fromEntries(names.map((name, at) => [name, fields[at]!]));
}
