// The wordings of the questions about release notes, by operator on time.
import type { Product } from './data.js';

export interface Words {
  /** The subject of the question. */
  x: string;
  p: Product;
  /** An expression of time. */
  t: string;
}
type Wordings = ((words: Words) => string)[];

export const asOf: Wordings = [
  ({ x, t }) => `As of ${t}, what was the newest change to ${x}?`,
  ({ x, t }) => `What had last been changed in ${x} by ${t}?`,
  ({ x, t }) => `${x} most recent change, state of ${t}`,
  ({ x, t }) => `Looking at the notes up to ${t}: in which release was ${x} last touched?`,
  ({ x, t }) => `I run a build from ${t}. Which fix or improvement of ${x} was the latest then?`,
  ({ x, t }) => `which release had the last work on ${x} as of ${t}`,
  ({ x, t }) => `Tell me the most recent entry on ${x} that existed by ${t}.`,
];
export const latest: Wordings = [
  ({ x }) => `What is the latest change to ${x}?`,
  ({ x }) => `newest entry about ${x}`,
  ({ x }) => `What was most recently fixed or added in ${x}?`,
  ({ x }) => `Which release last touched ${x}?`,
  ({ x }) => `Please show me the last thing that was done to ${x}`,
  ({ x }) => `${x}: most recent release note`,
];
export const first: Wordings = [
  ({ x }) => `What is the first mention of ${x} in the release notes?`,
  ({ x }) => `earliest change to ${x}`,
  ({ x }) => `Which release was the first to deal with ${x}?`,
  ({ x }) => `Where in the notes is ${x} named for the first time?`,
  ({ x }) => `I am writing a history of ${x}: what is the oldest entry?`,
  ({ x }) => `At the first appearance of ${x} in the change log, what was said?`,
];
export const lastBefore: Wordings = [
  ({ x, t }) => `What was the last change to ${x} before ${t}?`,
  ({ x, t }) => `last work on ${x} prior to ${t}`,
  ({ x, t }) => `Before ${t}, which release was the last with something on ${x}?`,
  ({ x, t }) => `${x} - final change preceding ${t}`,
  ({ x, t }) => `Which fix or feature of ${x} came right before ${t}?`,
  ({ x, t }) => `Until ${t} came, what had most recently been done about ${x}?`,
];
export const firstAfter: Wordings = [
  ({ x, t }) => `What was the first change to ${x} after ${t}?`,
  ({ x, t }) => `next change in ${x} following ${t}`,
  ({ x, t }) => `After ${t}, which release was the first with something on ${x}?`,
  ({ x, t }) => `Which was the next release note about ${x} once ${t} had passed?`,
  ({ x, t }) => `first thing done to ${x} later than ${t}`,
  ({ x, t }) => `I upgraded at ${t}; what came next for ${x}?`,
];
export const inPeriod: Wordings = [
  ({ x, t }) => `What changed in ${x} in ${t}?`,
  ({ x, t }) => `${x} changes ${t}`,
  ({ x, t }) => `In ${t}, what work was done on ${x}?`,
  ({ x, t }) => `Which fixes or features did ${x} receive in ${t}?`,
  ({ x, t }) => `List what the releases of ${t} say about ${x}.`,
  ({ x, t }) => `I need everything new in ${x} during ${t}`,
];
export const between: Wordings = [
  ({ x, t }) => `What was done to ${x} ${t}?`,
  ({ x, t }) => `changes to ${x} ${t}`,
  ({ x, t }) => `${t}: which releases had something on ${x}?`,
  ({ x, t }) => `Which fixes did ${x} see ${t}?`,
  ({ x, t }) => `How did ${x} develop ${t}?`,
  ({ x, t }) => `give me the release notes on ${x} ${t}`,
];
export const since: Wordings = [
  ({ x, t }) => `What has changed in ${x} since ${t}?`,
  ({ x, t }) => `${x} changes since the beginning of ${t}`,
  ({ x, t }) => `Since ${t}, which fixes has ${x} had?`,
  ({ x, t }) => `Our copy dates from before ${t}. What has happened to ${x} from then on?`,
  ({ x, t }) => `everything that was done about ${x} from ${t} onward`,
  ({ x, t }) => `Have there been changes to ${x} since ${t}, and which?`,
];
export const when: Wordings = [
  ({ x, p }) => `When did ${p} get ${x}?`,
  ({ x, p }) => `${p} ${x} introduced when`,
  ({ x, p }) => `In which year did ${p} add ${x}?`,
  ({ x, p }) => `Since when has ${p} had ${x}?`,
  ({ x, p }) => `I need the date on which ${x} came to ${p}.`,
  ({ x, p }) => `release date of the ${p} version that brought ${x}`,
];
export const firstRelease: Wordings = [
  ({ x, p }) => `Which was the first release of ${p} with ${x}?`,
  ({ x, p }) => `first ${p} version to have ${x}`,
  ({ x, p }) => `What is the minimum version of ${p} if I want ${x}?`,
  ({ x, p }) => `From which release of ${p} on can I rely on ${x}?`,
  ({ x, p }) => `Which ${p} release introduced ${x}?`,
  ({ x, p }) => `Earliest version of ${p} offering ${x}, please`,
];
export const currentRelease: Wordings = [
  ({ x }) => `What is the current release of ${x}?`,
  ({ x }) => `latest ${x} version now`,
  ({ x }) => `Which version of ${x} should I download today?`,
  ({ x }) => `What does the newest ${x} release contain?`,
  ({ x }) => `Is there a new ${x}? Which number has it?`,
  ({ x }) => `up-to-date version number of ${x}`,
];
export const releaseAsOf: Wordings = [
  ({ x, t }) => `Which release of ${x} was current on ${t}?`,
  ({ x, t }) => `newest ${x} version as of ${t}`,
  ({ x, t }) => `On ${t}, what was the most recent ${x} one could install?`,
  ({ x, t }) => `What did the ${x} release that was the newest on ${t} change?`,
  ({ x, t }) => `${t}: up-to-date ${x} version`,
  ({ x, t }) => `I set up a server on ${t} with the newest ${x}. Which version is it?`,
];
export const currentSetting: Wordings = [
  ({ x }) => `Which is the ${x} at present?`,
  ({ x }) => `current ${x}`,
  ({ x }) => `Can you tell me the ${x} now?`,
  ({ x }) => `What is the ${x} these days?`,
  ({ x }) => `up-to-date ${x}`,
  ({ x }) => `the ${x} today`,
];
export const settingAsOf: Wordings = [
  ({ x, t }) => `On ${t}, which was the ${x}?`,
  ({ x, t }) => `${x} as of ${t}`,
  ({ x, t }) => `What was the newest ${x} on ${t}?`,
  ({ x, t }) => `By ${t}, to what had the ${x} been updated?`,
  ({ x, t }) => `I need the ${x} as it was on ${t}.`,
  ({ x, t }) => `state of ${t}: ${x}`,
];
