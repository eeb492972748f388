// Wordings of questions on standard time, summer time and the release notes, by operator.

export interface Context {
  place: string;
  time: string;
  /** A second place, an offset or the name of a kind of change. */
  other: string;
}

export type Wording = (context: Context) => string;

export const standard: Record<string, Wording[]> = {
  as_of: [
    ({ place, time }) => `Which standard time did ${place} keep ${time}?`,
    ({ place, time }) => `${time}, how far from Greenwich were the clocks of ${place} in winter?`,
    ({ place, time }) => `what was the standard offset in ${place} ${time}`,
    ({ place, time }) => `I need the UTC offset (no summer time) that was law in ${place} ${time}.`,
    ({ place, time }) => `${place}: legal standard time ${time}?`,
    ({ place, time }) => `By which standard were watches in ${place} set ${time}?`,
    ({ place, time }) => `${time}, what had ${place} fixed as its standard time?`,
    ({ place, time }) => `Someone was born in ${place}; what base offset applied there ${time}?`,
  ],
  pair: [
    ({ place, other, time }) => `Which standard offsets applied in ${place} and ${other} ${time}?`,
    ({ place, other, time }) => `${time}, did ${place} and ${other} share one standard time?`,
    ({ place, other, time }) => `How did ${place} compare with ${other} in standard time ${time}?`,
    ({ place, other, time }) => `${place} versus ${other}: standard time of either ${time}?`,
    ({ place, other, time }) => `what were the base offsets ${time} in both ${place} and ${other}`,
    ({ place, other, time }) => `${time}, which standard did each of ${place} and ${other} follow?`,
  ],
  current: [
    ({ place }) => `What is standard time in ${place} these days?`,
    ({ place }) => `how many hours from Greenwich is ${place} at present, summer time aside`,
    ({ place }) => `Which base offset does ${place} use now?`,
    ({ place }) => `I am about to ring someone in ${place}. What standard time do they have?`,
    ({ place }) => `Tell me the standard offset that is in force in ${place}.`,
    ({ place }) => `What does ${place} currently go by as its legal standard?`,
    ({ place }) => `As of today, which standard time holds in ${place}?`,
  ],
  latest: [
    ({ place }) => `When was the standard time of ${place} changed most recently?`,
    ({ place }) => `What was the latest move of ${place} to another standard offset?`,
    ({ place }) => `Newest change to the base offset of ${place}?`,
    ({ place }) => `which standard did ${place} adopt the last time that it switched`,
    ({ place }) => `Of all the switches of standard time in ${place}, which is the freshest?`,
    ({ place }) => `The last time ${place} altered its standard, what did it go to?`,
  ],
  first: [
    ({ place }) => `When did ${place} first give up local mean time?`,
    ({ place }) => `What was the very first change of standard in ${place}?`,
    ({ place }) => `Which offset came first in ${place} once local mean time was dropped?`,
    ({ place }) => `the earliest switch of ${place} to another standard`,
    ({ place }) => `How early did ${place} leave its local mean time behind?`,
    ({ place }) => `In the history of ${place}, what is the oldest change of its clocks’ standard?`,
  ],
  last_before: [
    ({ place, time }) => `What was the last change of standard time in ${place} ${time}?`,
    ({ place, time }) => `${time}, when had ${place} most recently switched its standard?`,
    ({ place, time }) => `which standard had ${place} adopted latest ${time}`,
    ({ place, time }) => `Find the final switch of base offset in ${place} ${time}.`,
    ({ place, time }) => `Looking back from then: the most recent move of ${place} ${time}?`,
    ({ place, time }) => `How did ${place} alter its standard for the last time ${time}?`,
  ],
  first_after: [
    ({ place, time }) => `What was the next change of standard time in ${place} ${time}?`,
    ({ place, time }) => `${time}, when did ${place} first move to another standard?`,
    ({ place, time }) => `first switch of base offset in ${place} ${time}`,
    ({ place, time }) => `Which standard did ${place} go over to soonest ${time}?`,
    ({ place, time }) =>
      `How long did it hold? The first new standard in ${place} ${time}, please.`,
    ({ place, time }) => `${time}, what was the earliest alteration of legal time in ${place}?`,
  ],
  in: [
    ({ place, time }) => `How did the standard time of ${place} change ${time}?`,
    ({ place, time }) => `To what offset did ${place} move ${time}?`,
    ({ place, time }) => `${place} got a new standard ${time}: which?`,
    ({ place, time }) => `what happened to legal time in ${place} ${time}`,
    ({ place, time }) => `On what day ${time} did ${place} switch its standard?`,
    ({ place, time }) => `${time}, ${place} turned its standard clocks to a new offset. Details?`,
  ],
  between: [
    ({ place, time }) => `Which changes of standard did ${place} go through ${time}?`,
    ({ place, time }) => `${time}, how was the base offset of ${place} altered?`,
    ({ place, time }) => `switches of standard time in ${place} ${time}`,
    ({ place, time }) => `Was there a new standard for ${place} ${time}, and what was it?`,
    ({ place, time }) => `Name the moves of ${place} to other offsets ${time}.`,
    ({ place, time }) => `${place} had its legal time revised ${time}. To what?`,
  ],
  before_date: [
    ({ place, time }) => `Which switches of standard had ${place} been through ${time}?`,
    ({ place, time }) => `${time}, had the standard time of ${place} ever changed?`,
    ({ place, time }) => `changes of base offset in ${place} ${time}`,
    ({ place, time }) => `Give an alteration of legal time in ${place} that came ${time}.`,
    ({ place, time }) => `What standards had ${place} switched to ${time}?`,
    ({ place, time }) => `Earlier history, please: moves of ${place} to other offsets ${time}.`,
  ],
  since: [
    ({ place, time }) => `Has ${place} changed its standard time ${time}?`,
    ({ place, time }) => `Which new standards has ${place} had ${time}?`,
    ({ place, time }) => `${time}, how often and to what did ${place} move its base offset?`,
    ({ place, time }) => `alterations of legal time in ${place} ${time}`,
    ({ place, time }) => `What has become of the standard of ${place} ${time}?`,
    ({ place, time }) => `List the switches of ${place} to another standard ${time}.`,
  ],
  when: [
    ({ place, other }) => `When did ${place} go over to ${other}?`,
    ({ place, other }) => `Since when was ${other} the standard in ${place}?`,
    ({ place, other }) => `On what day was ${other} introduced in ${place}?`,
    ({ place, other }) => `date of the move of ${place} to ${other}`,
    ({ place, other }) => `${place} took up ${other} as its standard, but when exactly?`,
    ({ place, other }) => `Do you know from which day ${other} applied in ${place}?`,
  ],
  position: [
    ({ place }) => `Where on the globe is the reference point of ${place}?`,
    ({ place }) => `latitude and longitude of ${place}`,
    ({ place }) => `Which coordinates does ${place} have?`,
    ({ place }) => `At what latitude does ${place} lie?`,
    ({ place }) => `How far east or west is ${place}, in degrees?`,
    ({ place }) => `Give me the geographical position of ${place}.`,
  ],
};

