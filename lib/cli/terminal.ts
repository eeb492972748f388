// Terminal output: results to standard output, messages and progress bars to standard error.
import type { Progress } from '../records.js';
import { withoutCredentials } from './credentials.js';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const codes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export interface ProgressBar {
  /** A total of 0 or Infinity is unknown: counts without a bar. */
  update(progress: Progress): void;
  /** Removes the bar. */
  end(): void;
}

export interface Terminal {
  /** Width of the layout. */
  readonly columns: number;
  readonly json: boolean;
  /** Writes to standard output, with backpressure. */
  print(text: string): Promise<void>;
  /** Writes a line to standard error, above the progress bar. */
  say(text: string): void;
  printJson(value: unknown): Promise<void>;
  style(text: string, ...styles: Style[]): string;
  progress(label: string, unit: string): ProgressBar;
  /**
   * Shows the end of a text as one line, where a progress bar would be; '' removes it. Undefined
   * where no bars are shown.
   */
  readonly status: ((text: string) => void) | undefined;
}

const redrawMilliseconds = 100;
/** Shorter work shows no bar. */
const barDelayMilliseconds = 300;

/** Where a command line writes, and its environment: `process`, or what a test collects. */
export interface Streams {
  stdout: Output;
  stderr: Output;
  env: NodeJS.ProcessEnv;
}

type Output = Pick<NodeJS.WriteStream, 'write' | 'once'> & { isTTY?: boolean; columns?: number };

export function createTerminal(
  options: { json: boolean },
  { stdout, stderr, env }: Streams = process,
): Terminal {
  const coloured = stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  const bars = stderr.isTTY && !options.json && env['TERM'] !== 'dumb';
  let shown = '';

  const print = (text: string): Promise<void> => {
    if (shown !== '') stderr.write('\r\x1b[K');
    if (stdout.write(text)) return Promise.resolve();
    return new Promise((resolve) => void stdout.once('drain', resolve));
  };

  return {
    columns: Math.min(100, Math.max(60, stdout.columns || 100)),
    json: options.json,
    print,
    printJson: (value) => print(`${JSON.stringify(value, null, stdout.isTTY ? 2 : 0)}\n`),
    say: (text) => {
      const line = withoutCredentials(text);
      stderr.write(shown === '' ? `${line}\n` : `\r\x1b[K${line}\n${shown}`);
    },
    style: (text, ...styles) =>
      coloured
        ? styles.reduce(
            (inner, style) => `\x1b[${codes[style][0]}m${inner}\x1b[${codes[style][1]}m`,
            text,
          )
        : text,
    status: bars
      ? (text) => {
          const room = (stderr.columns || 80) - 1;
          shown = [...text.replace(/[\s\p{Cc}]+/gu, ' ')].slice(-room).join('');
          stderr.write(`\r\x1b[K${shown}`);
        }
      : undefined,
    progress(label, unit) {
      const started = performance.now();
      let drawn = -Infinity;
      return {
        update(progress) {
          const now = performance.now();
          if (!bars || now - started < barDelayMilliseconds || now - drawn < redrawMilliseconds)
            return;
          drawn = now;
          shown = barText(label, unit, progress, (now - started) / 1000, stderr.columns || 80);
          stderr.write(`\r\x1b[K${shown}`);
        },
        end() {
          if (shown !== '') stderr.write('\r\x1b[K');
          shown = '';
        },
      };
    },
  };
}

/** Runs work under a progress bar; its result, and the milliseconds that it took. */
export async function timed<Result>(
  bar: ProgressBar,
  work: (onProgress: ProgressBar['update']) => Promise<Result>,
): Promise<[result: Result, milliseconds: number]> {
  const started = performance.now();
  const result = await work(bar.update).finally(bar.end);
  return [result, performance.now() - started];
}

/** One line: label, bar, counts, rate and remaining time, no wider than the terminal. */
export function barText(
  label: string,
  unit: string,
  { done, total }: Progress,
  seconds: number,
  columns: number,
): string {
  const rate = done / Math.max(seconds, 1e-3);
  const known = Number.isFinite(total) && total > 0;
  const counts = known ? `${whole(done)} of ${whole(total)} ${unit}` : `${whole(done)} ${unit}`;
  const left = known && seconds > 1 && done > 0 ? `  ${clock((total - done) / rate)} left` : '';
  const tail = `${counts}  ${whole(rate)}/s${left}`;
  const room = Math.min(30, columns - label.length - tail.length - 6);
  const share = known ? Math.min(1, done / total) : 0;
  const bar =
    known && room >= 8 ? `${'█'.repeat(Math.round(share * room)).padEnd(room, '░')}  ` : '';
  return `${label}  ${bar}${tail}`.slice(0, Math.max(10, columns - 1));
}

/** A whole number with thousands separated: 12,345. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Milliseconds in a readable unit: 0.41 ms, 12 ms, 1.3 s, 2 min 5 s. */
export function duration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(2)} ms`;
  if (milliseconds < 1000) return `${milliseconds.toFixed(0)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
}

/** Bytes with a unit of 1024: 3.4 MiB. */
export function bytes(count: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(count) / 10));
  return power === 0 ? `${count} bytes` : `${(count / 1024 ** power).toFixed(1)} ${units[power]}`;
}

function clock(seconds: number): string {
  const rounded = Math.ceil(seconds);
  return `${Math.floor(rounded / 60)}:${String(rounded % 60).padStart(2, '0')}`;
}
