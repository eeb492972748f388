// Wordings of questions about the versions of npm packages, by operator on time, and about the
// versions of their dependencies.
import type { FamilyQuestion } from '../family.js';

export type Wording = (name: string, time: string) => string;

export const versionWordings: Record<
  Exclude<FamilyQuestion['class'], 'when' | 'undated'>,
  Wording[]
> = {
  as_of: [
    (name, time) => `Which version of ${name} was the newest as of ${time}?`,
    (name, time) => `${name} version as of ${time}`,
    (name, time) => `At ${time}, what was the current release of ${name}?`,
    (name, time) => `What would npm have installed as ${name} on ${time}?`,
    (name, time) => `I need to know which ${name} was up to date at ${time}.`,
    (name, time) => `as of ${time}: latest ${name}`,
  ],
  current: [
    (name) => `What is the current version of ${name}?`,
    (name) => `current ${name} release`,
    (name) => `Which version of ${name} is up to date now?`,
    (name) => `Can you tell me where ${name} stands at the moment?`,
    (name) => `${name}: what version are we at today`,
    (name) => `Which ${name} should I install to be current?`,
  ],
  latest: [
    (name) => `What changed in the latest release of ${name}?`,
    (name) => `most recent ${name} release`,
    (name) => `When was the last release of ${name}, and what is its number?`,
    (name) => `newest version of ${name}`,
    (name) => `Please give me the latest version number of ${name}.`,
    (name) => `${name}, last entry of its changelog`,
  ],
  first: [
    (name, time) => `What was the first release of ${name} in ${time}?`,
    (name, time) => `${name} first version of ${time}`,
    (name, time) => `Which ${name} opened the year ${time}?`,
    (name, time) => `In ${time}, what did ${name} publish first?`,
    (name, time) => `earliest ${time} release of ${name}`,
    (name, time) => `Tell me the earliest version that ${name} released in ${time}.`,
  ],
  last_before: [
    (name, time) => `What was the last release of ${name} before ${time}?`,
    (name, time) => `${name} last version before ${time}`,
    (name, time) => `Which ${name} release directly preceded ${time}?`,
    (name, time) => `Before ${time}, what did ${name} publish most recently?`,
    (name, time) => `I want the ${name} that came out just before ${time}.`,
    (name, time) => `final ${name} prior to ${time}`,
  ],
  first_after: [
    (name, time) => `What was the first release of ${name} after ${time}?`,
    (name, time) => `next ${name} version after ${time}`,
    (name, time) => `Which ${name} followed ${time}?`,
    (name, time) => `After ${time}, which version did ${name} bring out first?`,
    (name, time) => `${name}: first one following ${time}`,
    (name, time) => `What came next from ${name} once ${time} had passed?`,
  ],
  in: [
    (name, time) => `Which versions of ${name} were released in ${time}?`,
    (name, time) => `${name} releases ${time}`,
    (name, time) => `What did ${name} change in ${time}?`,
    (name, time) => `In ${time}, was there a new ${name}?`,
    (name, time) => `List what ${name} published during ${time}.`,
    (name, time) => `changes to ${name}, ${time}`,
  ],
  between: [
    (name, time) => `Which versions did ${name} release between ${time.replace('..', 'and')}?`,
    (name, time) => `${name} changes from ${time.replace('..', 'to')}`,
    (name, time) => `What happened to ${name} from ${time.replace('..', 'until')}?`,
    (name, time) => `between ${time.replace('..', 'and')}: ${name} releases`,
    (name, time) => `Show me the work on ${name} between ${time.replace('..', 'and')}.`,
    (name, time) => `Were there ${name} releases from ${time.replace('..', 'through')}?`,
  ],
  before_date: [
    (name, time) => `Which ${name} was the newest ${time}?`,
    (name, time) => `${name} version ${time}`,
    (name, time) => `What was the up-to-date ${name} release ${time}?`,
    (name, time) => `Going back ${time}: which ${name} was out?`,
    (name, time) => `Somebody installed ${name} ${time}; which version did they get?`,
    (name, time) => `latest ${name} as it stood ${time}`,
  ],
  since: [
    (name, time) => `What has ${name} released since ${time}?`,
    (name, time) => `${name} changes since ${time}`,
    (name, time) => `Since ${time}, which new versions of ${name} have there been?`,
    (name, time) => `I last updated ${name} on ${time}. What did I miss?`,
    (name, time) => `what is new in ${name} since ${time}`,
    (name, time) => `Have there been ${name} releases since ${time}, and which?`,
  ],
};