export const summer: Record<string, Wording[]> = {
  current: [
    ({ place }) => `Is ${place} on summer time right now?`,
    ({ place }) => `Have the clocks in ${place} gone forward or back, as things are?`,
    ({ place }) => `does ${place} have summer time or standard time at the moment`,
    ({ place }) => `I wonder whether summer time is running in ${place} just now.`,
    ({ place }) => `Which of the two does ${place} have today, winter or summer time?`,
    ({ place }) => `What is the present state of the clocks in ${place}: advanced or not?`,
  ],
  latest: [
    ({ place, other }) => `When did summer time most recently ${other} in ${place}?`,
    ({ place, other }) => `the last time that summer time was seen to ${other} in ${place}`,
    ({ place, other }) => `Most recent date for summer time to ${other} in ${place}?`,
    ({ place, other }) => `On which day did summer time ${other} in ${place} the last time round?`,
    ({ place, other }) => `${place}: latest day on which summer time did ${other}?`,
    ({ place, other }) => `How recently did summer time ${other} in ${place}?`,
  ],
  first: [
    ({ place, other }) => `When did summer time ${other} in ${place} for the first time?`,
    ({ place, other }) =>
      `What was the earliest day on which summer time did ${other} in ${place}?`,
    ({ place, other }) => `first ever ${other} of summer time in ${place}`,
    ({ place, other }) => `How far back did a summer time first ${other} in ${place}?`,
    ({ place, other }) => `${place} saw summer time ${other} first on what date?`,
    ({ place, other }) =>
      `Going back to the beginning: when did summer time first ${other} in ${place}?`,
  ],
  last_before: [
    ({ place, time, other }) => `When did summer time last ${other} in ${place} ${time}?`,
    ({ place, time, other }) => `${time}, on what day did summer time latest ${other} in ${place}?`,
    ({ place, time, other }) => `the final ${other} of summer time in ${place} ${time}`,
    ({ place, time, other }) => `Which ${other} of summer time in ${place} came closest ${time}?`,
    ({ place, time, other }) =>
      `What was the most recent ${other} of summer time ${time} in ${place}?`,
    ({ place, time, other }) =>
      `Go back: ${time}, when did ${place} last see summer time ${other}?`,
  ],
  first_after: [
    ({ place, time, other }) => `When did summer time next ${other} in ${place} ${time}?`,
    ({ place, time, other }) => `${time}, on which day did summer time first ${other} in ${place}?`,
    ({ place, time, other }) => `next ${other} of summer time in ${place} ${time}`,
    ({ place, time, other }) => `How soon did summer time ${other} in ${place} ${time}?`,
    ({ place, time, other }) => `What was the first ${other} of ${place}’s summer time ${time}?`,
    ({ place, time, other }) =>
      `People in ${place} waited for summer time to ${other} ${time}. Until?`,
  ],
  in: [
    ({ place, time, other }) => `On what day did summer time ${other} in ${place} ${time}?`,
    ({ place, time, other }) => `${time}, when did the summer time of ${place} ${other}?`,
    ({ place, time, other }) => `${other} of summer time in ${place} ${time}`,
    ({ place, time, other }) => `Which day ${time} had summer time ${other} in ${place}?`,
    ({ place, time, other }) => `Did summer time ${other} in ${place} ${time}, and on which date?`,
    ({ place, time, other }) =>
      `Exact date, please, of the ${other} of summer time in ${place} ${time}.`,
  ],
  pair: [
    ({ place, time, other }) => `When did the clocks go forward in ${place} and ${other} ${time}?`,
    ({ place, time, other }) => `${time}, did ${place} or ${other} start summer time earlier?`,
    ({ place, time, other }) => `start of summer time ${time} in ${place} and in ${other}`,
    ({ place, time, other }) =>
      `Which of ${place} and ${other} was first to start summer time ${time}?`,
    ({ place, time, other }) =>
      `How far apart did summer time start in ${place} and ${other} ${time}?`,
    ({ place, time, other }) =>
      `On which dates ${time} did ${place} and ${other} put clocks forward?`,
  ],
  between: [
    ({ place, time, other }) => `On what days did summer time ${other} in ${place} ${time}?`,
    ({ place, time, other }) => `${time}, when would summer time ${other} in ${place}?`,
    ({ place, time, other }) => `each ${other} of summer time in ${place} ${time}`,
    ({ place, time, other }) => `Give any ${other} of summer time that ${place} had ${time}.`,
    ({ place, time, other }) => `When, ${time}, did people in ${place} see summer time ${other}?`,
    ({ place, time, other }) => `Dates for the ${other} of summer time ${time}, for ${place} only?`,
  ],
  since: [
    ({ place, time, other }) => `When has summer time been seen to ${other} in ${place} ${time}?`,
    ({ place, time, other }) => `${time}, has summer time had a day to ${other} in ${place}?`,
    ({ place, time, other }) => `every ${other} of summer time in ${place} ${time}`,
    ({ place, time, other }) => `On which days ${time} did summer time ${other} in ${place}?`,
    ({ place, time, other }) => `Did ${place} have summer time ${other} again ${time}?`,
    ({ place, time, other }) =>
      `Name the dates ${time} of the ${other} of summer time in ${place}.`,
  ],
};

