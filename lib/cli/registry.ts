// The commands of `asof` by group: its own, and those of its packages, which are loaded from there.
import type { CommandModule, Commands } from './command.js';
import { loadPackage } from './packages.js';

export interface Entry {
  name: string;
  /** Of its group in `asof --help`. */
  heading: string;
  summary: string;
  load(): Promise<CommandModule>;
}

const own: Commands = {
  demo: () => import('./commands/demo.js'),
  index: () => import('./commands/indexPassages.js'),
  ask: () => import('./commands/ask.js'),
  timeline: () => import('./commands/timeline.js'),
  info: () => import('./commands/info.js'),
  'time tag': () => import('./commands/timeTag.js'),
  'time question': () => import('./commands/timeQuestion.js'),
  'time tuple': () => import('./commands/timeTuple.js'),
  completion: async () => (await import('./commands/completion.js')).completion(entries),
  list: () => import('./commands/list.js'),
  get: () => import('./commands/get.js'),
  delete: () => import('./commands/delete.js'),
  update: () => import('./commands/update.js'),
  fields: () => import('./commands/fields.js'),
  compact: () => import('./commands/compact.js'),
  verify: () => import('./commands/verify.js'),
  backup: () => import('./commands/backup.js'),
  restore: () => import('./commands/restore.js'),
  copy: () => import('./commands/copy.js'),
  repair: () => import('./commands/repair.js'),
  devices: () => import('./commands/devices.js'),
};

/** In the order of help, with summaries of at most 58 characters: 80 columns. */
const groups: readonly {
  heading: string;
  /** The package that has the commands which are not asof's own. */
  owner?: string;
  commands: Readonly<Record<string, string>>;
}[] = [
  {
    heading: 'Commands',
    commands: {
      demo: 'index example passages and answer example questions',
      index: 'add passages to a corpus',
      ask: 'answer a question from a corpus, as of a time',
      timeline: 'the facts of one series in the order of time',
      info: 'size, times and encoder of a corpus; integrity check',
      'time tag': 'dates and other times mentioned in texts',
      'time question': 'time constraints of questions',
      'time tuple': 'the main time of each text: year, month, day',
      completion: 'completion of commands and options for bash, zsh, fish',
    },
  },
  {
    heading: 'Servers',
    owner: '@asof/server',
    commands: {
      serve: 'corpora over HTTP with JSON, and a page to ask on',
      mcp: 'serve a corpus as tools of agents',
    },
  },
  {
    heading: 'Maintenance of a corpus',
    commands: {
      list: 'passages that pass a filter, in an order; their number',
      get: 'passages by id, as JSON lines',
      delete: 'delete passages by id',
      update: 'change times and metadata of passages, or their series',
      fields: 'add, rename and drop fields that filters name',
      compact: 'merge segments, drop deleted passages',
      verify: 'compare every checksum, record and id',
      backup: 'copy a corpus while others write to it',
      restore: 'what a backup holds, under programs that go on',
      copy: 'passages and vectors into another corpus, or a server',
      repair: 'a new corpus of the readable passages of a damaged one',
    },
  },
  {
    heading: 'Evaluation',
    owner: '@asof/evaluation',
    commands: {
      eval: 'run systems over queries and score them',
      metrics: "score an existing TREC run with trec_eval's metrics",
      compare: 'compare systems over test collections, with significance',
      report: 'HTML page of a comparison',
      paper: "a paper's tables: ours beside the published figures",
      judge: 'judge temporal relevance of the documents of a run',
      'tempo info': 'check and describe the TEMPO benchmark in a folder',
      'tempo eval': 'run the tasks of the TEMPO benchmark',
      'tempo annotate': 'annotate queries and passages as TEMPO does',
    },
  },
  {
    heading: 'Training',
    owner: '@asof/training',
    commands: {
      'train weights': "tune a system's numeric options on judged questions",
      'train mine': 'mine training triplets from a corpus',
      'train adapter': 'train a low-rank adapter of an encoder',
      'train lora': 'fine-tune an encoder by LoRA, alone or with a time encoder',
      'train re3': "train Re3's time encoder",
    },
  },
  {
    heading: 'Test collections',
    owner: '@asof/evaluation',
    commands: {
      'bench-data perturb': 'vary the time constraints of questions, not the answers',
      'bench-data beir': 'write passages, queries and judgements as a BEIR folder',
      'bench-data pool': 'candidate pool: relevant passages and hard negatives',
      'bench-data re2': 'test collection of conflicting versions, from records',
    },
  },
  { heading: 'Devices', commands: { devices: 'devices that searches can run on' } },
];

export const entries: readonly Entry[] = groups.flatMap(({ heading, owner, commands }) =>
  Object.entries(commands).map(([name, summary]) => ({
    name,
    heading,
    summary,
    load: own[name] ?? (() => fromPackage(owner!, name)),
  })),
);

async function fromPackage(owner: string, name: string): Promise<CommandModule> {
  const { commands } = await loadPackage<{ commands: Commands }>(
    `${owner}/commands`,
    `for asof ${name}`,
  );
  return commands[name]!();
}
