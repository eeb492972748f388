// Wordings of questions about the talk between Apollo 11 and the ground, by operator.

export interface Context {
  topic: string;
  time: string;
  /** A member of the crew or a second topic. */
  other: string;
}

export type Wording = (context: Context) => string;

export const talk: Record<string, Wording[]> = {
  as_of: [
    ({ topic, time }) => `What was the word on ${topic} ${time}?`,
    ({ topic, time }) => `${time}, where did matters stand with ${topic} on Apollo 11?`,
    ({ topic, time }) => `state of affairs regarding ${topic} ${time}`,
    ({ topic, time }) => `Going by the radio traffic, how was it with ${topic} ${time}?`,
    ({ topic, time }) => `What did crew and ground have on ${topic} ${time}?`,
    ({ topic, time }) => `${time}: what was known about ${topic}?`,
    ({ topic, time }) => `I am reconstructing the flight: ${topic} ${time}, what was the position?`,
  ],
  current: [
    ({ topic }) => `What is the state of ${topic} now?`,
    ({ topic }) => `any word yet on ${topic}`,
    ({ topic }) => `Where do we stand with ${topic} at the moment?`,
    ({ topic }) => `The flight director asks how it looks with ${topic} right now.`,
    ({ topic }) => `What do we currently have on ${topic}?`,
    ({ topic }) => `Fill me in for the shift change: ${topic}, as of this minute?`,
    ({ topic }) => `How are things with ${topic} at present?`,
  ],
  latest: [
    ({ topic, time }) => `When Apollo 11 flew ${time}, what was said last about ${topic}?`,
    ({ topic }) => `What was the final exchange about ${topic} in the whole transcript?`,
    ({ topic }) => `latest mention of ${topic} before the transcript of Apollo 11 ends`,
    ({ topic }) => `How did the talk about ${topic} between Houston and Apollo 11 conclude?`,
    ({ topic }) => `Find the most recent remark on ${topic} in the Apollo 11 log.`,
    ({ topic, time }) => `The very last time that ${topic} came up ${time}: what was it about?`,
  ],
  first: [
    ({ topic, time }) => `What was the first exchange of Apollo 11 about ${topic} ${time}?`,
    ({ topic }) => `How did ${topic} come up for the first time between Houston and Apollo 11?`,
    ({ topic }) => `earliest mention of ${topic} in the Apollo 11 transcript`,
    ({ topic }) => `Who brought up ${topic} first on Apollo 11, and how?`,
    ({ topic }) => `Where does the talk about ${topic} begin in the log?`,
    ({ topic, time }) => `Show me the start of it: ${topic}, first mentioned ${time}.`,
  ],
  last_before: [
    ({ topic, time }) => `What was last said about ${topic} ${time}?`,
    ({ topic, time }) => `${time}, what was the latest exchange on ${topic}?`,
    ({ topic, time }) => `last talk of ${topic} ${time}`,
    ({ topic, time }) => `Which call about ${topic} came closest ${time}?`,
    ({ topic, time }) => `Go back from there: how did ${topic} come up most recently ${time}?`,
    ({ topic, time }) => `What had Houston and Apollo 11 last exchanged on ${topic} ${time}?`,
  ],
  first_after: [
    ({ topic, time }) => `What was said first about ${topic} ${time}?`,
    ({ topic, time }) => `${time}, what was the next exchange on ${topic}?`,
    ({ topic, time }) => `next talk of ${topic} ${time}`,
    ({ topic, time }) => `How soon did ${topic} come up ${time}, and how?`,
    ({ topic, time }) => `Which call about ${topic} was the earliest ${time}?`,
    ({ topic, time }) => `The first thing that anybody radioed on ${topic} ${time}?`,
  ],
  in: [
    ({ topic, time }) => `What did Houston and Apollo 11 say about ${topic} ${time}?`,
    ({ topic, time }) => `${time}, how did they talk about ${topic}?`,
    ({ topic, time }) => `radio traffic on ${topic} ${time}`,
    ({ topic, time }) => `Which calls had to do with ${topic} ${time}?`,
    ({ topic, time }) => `Did ${topic} come up ${time}, and in what way?`,
    ({ topic, time }) => `Tell me about ${topic} ${time}, going by the transcript.`,
  ],
  between: [
    ({ topic, time }) => `Which exchanges on ${topic} were there ${time}?`,
    ({ topic, time }) => `${time}, what passed over the radio about ${topic}?`,
    ({ topic, time }) => `talk of ${topic} ${time}`,
    ({ topic, time }) => `Did the talk turn to ${topic} ${time}, and what was said?`,
    ({ topic, time }) => `What was discussed about ${topic} ${time}?`,
    ({ topic, time }) => `Pull the calls about ${topic} ${time}.`,
  ],
  before_date: [
    ({ topic, time }) => `Had anybody talked about ${topic} ${time}, and how?`,
    ({ topic, time }) => `${time}, what exchanges on ${topic} had there been?`,
    ({ topic, time }) => `calls about ${topic} ${time}`,
    ({ topic, time }) => `What had crew or ground radioed on ${topic} ${time}?`,
    ({ topic, time }) => `Quote something on ${topic} that was said ${time}.`,
    ({ topic, time }) => `Which earlier talk of ${topic} was there ${time}?`,
  ],
  since: [
    ({ topic, time }) => `What has been said about ${topic} ${time}?`,
    ({ topic, time }) => `${time}, has anybody talked about ${topic}?`,
    ({ topic, time }) => `calls on ${topic} ${time}`,
    ({ topic, time }) => `Which exchanges have there been about ${topic} ${time}?`,
    ({ topic, time }) => `What have crew and ground had to say on ${topic} ${time}?`,
    ({ topic, time }) => `Anything on ${topic} ${time}?`,
  ],
};