export const news: Record<string, Wording[]> = {
  latest: [
    ({ place }) => `What is the latest that the tz release notes say about ${place}?`,
    ({ place }) => `Most recent tz database news concerning ${place}?`,
    ({ place }) => `which release of the tz database dealt with ${place} last`,
    ({ place }) => `The newest entry on ${place} in the notes of the tz database, please.`,
    ({ place }) => `When the tz maintainers last wrote about ${place}, what did they announce?`,
    ({ place }) => `Has ${place} been in tz news lately? The last item will do.`,
  ],
  first: [
    ({ place }) => `Which tz release notes were the first to bring up ${place}?`,
    ({ place }) => `earliest tz database news about ${place}`,
    ({ place }) => `What did the tz database first announce about ${place}?`,
    ({ place }) => `Where does ${place} appear for the first time in the tz notes?`,
    ({ place }) => `How did the tz notes handle ${place} the first time?`,
    ({ place }) => `The oldest entry about ${place} among the tz releases?`,
  ],
  last_before: [
    ({ place, time }) => `What did the tz notes last report on ${place} ${time}?`,
    ({ place, time }) => `${time}, which tz release had been the latest to touch ${place}?`,
    ({ place, time }) => `last tz database change about ${place} ${time}`,
    ({ place, time }) => `Show the final word of the tz maintainers about ${place} ${time}.`,
    ({ place, time }) => `Which entry on ${place} was the most recent in the tz news ${time}?`,
    ({ place, time }) => `How did the tz database treat ${place} for the last time ${time}?`,
  ],
  first_after: [
    ({ place, time }) => `What did the tz notes first report on ${place} ${time}?`,
    ({ place, time }) => `${time}, which tz release was the next to touch ${place}?`,
    ({ place, time }) => `next tz database change about ${place} ${time}`,
    ({ place, time }) => `How soon, and with what, was ${place} in the tz news ${time}?`,
    ({ place, time }) => `Which entry on ${place} did a tz release carry first ${time}?`,
    ({ place, time }) => `${time}, what do the tz notes have about ${place} to begin with?`,
  ],
  in: [
    ({ place, time }) => `What did the tz releases change for ${place} ${time}?`,
    ({ place, time }) => `${time}, what was the tz news about ${place}?`,
    ({ place, time }) => `tz database entries on ${place} published ${time}`,
    ({ place, time }) => `Which announcement on ${place} did the tz database make ${time}?`,
    ({ place, time }) => `Anything on ${place} in tz notes that came out ${time}?`,
    ({ place, time }) => `How was ${place} dealt with by tz releases ${time}?`,
  ],
  between: [
    ({ place, time }) => `What tz news on ${place} appeared ${time}?`,
    ({ place, time }) => `${time}, what did tz releases announce for ${place}?`,
    ({ place, time }) => `tz release notes that mention ${place} ${time}`,
    ({ place, time }) => `Which changes about ${place} went into the tz database ${time}?`,
    ({ place, time }) => `Collect the tz maintainers’ items on ${place} ${time}.`,
    ({ place, time }) => `Was ${place} in releases of the tz database ${time}, and why?`,
  ],
  since: [
    ({ place, time }) => `What have the tz notes said about ${place} ${time}?`,
    ({ place, time }) => `${time}, what is new for ${place} in the tz database?`,
    ({ place, time }) => `tz database news on ${place} ${time}`,
    ({ place, time }) => `Which tz releases ${time} concern ${place}?`,
    ({ place, time }) => `How has ${place} been treated in tz releases ${time}?`,
    ({ place, time }) => `Did anything about ${place} change in the tz database ${time}?`,
  ],
};
