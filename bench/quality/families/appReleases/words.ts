// Wordings of questions about releases of Electron and the components bundled with them.
import type { FamilyQuestion } from '../family.js';
import type { Component } from './data.js';

/** The values that a wording contains. */
export interface Slots {
  /** "Electron 13", "the Electron 13 beta channel" */
  who: string;
  /** "Electron 13 release" */
  one: string;
  /** "Electron 13 releases" */
  many: string;
  /** "as of 3 May 2021", "after 2020", and so on; for `when`, the value in question. */
  time: string;
}

type Wording = (slots: Slots) => string;
type Class = FamilyQuestion['class'];

export const releaseWordings: Record<Exclude<Class, 'undated'>, Wording[]> = {
  as_of: [
    ({ one, time }) => `What was the newest ${one} ${time}?`,
    ({ one, time }) => `${time}, which ${one} was the most recent one?`,
    ({ one, time }) => `newest ${one} ${time}`,
    ({ one, time }) => `I need to know which ${one} was current ${time}.`,
    ({ one, time }) => `Which ${one} would a fully updated machine have had ${time}?`,
    ({ many, time }) => `How far had the ${many} come ${time}? Version number please`,
    ({ who, time }) => `latest version number of ${who} ${time}`,
  ],
  current: [
    ({ one }) => `What is the current ${one}?`,
    ({ one }) => `which ${one} should I be on right now`,
    ({ who }) => `I'd like to upgrade today. What version is ${who} at?`,
    ({ one }) => `up-to-date ${one}`,
    ({ many }) => `Of the ${many}, which is the one in use now?`,
    ({ who }) => `Where does ${who} stand at the moment?`,
    ({ who }) => `current version of ${who}`,
  ],
  latest: [
    ({ one }) => `What is the latest ${one}?`,
    ({ one }) => `most recent ${one}`,
    ({ many }) => `Which of the ${many} came out last?`,
    ({ one }) => `Could you tell me the newest ${one} you know of?`,
    ({ who }) => `last version published for ${who}`,
    ({ one }) => `Show me the final ${one}.`,
  ],
  first: [
    ({ one }) => `What was the first ${one}?`,
    ({ one }) => `earliest ${one}`,
    ({ many }) => `With which version did the ${many} begin?`,
    ({ who }) => `What did ${who} start with, as a version?`,
    ({ many }) => `Please name the oldest of the ${many}.`,
    ({ one }) => `Which ${one} opened the series?`,
  ],
  last_before: [
    ({ one, time }) => `What was the last ${one} ${time}?`,
    ({ many, time }) => `Which of the ${many} was the final one ${time}?`,
    ({ one, time }) => `last ${one} ${time}`,
    ({ one, time }) => `We froze our dependencies back then. Which ${one} came out last ${time}?`,
    ({ one, time }) => `${time}, what had been the most recent ${one}?`,
    ({ one, time }) => `Find the ${one} that was published most recently ${time}, please.`,
  ],
  first_after: [
    ({ one, time }) => `What was the first ${one} ${time}?`,
    ({ one, time }) => `next ${one} ${time}`,
    ({ many, time }) => `Which of the ${many} came next ${time}?`,
    ({ one, time }) => `I look for the earliest ${one} ${time}.`,
    ({ one, time }) => `${time}, which ${one} was the first to be published?`,
    ({ who, time }) => `Which version of ${who} came soonest ${time}?`,
  ],
  in: [
    ({ many, time }) => `Which ${many} were published ${time}?`,
    ({ many, time }) => `${many} ${time}`,
    ({ many, time }) => `What ${many} did the team put out ${time}?`,
    ({ who, time }) => `${time}, which versions did ${who} get?`,
    ({ many, time }) => `I'm compiling a list: which ${many} appeared ${time}?`,
    ({ one, time }) => `Was there any ${one} ${time}, and which?`,
  ],
  between: [
    ({ many, time }) => `Which ${many} came out ${time}?`,
    ({ many, time }) => `${many} ${time}`,
    ({ who, time }) => `List what ${who} received ${time}.`,
    ({ many, time }) => `${time}, which ${many} were shipped?`,
    ({ many, time }) => `I was on leave. What ${many} were there ${time}?`,
    ({ many, time }) => `Please give me all ${many} dated ${time}.`,
  ],
  before_date: [
    ({ one, time }) => `What was the newest ${one} ${time}?`,
    ({ one, time }) => `newest ${one} ${time}`,
    ({ one, time }) => `${time}, which ${one} was the latest?`,
    ({ who, time }) => `At what version was ${who} ${time}?`,
    ({ one, time }) => `Tell me the ${one} that was up to date ${time}.`,
    ({ one, time }) => `Which ${one} could one install ${time}, at best?`,
  ],
  since: [
    ({ many, time }) => `Which ${many} have come out ${time}?`,
    ({ many, time }) => `${many} ${time}`,
    ({ who, time }) => `What have we missed of ${who} ${time}?`,
    ({ many, time }) => `${time}, what ${many} have there been?`,
    ({ many, time }) => `Could you list the ${many} published ${time}?`,
    ({ who, time }) => `What versions has ${who} seen ${time}?`,
  ],
  when: [
    ({ time }) => `When was Electron ${time} released?`,
    ({ time }) => `electron ${time} release date`,
    ({ time }) => `On what day did version ${time} of Electron come out?`,
    ({ time }) => `I'd like to know the date on which Electron ${time} was published.`,
    ({ time }) => `How long has Electron ${time} been around, since what date?`,
    ({ time }) => `In which month did Electron ${time} ship?`,
  ],
};