export const spoken: Record<string, Wording[]> = {
  last_before: [
    ({ topic, time, other }) => `What did ${other} last say about ${topic} ${time}?`,
    ({ topic, time, other }) => `${time}, when had ${other} latest mentioned ${topic}?`,
    ({ topic, time, other }) => `last words of ${other} on ${topic} ${time}`,
    ({ topic, time, other }) => `How had ${other} most recently put it about ${topic} ${time}?`,
    ({ topic, time, other }) => `Which remark of ${other} on ${topic} was the last ${time}?`,
    ({ topic, time, other }) => `Look up ${other}’s final comment on ${topic} ${time}.`,
  ],
  first_after: [
    ({ topic, time, other }) => `What did ${other} first say about ${topic} ${time}?`,
    ({ topic, time, other }) => `${time}, how did ${other} next mention ${topic}?`,
    ({ topic, time, other }) => `first words of ${other} on ${topic} ${time}`,
    ({ topic, time, other }) => `Which remark of ${other} about ${topic} came soonest ${time}?`,
    ({ topic, time, other }) => `${other} on ${topic}, the first time ${time}?`,
    ({ topic, time, other }) => `How soon did ${other} bring up ${topic} ${time}?`,
  ],
  in: [
    ({ topic, time, other }) => `What did ${other} have to say about ${topic} ${time}?`,
    ({ topic, time, other }) => `${time}, what was ${other}’s view of ${topic}?`,
    ({ topic, time, other }) => `${other} about ${topic} ${time}`,
    ({ topic, time, other }) => `Which remarks did ${other} make on ${topic} ${time}?`,
    ({ topic, time, other }) => `How did ${other} speak of ${topic} ${time}?`,
    ({ topic, time, other }) => `Did ${other} mention ${topic} ${time}, and in which words?`,
  ],
  pair: [
    ({ topic, time, other }) => `What was said about ${topic} and about ${other} ${time}?`,
    ({ topic, time, other }) => `${time}, how did ${topic} and ${other} come up?`,
    ({ topic, time, other }) => `calls ${time} on ${topic} as well as ${other}`,
    ({ topic, time, other }) => `Compare the talk of ${topic} with that of ${other} ${time}.`,
    ({ topic, time, other }) => `Which did they discuss ${time}, ${topic} or ${other}?`,
    ({ topic, time, other }) => `Both ${topic} and ${other} came up ${time}: what was said?`,
  ],
};

export const orbits: Record<string, Wording[]> = {
  as_of: [
    ({ time }) => `On which revolution of the Moon was Apollo 11 ${time}?`,
    ({ time }) => `${time}, how many lunar revolutions had begun?`,
    ({ time }) => `number of the lunar orbit that Columbia flew ${time}`,
    ({ time }) => `Which lunar rev was under way ${time}?`,
    ({ time }) => `How far had the count of lunar revs got ${time}?`,
    ({ time }) => `Give the lunar revolution ${time}.`,
  ],
  current: [
    () => 'Which lunar revolution is Apollo 11 on now?',
    () => 'how many times round the Moon are they at this moment',
    () => 'What rev are we in?',
    () => 'Tell me the number of the lunar orbit that is under way.',
    () => 'The count of lunar revolutions stands at what, presently?',
    () => 'Up to which lunar rev have they got so far?',
  ],
  when: [
    ({ other }) => `When did lunar revolution ${other} of Apollo 11 begin?`,
    ({ other }) => `At what time did the crew enter lunar rev ${other}?`,
    ({ other }) => `start of the lunar orbit numbered ${other}`,
    ({ other }) => `Do you have the hour at which rev ${other} round the Moon started?`,
    ({ other }) => `Lunar revolution ${other}: since when?`,
    ({ other }) => `On what day did rev ${other} about the Moon begin?`,
  ],
};