export const whenWordings: ((name: string, version: string) => string)[] = [
  (name, version) => `When was ${name} ${version} released?`,
  (name, version) => `${name} ${version} release date`,
  (name, version) => `On which day did version ${version} of ${name} come out?`,
  (name, version) => `What is the date of ${name} ${version}?`,
  (name, version) => `How old is ${version} of ${name}? I need its date.`,
  (name, version) => `date of ${name}@${version}`,
];

type DependencyWording = (name: string, dependency: string, time: string) => string;

export const dependencyWordings: Record<
  'as_of' | 'before_date' | 'when' | 'current',
  DependencyWording[]
> = {
  as_of: [
    (name, dependency, time) =>
      `Which version of ${dependency} did ${name} depend on as of ${time}?`,
    (name, dependency, time) => `${dependency} inside ${name} as of ${time}`,
    (name, dependency, time) => `At ${time}, what ${dependency} was ${name} built upon?`,
    (name, dependency, time) => `${name} dependencies at ${time}: ${dependency}`,
    (name, dependency, time) => `What ${dependency} did people get through ${name} as of ${time}?`,
    (name, dependency, time) =>
      `I need the ${dependency} version required by ${name} as of ${time}.`,
  ],
  before_date: [
    (name, dependency, time) => `Which ${dependency} was required by ${name} ${time}?`,
    (name, dependency, time) => `${name} ${dependency} dependency ${time}`,
    (name, dependency, time) => `Going back ${time}: what ${dependency} did ${name} use?`,
    (name, dependency, time) => `What version of ${dependency} did ${name} pull in ${time}?`,
    (name, dependency, time) => `${dependency} version in ${name}, ${time}`,
    (name, dependency, time) => `Which ${dependency} had ${name} settled on ${time}?`,
  ],
  when: [
    (name, dependency, value) => `When did ${name} move to ${dependency} ${value}?`,
    (name, dependency, value) => `date on which ${name} took ${dependency} ${value}`,
    (name, dependency, value) => `On what day was ${dependency} raised to ${value} in ${name}?`,
    (name, dependency, value) => `${name} upgrade to ${dependency}@${value} when`,
    (name, dependency, value) => `Please find out when ${name} adopted ${value} of ${dependency}.`,
    (name, dependency, value) => `Since what date does ${name} require ${dependency} ${value}?`,
  ],
  current: [
    (name, dependency) => `Which ${dependency} does ${name} currently depend on?`,
    (name, dependency) => `${name} ${dependency} version now`,
    (name, dependency) => `What version of ${dependency} comes with ${name} at present?`,
    (name, dependency) => `Is ${name} up to date with ${dependency}, and which version is it?`,
    (name, dependency) => `current ${dependency} dependency of ${name}`,
    (name, dependency) => `Which ${dependency} version do I get with ${name} today?`,
  ],
};

/** Wordings that name one version and no time. */
export const undatedWordings: Wording[] = [
  (name, version) => `What changed in ${name} ${version}?`,
  (name, version) => `${name} ${version} changelog`,
  (name, version) => `What is in version ${version} of ${name}?`,
  (name, version) => `I would like to see the release notes of ${name}@${version}.`,
  (name, version) => `fixes contained in ${version} of ${name}`,
  (name, version) => `Does upgrading ${name} to ${version} bring anything?`,
];
