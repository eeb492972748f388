// The commands of `asof` by group. Help and errors of arguments load a definition alone: the action
// imports the library.
import type { Action, Command } from './command.js';

/** Groups of `asof --help`, in its order. */
export type CommandGroup =
  | 'start'
  | 'servers'
  | 'maintenance'
  | 'evaluation'
  | 'training'
  | 'collections'
  | 'devices';

export interface Entry {
  name: string;
  group: CommandGroup;
  /** At most 58 characters, so that help fits 80 columns. */
  summary: string;
  definition(): Promise<{ command: Command }>;
  action(): Promise<{ run: Action }>;
}

export const entries: readonly Entry[] = [
  {
    name: 'demo',
    group: 'start',
    summary: 'index example passages and answer example questions',
    definition: () => import('./commands/demo.js'),
    action: () => import('./actions/demo.js'),
  },
  {
    name: 'index',
    group: 'start',
    summary: 'add passages to a corpus',
    definition: () => import('./commands/index.js'),
    action: () => import('./actions/index.js'),
  },
  {
    name: 'ask',
    group: 'start',
    summary: 'answer a question from a corpus, as of a time',
    definition: () => import('./commands/ask.js'),
    action: () => import('./actions/ask.js'),
  },
  {
    name: 'timeline',
    group: 'start',
    summary: 'the facts of one series in the order of time',
    definition: () => import('./commands/timeline.js'),
    action: () => import('./actions/timeline.js'),
  },
  {
    name: 'info',
    group: 'start',
    summary: 'size, times and encoder of a corpus; integrity check',
    definition: () => import('./commands/info.js'),
    action: () => import('./actions/info.js'),
  },
  {
    name: 'time tag',
    group: 'start',
    summary: 'dates and other times mentioned in texts',
    definition: () => import('./commands/timeTag.js'),
    action: () => import('./actions/timeTag.js'),
  },
  {
    name: 'time question',
    group: 'start',
    summary: 'time constraints of questions',
    definition: () => import('./commands/timeQuestion.js'),
    action: () => import('./actions/timeQuestion.js'),
  },
  {
    name: 'time tuple',
    group: 'start',
    summary: 'the main time of each text: year, month, day',
    definition: () => import('./commands/timeTuple.js'),
    action: () => import('./actions/timeTuple.js'),
  },
  {
    name: 'serve',
    group: 'servers',
    summary: 'corpora over HTTP with JSON, and a page to ask on',
    definition: () => import('./commands/serve.js'),
    action: () => import('./actions/serve.js'),
  },
  {
    name: 'mcp',
    group: 'servers',
    summary: 'serve a corpus as tools of agents',
    definition: () => import('./commands/mcp.js'),
    action: () => import('./actions/mcp.js'),
  },
  {
    name: 'list',
    group: 'maintenance',
    summary: 'passages that pass a filter, in an order; their number',
    definition: () => import('./commands/list.js'),
    action: () => import('./actions/list.js'),
  },
  {
    name: 'get',
    group: 'maintenance',
    summary: 'passages by id, as JSON lines',
    definition: () => import('./commands/get.js'),
    action: () => import('./actions/get.js'),
  },
  {
    name: 'delete',
    group: 'maintenance',
    summary: 'delete passages by id',
    definition: () => import('./commands/delete.js'),
    action: () => import('./actions/delete.js'),
  },
  {
    name: 'compact',
    group: 'maintenance',
    summary: 'merge segments, drop deleted passages',
    definition: () => import('./commands/compact.js'),
    action: () => import('./actions/compact.js'),
  },
  {
    name: 'verify',
    group: 'maintenance',
    summary: 'compare every checksum, record and id',
    definition: () => import('./commands/verify.js'),
    action: () => import('./actions/verify.js'),
  },
  {
    name: 'backup',
    group: 'maintenance',
    summary: 'copy a corpus while others write to it',
    definition: () => import('./commands/backup.js'),
    action: () => import('./actions/backup.js'),
  },
  {
    name: 'restore',
    group: 'maintenance',
    summary: 'what a backup holds, under programs that go on',
    definition: () => import('./commands/restore.js'),
    action: () => import('./actions/restore.js'),
  },
  {
    name: 'copy',
    group: 'maintenance',
    summary: 'passages and vectors into another corpus, or PostgreSQL',
    definition: () => import('./commands/copy.js'),
    action: () => import('./actions/copy.js'),
  },
  {
    name: 'repair',
    group: 'maintenance',
    summary: 'a new corpus of the readable passages of a damaged one',
    definition: () => import('./commands/repair.js'),
    action: () => import('./actions/repair.js'),
  },
  {
    name: 'eval',
    group: 'evaluation',
    summary: 'run systems over queries and score them',
    definition: () => import('./commands/eval.js'),
    action: () => import('./actions/eval.js'),
  },
  {
    name: 'metrics',
    group: 'evaluation',
    summary: "score an existing TREC run with trec_eval's metrics",
    definition: () => import('./commands/metrics.js'),
    action: () => import('./actions/metrics.js'),
  },
  {
    name: 'compare',
    group: 'evaluation',
    summary: 'compare systems over test collections, with significance',
    definition: () => import('./commands/compare.js'),
    action: () => import('./actions/compare.js'),
  },
  {
    name: 'report',
    group: 'evaluation',
    summary: 'HTML page of a comparison',
    definition: () => import('./commands/report.js'),
    action: () => import('./actions/report.js'),
  },
  {
    name: 'judge',
    group: 'evaluation',
    summary: 'judge temporal relevance of the documents of a run',
    definition: () => import('./commands/judge.js'),
    action: () => import('./actions/judge.js'),
  },
  {
    name: 'tempo info',
    group: 'evaluation',
    summary: 'check and describe the TEMPO benchmark in a folder',
    definition: () => import('./commands/tempoInfo.js'),
    action: () => import('./actions/tempoInfo.js'),
  },
  {
    name: 'tempo eval',
    group: 'evaluation',
    summary: 'run the tasks of the TEMPO benchmark',
    definition: () => import('./commands/tempoEval.js'),
    action: () => import('./actions/tempoEval.js'),
  },
  {
    name: 'tempo annotate',
    group: 'evaluation',
    summary: 'annotate queries and passages as TEMPO does',
    definition: () => import('./commands/tempoAnnotate.js'),
    action: () => import('./actions/tempoAnnotate.js'),
  },
  {
    name: 'train weights',
    group: 'training',
    summary: "tune a system's numeric options on judged questions",
    definition: () => import('./commands/trainWeights.js'),
    action: () => import('./actions/trainWeights.js'),
  },
  {
    name: 'train mine',
    group: 'training',
    summary: 'mine training triplets from a corpus',
    definition: () => import('./commands/trainMine.js'),
    action: () => import('./actions/trainMine.js'),
  },
  {
    name: 'train adapter',
    group: 'training',
    summary: 'train a low-rank adapter of an encoder',
    definition: () => import('./commands/trainAdapter.js'),
    action: () => import('./actions/trainAdapter.js'),
  },
  {
    name: 'train re3',
    group: 'training',
    summary: "train Re3's time encoder",
    definition: () => import('./commands/trainRe3.js'),
    action: () => import('./actions/trainRe3.js'),
  },
  {
    name: 'bench-data perturb',
    group: 'collections',
    summary: 'vary the time constraints of questions, not the answers',
    definition: () => import('./commands/perturb.js'),
    action: () => import('./actions/perturb.js'),
  },
  {
    name: 'bench-data beir',
    group: 'collections',
    summary: 'write passages, queries and judgements as a BEIR folder',
    definition: () => import('./commands/beir.js'),
    action: () => import('./actions/beir.js'),
  },
  {
    name: 'bench-data pool',
    group: 'collections',
    summary: 'candidate pool: relevant passages and hard negatives',
    definition: () => import('./commands/pool.js'),
    action: () => import('./actions/pool.js'),
  },
  {
    name: 'bench-data re2',
    group: 'collections',
    summary: 'test collection of conflicting versions, from records',
    definition: () => import('./commands/re2.js'),
    action: () => import('./actions/re2.js'),
  },
  {
    name: 'devices',
    group: 'devices',
    summary: 'devices that searches can run on',
    definition: () => import('./commands/devices.js'),
    action: () => import('./actions/devices.js'),
  },
];
