// The table of models/README.md: the embedded encoder against another one in whole systems. Figures
// are kept with their number of questions and their commit, in a file next to the corpora, since
// another encoder takes hours over everything: one run measures a part, and the table has all that
// the folder holds. It measures nothing.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

interface Figure {
  value: number;
  questions: number;
  commit: string;
  /** Whether only a sample was evaluated. */
  sample?: true;
}

/** Set, then system with the encoder's label. */
export type EncoderFigures = Record<string, Record<string, Figure>>;

export function readFigures(file: string): EncoderFigures {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as EncoderFigures) : {};
}

export function keepFigure(file: string, set: string, system: string, figure: Figure): void {
  const figures = readFigures(file);
  writeFileSync(
    file,
    `${JSON.stringify({ ...figures, [set]: { ...figures[set], [system]: figure } }, null, 1)}\n`,
  );
}

const sets: [set: string, label: string, papers: string][] = [
  ['nobel/queries', 'nobel, years', ''],
  ['nobel/queries-born', 'nobel, decades of birth', ''],
  ['timeqa/queries-easy', 'timeqa easy', ''],
  [
    'timeqa/queries-hard',
    'timeqa hard',
    'MRAG 0.37, Contriever and Gemma 0.26, Contriever 0.10, BM25 0.04',
  ],
  ['tennis/queries-same-year', 'tennis, same year', 'TempRALM 0.63, Atlas 0.54'],
  ['tennis/queries-next-year', 'tennis, next year', 'TempRALM 0.64, Atlas 0.24'],
  ['tennis/queries-anytime', 'tennis, any day', ''],
  ['cranfield/queries', 'cranfield, nDCG@10', ''],
];
const systems = ['dense', 'tempralm', 'mrag', 'hybrid'];

/**
 * Lines of Markdown: a row a set, each system against itself with the encoder of `label`, and which
 * commit each column is of.
 */
export function encoderTable(figures: EncoderFigures, label: string): string[] {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const shown = sets.filter(([set]) => figures[set]);
  const lines = shown.map(([set, name, papers]) => {
    const of = figures[set]!;
    const most = Math.max(...Object.values(of).map(({ questions }) => questions));
    const cell = (system: string): string => {
      const figure = of[system];
      if (!figure) return 'not run';
      return `${figure.value.toFixed(3)}${figure.questions < most ? ` (${figure.questions})` : ''}`;
    };
    return row([
      `${name} (${most})`,
      cell('bm25'),
      ...systems.flatMap((system) => [cell(system), cell(`${system}${label}`)]),
      papers,
    ]);
  });
  const heads = [
    'set (questions)',
    'bm25',
    ...systems.flatMap((system) => [system, label.trim()]),
    'the papers',
  ];
  const commits = ['bm25', ...systems].map((system) => {
    const seen = new Set(
      shown.flatMap(([set]) =>
        [system, `${system}${label}`].flatMap((each) => figures[set]![each]?.commit ?? []),
      ),
    );
    return `${system} at ${[...seen].join(' and ')}`;
  });
  const told = `hit@1, on Cranfield nDCG@10; a sample where the set has more questions. Commits: ${commits.join(', ')}.`;
  return [told, '', row(heads), row(heads.map(() => '---')), ...lines];
}