type PartClass = 'as_of' | 'current' | 'latest' | 'first' | 'before_date' | 'when';
type PartWording = (part: Component, slots: Slots) => string;

export const partWordings: Record<PartClass, PartWording[]> = {
  as_of: [
    (part, { who, time }) => `Which ${part} version did ${who} carry ${time}?`,
    (part, { who, time }) => `${time}, what ${part} was inside ${who}?`,
    (part, { who, time }) => `${who} ${part} version ${time}`,
    (part, { who, time }) => `What was the ${part} in the newest build of ${who} ${time}?`,
    (part, { who, time }) => `We audit old builds: ${part} bundled with ${who} ${time}?`,
    (part, { who, time }) => `Please look up the ${part} number that ${who} was at ${time}.`,
  ],
  current: [
    (part, { who }) => `Which ${part} does ${who} bundle now?`,
    (part, { who }) => `current ${part} version in ${who}`,
    (part, { who }) => `What ${part} do users of ${who} get today?`,
    (part, { who }) => `Is ${who} still on an old ${part}? Which one is it at present?`,
    (part, { who }) =>
      `For a security review I need the ${part} that ${who} is based on at present.`,
    (part, { who }) => `${part} in ${who} right now`,
  ],
  latest: [
    (part, { who }) => `What is the latest ${part} that ${who} got?`,
    (part, { who }) => `last ${part} version of ${who}`,
    (part, { who }) => `With which ${part} did ${who} end up?`,
    (part, { who }) => `most recent ${part} in ${who}`,
    (part, { who }) => `Which ${part} was the newest that ever went into ${who}?`,
    (part, { who }) => `Tell me the final ${part} update of ${who}.`,
  ],
  first: [
    (part, { who }) => `With which ${part} did ${who} start out?`,
    (part, { who }) => `original ${part} version of ${who}`,
    (part, { who }) => `What was the first ${part} in a stable build of ${who}?`,
    (part, { who }) => `Which ${part} did ${who} initially include?`,
    (part, { who }) => `I wonder what ${part} came with the very first release of ${who}.`,
    (part, { who }) => `earliest ${part} bundled by ${who}, stable channel`,
  ],
  before_date: [
    (part, { who, time }) => `Which ${part} was in ${who} ${time}?`,
    (part, { who, time }) => `${part} of ${who} ${time}`,
    (part, { who, time }) => `${time}, what ${part} version did ${who} have?`,
    (part, { who, time }) => `What ${part} had ${who} reached ${time}?`,
    (part, { who, time }) => `Look back for me: ${who} ${time}, which ${part}?`,
    (part, { who, time }) => `At which ${part} did ${who} stand ${time}?`,
  ],
  when: [
    (part, { who, time }) => `When did ${who} get ${part} ${time}?`,
    (part, { who, time }) => `${who} ${part} ${time} date`,
    (part, { who, time }) => `On which day was ${part} ${time} brought into ${who}?`,
    (part, { who, time }) => `Since when has ${who} contained ${part} ${time}?`,
    (part, { who, time }) => `Please find the date of the update of ${who} to ${part} ${time}.`,
    (part, { who, time }) => `What was the date when ${part} ${time} landed in ${who}?`,
  ],
};

export const undatedWordings: ((part: string, version: string) => string)[] = [
  (part, version) => `Which ${part} version does Electron ${version} bundle?`,
  (part, version) => `electron ${version} ${part} version`,
  (part, version) => `What ${part} is inside Electron ${version}?`,
  (part, version) => `I run Electron ${version}. What ${part} is that?`,
  (part, version) => `${part} shipped with Electron ${version}`,
  (part, version) => `Please tell me the ${part} of Electron ${version}.`,
];
