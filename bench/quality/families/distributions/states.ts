// Questions on the newest release of a distribution, or that in development, on a day.
import { addDays, addMonths, spell } from '../dates.js';
import type { Grades } from '../questions.js';
import { distance, type Judge, type State } from './judgments.js';
import { inDevelopment, newest, type Release } from './data.js';
import type { Random } from '../family.js';

interface Scene {
  count: number;
  distro: string;
  state: State;
  day: string;
  release: Release;
}

function askState(judge: Judge, scene: Scene, random: Random): void {
  const { family } = judge;
  const { count, distro, state, day, release } = scene;
  const ask = family.ask.bind(family);
  const what = { stable: 'stable release', lts: 'LTS release', devel: 'release in development' }[
    state
  ];
  const { entity, label, codename } = release;
  const answers = [label, entity, codename];
  const [relevant, evidence] = [
    judge.showing(release, state, day),
    judge.showing(release, state, day, day),
  ];
  const now = { asked_at: day, outdated: judge.outdated(release, state, evidence, day) };
  const fresh = distance(state === 'devel' ? release.created : release.release, day) < 90;
  const past = fresh ? { outdated: judge.outdated(release, state, relevant, day) } : {};
  const back = 3 + random.below(30);
  if (count % 4 === 0)
    ask(
      'as_of',
      [
        `What was the newest ${what} of ${distro} on ${spell(day)}?`,
        `${distro} ${what} as of ${spell(day, 2)}`,
        `As of ${spell(day, 1)}, which ${what} did ${distro} have last?`,
        `Suppose it is ${spell(day)}: which one is the latest ${distro} ${what}?`,
        `Back on ${spell(day)}, ${distro} users had which ${what} as the newest?`,
        `I need to know the most recent ${distro} ${what} by ${spell(day, 1)}.`,
      ],
      { entity: distro, answers, relevant, ...past },
    );
  else if (count % 4 === 1)
    ask(
      'current',
      [
        `What is the current ${what} of ${distro}?`,
        `current ${distro} ${what}`,
        `Which ${distro} ${what} do we have at the moment?`,
        `${distro} ${what} now`,
        `Please tell me the present ${what} of ${distro}.`,
        `At which ${what} does ${distro} stand today?`,
      ],
      { entity: distro, answers, relevant: evidence, ...now },
    );
  else if (count % 4 === 2)
    ask(
      'latest',
      [
        `What is the latest ${what} of ${distro}?`,
        `newest ${distro} ${what}`,
        `Which is the most recent ${what} of ${distro}?`,
        `last ${distro} ${what} so far`,
        `The latest of all ${distro} ${what}s, please.`,
        `Name the most recent one among the ${what}s of ${distro}.`,
      ],
      { entity: distro, answers, relevant: evidence, ...now },
    );
  else askBack(judge, scene, { what, answers, relevant }, back);
}

interface Answer {
  what: string;
  answers: string[];
  relevant: Grades;
}

function askBack({ family }: Judge, { distro, day }: Scene, answer: Answer, back: number): void {
  const { what, answers, relevant } = answer;
  family.ask(
    'before_date',
    [
      `${back} months before ${spell(addMonths(day, back))}, what was the newest ${what} of ${distro}?`,
      `newest ${distro} ${what} ${back} months prior to ${spell(addMonths(day, back), 2)}`,
      `Which ${what} did ${distro} have ${back} months earlier than ${spell(addMonths(day, back), 1)}?`,
      `Going ${back} months back from ${spell(addMonths(day, back))}: the latest ${distro} ${what}?`,
      `If I go back ${back} months from ${spell(addMonths(day, back), 1)}, which ${distro} ${what} was the newest?`,
      `${distro}, ${back} months before ${addMonths(day, back)}: ${what}?`,
    ],
    { entity: distro, answers, relevant },
  );
}

export function askStates(judge: Judge, random: Random): void {
  const { releases } = judge;
  for (let count = 0; count < 44; count++) {
    const distro = count % 5 < 2 ? 'Debian' : 'Ubuntu';
    const state: State =
      count % 5 === 4 ? 'lts' : count % 5 === 3 || count % 10 === 1 ? 'devel' : 'stable';
    const first =
      state === 'lts' ? '2006-07-01' : distro === 'Debian' ? '1996-08-01' : '2004-12-01';
    const day = addDays(first, random.below(distance(first, '2026-03-01')));
    const release =
      state === 'devel'
        ? inDevelopment(releases, distro, day)
        : newest(releases, distro, day, state === 'lts');
    if (!release) continue;
    askState(judge, { count, distro, state, day, release }, random);
  }
}
