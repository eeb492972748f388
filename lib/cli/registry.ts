// The commands of `asof` by group: its own, and those of its packages, which are loaded from there.
import type { CommandModule, Commands } from './command.js';
import { loadPackage } from './packages.js';

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
  load(): Promise<CommandModule>;
}

async function fromPackage(owner: string, name: string): Promise<CommandModule> {
  const { commands } = await loadPackage<{ commands: Commands }>(
    `${owner}/commands`,
    `for asof ${name}`,
  );
  return commands[name]!();
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
    name: 'timeline',
    group: 'start',
    summary: 'the facts of one series in the order of time',
    load: () => import('./commands/timeline.js'),
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
    name: 'serve',
    group: 'servers',
    summary: 'corpora over HTTP with JSON, and a page to ask on',
    load: () => fromPackage('@asof/server', 'serve'),
  },
  {
    name: 'mcp',
    group: 'servers',
    summary: 'serve a corpus as tools of agents',
    load: () => fromPackage('@asof/server', 'mcp'),
  },
  {
    name: 'list',
    group: 'maintenance',
    summary: 'passages that pass a filter, in an order; their number',
    load: () => import('./commands/list.js'),
  },
  {
    name: 'get',
    group: 'maintenance',
    summary: 'passages by id, as JSON lines',
    load: () => import('./commands/get.js'),
  },
  {
    name: 'delete',
    group: 'maintenance',
    summary: 'delete passages by id',
    load: () => import('./commands/delete.js'),
  },
  {
    name: 'compact',
    group: 'maintenance',
    summary: 'merge segments, drop deleted passages',
    load: () => import('./commands/compact.js'),
  },
  {
    name: 'verify',
    group: 'maintenance',
    summary: 'compare every checksum, record and id',
    load: () => import('./commands/verify.js'),
  },
  {
    name: 'backup',
    group: 'maintenance',
    summary: 'copy a corpus while others write to it',
    load: () => import('./commands/backup.js'),
  },
  {
    name: 'restore',
    group: 'maintenance',
    summary: 'what a backup holds, under programs that go on',
    load: () => import('./commands/restore.js'),
  },
  {
    name: 'copy',
    group: 'maintenance',
    summary: 'passages and vectors into another corpus, or PostgreSQL',
    load: () => import('./commands/copy.js'),
  },
  {
    name: 'repair',
    group: 'maintenance',
    summary: 'a new corpus of the readable passages of a damaged one',
    load: () => import('./commands/repair.js'),
  },
  {
    name: 'eval',
    group: 'evaluation',
    summary: 'run systems over queries and score them',
    load: () => fromPackage('@asof/evaluation', 'eval'),
  },
  {
    name: 'metrics',
    group: 'evaluation',
    summary: "score an existing TREC run with trec_eval's metrics",
    load: () => fromPackage('@asof/evaluation', 'metrics'),
  },
  {
    name: 'compare',
    group: 'evaluation',
    summary: 'compare systems over test collections, with significance',
    load: () => fromPackage('@asof/evaluation', 'compare'),
  },
  {
    name: 'report',
    group: 'evaluation',
    summary: 'HTML page of a comparison',
    load: () => fromPackage('@asof/evaluation', 'report'),
  },
  {
    name: 'judge',
    group: 'evaluation',
    summary: 'judge temporal relevance of the documents of a run',
    load: () => fromPackage('@asof/evaluation', 'judge'),
  },
  {
    name: 'tempo info',
    group: 'evaluation',
    summary: 'check and describe the TEMPO benchmark in a folder',
    load: () => fromPackage('@asof/evaluation', 'tempo info'),
  },
  {
    name: 'tempo eval',
    group: 'evaluation',
    summary: 'run the tasks of the TEMPO benchmark',
    load: () => fromPackage('@asof/evaluation', 'tempo eval'),
  },
  {
    name: 'tempo annotate',
    group: 'evaluation',
    summary: 'annotate queries and passages as TEMPO does',
    load: () => fromPackage('@asof/evaluation', 'tempo annotate'),
  },
  {
    name: 'train weights',
    group: 'training',
    summary: "tune a system's numeric options on judged questions",
    load: () => fromPackage('@asof/training', 'train weights'),
  },
  {
    name: 'train mine',
    group: 'training',
    summary: 'mine training triplets from a corpus',
    load: () => fromPackage('@asof/training', 'train mine'),
  },
  {
    name: 'train adapter',
    group: 'training',
    summary: 'train a low-rank adapter of an encoder',
    load: () => fromPackage('@asof/training', 'train adapter'),
  },
  {
    name: 'train re3',
    group: 'training',
    summary: "train Re3's time encoder",
    load: () => fromPackage('@asof/training', 'train re3'),
  },
  {
    name: 'bench-data perturb',
    group: 'collections',
    summary: 'vary the time constraints of questions, not the answers',
    load: () => fromPackage('@asof/evaluation', 'bench-data perturb'),
  },
  {
    name: 'bench-data beir',
    group: 'collections',
    summary: 'write passages, queries and judgements as a BEIR folder',
    load: () => fromPackage('@asof/evaluation', 'bench-data beir'),
  },
  {
    name: 'bench-data pool',
    group: 'collections',
    summary: 'candidate pool: relevant passages and hard negatives',
    load: () => fromPackage('@asof/evaluation', 'bench-data pool'),
  },
  {
    name: 'bench-data re2',
    group: 'collections',
    summary: 'test collection of conflicting versions, from records',
    load: () => fromPackage('@asof/evaluation', 'bench-data re2'),
  },
  {
    name: 'devices',
    group: 'devices',
    summary: 'devices that searches can run on',
    load: () => import('./commands/devices.js'),
  },
];
