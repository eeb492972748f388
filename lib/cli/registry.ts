// The commands of `asof` by group; each module is loaded when its command runs.
import type { Command } from './command.js';

/** Groups of `asof --help`, in its order. */
export type CommandGroup = 'start' | 'evaluation' | 'training' | 'collections' | 'devices';

export interface Entry {
  name: string;
  group: CommandGroup;
  /** At most 58 characters, so that help fits 80 columns. */
  summary: string;
  load(): Promise<{ command: Command }>;
}

export const entries: readonly Entry[] = [
  {
    name: 'demo',
    group: 'start',
    summary: 'index example passages and answer example questions',
    load: () => import('./commands/demo.js'),
  },
  {
    name: 'index',
    group: 'start',
    summary: 'add passages to a corpus',
    load: () => import('./commands/index.js'),
  },
  {
    name: 'ask',
    group: 'start',
    summary: 'answer a question from a corpus, as of a time',
    load: () => import('./commands/ask.js'),
  },
  {
    name: 'info',
    group: 'start',
    summary: 'size, times and encoder of a corpus; integrity check',
    load: () => import('./commands/info.js'),
  },
  {
    name: 'time tag',
    group: 'start',
    summary: 'dates and other times mentioned in texts',
    load: () => import('./commands/timeTag.js'),
  },
  {
    name: 'time question',
    group: 'start',
    summary: 'time constraints of questions',
    load: () => import('./commands/timeQuestion.js'),
  },
  {
    name: 'time tuple',
    group: 'start',
    summary: 'the main time of each text: year, month, day',
    load: () => import('./commands/timeTuple.js'),
  },
  {
    name: 'eval',
    group: 'evaluation',
    summary: 'run systems over queries and score them',
    load: () => import('./commands/eval.js'),
  },
  {
    name: 'metrics',
    group: 'evaluation',
    summary: "score an existing TREC run with trec_eval's metrics",
    load: () => import('./commands/metrics.js'),
  },
  {
    name: 'compare',
    group: 'evaluation',
    summary: 'compare systems over test collections, with significance',
    load: () => import('./commands/compare.js'),
  },
  {
    name: 'report',
    group: 'evaluation',
    summary: 'HTML page of a comparison',
    load: () => import('./commands/report.js'),
  },
  {
    name: 'judge',
    group: 'evaluation',
    summary: 'judge temporal relevance of the documents of a run',
    load: () => import('./commands/judge.js'),
  },
  {
    name: 'tempo info',
    group: 'evaluation',
    summary: 'check and describe the TEMPO benchmark in a folder',
    load: () => import('./commands/tempoInfo.js'),
  },
  {
    name: 'tempo eval',
    group: 'evaluation',
    summary: 'run the tasks of the TEMPO benchmark',
    load: () => import('./commands/tempoEval.js'),
  },
  {
    name: 'tempo annotate',
    group: 'evaluation',
    summary: 'annotate queries and passages as TEMPO does',
    load: () => import('./commands/tempoAnnotate.js'),
  },
  {
    name: 'train weights',
    group: 'training',
    summary: "tune a system's numeric options on judged questions",
    load: () => import('./commands/trainWeights.js'),
  },
  {
    name: 'train mine',
    group: 'training',
    summary: 'mine training triplets from a corpus',
    load: () => import('./commands/trainMine.js'),
  },
  {
    name: 'train adapter',
    group: 'training',
    summary: 'train a low-rank adapter of an encoder',
    load: () => import('./commands/trainAdapter.js'),
  },
  {
    name: 'train re3',
    group: 'training',
    summary: "train Re3's time encoder",
    load: () => import('./commands/trainRe3.js'),
  },
  {
    name: 'bench-data perturb',
    group: 'collections',
    summary: 'vary the time constraints of questions, not the answers',
    load: () => import('./commands/perturb.js'),
  },
  {
    name: 'bench-data beir',
    group: 'collections',
    summary: 'write passages, queries and judgements as a BEIR folder',
    load: () => import('./commands/beir.js'),
  },
  {
    name: 'bench-data pool',
    group: 'collections',
    summary: 'candidate pool: relevant passages and hard negatives',
    load: () => import('./commands/pool.js'),
  },
  {
    name: 'bench-data re2',
    group: 'collections',
    summary: 'test collection of conflicting versions, from records',
    load: () => import('./commands/re2.js'),
  },
  {
    name: 'devices',
    group: 'devices',
    summary: 'devices that searches can run on',
    load: () => import('./commands/devices.js'),
  },
];
