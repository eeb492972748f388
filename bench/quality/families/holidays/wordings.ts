// Wordings of questions on public holidays by operator on time.

type NameWording = (name: string, country: string, time: string) => string;
type PlaceWording = (country: string, time: string) => string;

export const dateWordings: NameWording[] = [
  (name, country, year) => `When was ${name} in ${country} in ${year}?`,
  (name, country, year) => `${name} ${year} ${country} date`,
  (name, country, year) => `On what day did ${country} keep ${name} in ${year}?`,
  (name, country, year) => `Which date did ${name} have in ${year} (${country})?`,
  (name, country, year) => `I need the day of ${name} ${year} for ${country}.`,
  (name, country, year) => `In ${year}, on which date was ${name} a holiday in ${country}?`,
];

export const currentWordings: NameWording[] = [
  (name, country) => `When is ${name} in ${country} this year?`,
  (name, country) => `${name} ${country} this year`,
  (name, country) => `On what day does ${country} keep ${name} this year?`,
  (name, country) => `What is the date of the current year's ${name} in ${country}?`,
  (name, country) => `Could you tell me this year's day of ${name} in ${country}?`,
  (name, country) => `Which day is ${name} now, in ${country}?`,
];

export const todayWordings: PlaceWording[] = [
  (country) => `Which public holiday is it today in ${country}?`,
  (country) => `holiday today ${country}`,
  (country) => `Why are the shops closed today in ${country}?`,
  (country) => `What is being celebrated in ${country} now?`,
  (country) => `Is it a public holiday in ${country} today, and which one?`,
  (country) => `today's holiday in ${country}`,
];

export const lastWordings: NameWording[] = [
  (name, country) => `When was the last ${name} in ${country}?`,
  (name, country) => `most recent ${name} ${country}`,
  (name, country) => `On which day did ${country} most recently keep ${name}?`,
  (name, country) => `date of the latest ${name} in ${country}`,
  (name, country) => `How long ago was the last ${name} in ${country}? I need its date.`,
  (name, country) => `${country}: ${name}, last time`,
];

export const onWordings: PlaceWording[] = [
  (country, day) => `Which holiday was kept in ${country} on ${day}?`,
  (country, day) => `${country} holiday ${day}`,
  (country, day) => `What was celebrated on ${day} in ${country}?`,
  (country, day) => `On ${day}, why were offices closed in ${country}?`,
  (country, day) => `I wonder why ${day} was a day off in ${country}.`,
  (country, day) => `name of the public holiday on ${day}, ${country}`,
];

export const beforeWordings: PlaceWording[] = [
  (country, day) => `What was the last public holiday in ${country} before ${day}?`,
  (country, day) => `${country} last day off before ${day}`,
  (country, day) => `Which holiday in ${country} came directly before ${day}?`,
  (country, day) => `Before ${day}, when did ${country} last have a public holiday?`,
  (country, day) => `most recent public holiday prior to ${day} in ${country}`,
  (country, day) => `I am looking for the holiday that preceded ${day} in ${country}.`,
];

export const afterWordings: PlaceWording[] = [
  (country, day) => `What is the next public holiday in ${country} after ${day}?`,
  (country, day) => `${country} next day off after ${day}`,
  (country, day) => `Which holiday followed ${day} in ${country}?`,
  (country, day) => `After ${day}, when did ${country} have its first public holiday?`,
  (country, day) => `first public holiday following ${day} in ${country}`,
  (country, day) => `Starting from ${day}, how long until a holiday in ${country}, and which?`,
];

export const firstWordings: PlaceWording[] = [
  (country, time) => `What was the first public holiday in ${country} in ${time}?`,
  (country, time) => `earliest holiday ${time} ${country}`,
  (country, time) => `In ${time}, which holiday did ${country} keep first?`,
  (country, time) => `Which day off opened ${time} in ${country}?`,
  (country, time) => `first day off of ${time}, ${country}`,
  (country, time) => `Please name the first holiday of ${time} in ${country}.`,
];

export const inWordings: PlaceWording[] = [
  (country, time) => `Which public holidays did ${country} have in ${time}?`,
  (country, time) => `${country} holidays ${time}`,
  (country, time) => `In ${time}, on which days were offices in ${country} closed?`,
  (country, time) => `List the days off of ${time} in ${country}.`,
  (country, time) => `What holidays were there in ${country} during ${time}?`,
  (country, time) => `days off, ${time}, ${country}`,
];

export const betweenWordings: PlaceWording[] = [
  (country, time) => `Which holidays did ${country} keep between ${time}?`,
  (country, time) => `${country} public holidays between ${time}`,
  (country, time) => `Between ${time}, was there any day off in ${country}?`,
  (country, time) =>
    `I was in ${country} from ${time.replace(' and ', ' to ')}; which holidays fell into that time?`,
  (country, time) => `days off from ${time.replace(' and ', ' until ')} in ${country}`,
  (country, time) => `What was closed and why in ${country} from ${time.replace(' and ', ' to ')}?`,
];

export const spanWordings: PlaceWording[] = [
  (country, time) => `Which public holiday did ${country} keep ${time}?`,
  (country, time) => `${country} holiday ${time}`,
  (country, time) => `What day off was there in ${country} exactly ${time}?`,
  (country, time) => `${time}, what was celebrated in ${country}?`,
  (country, time) => `I remember a holiday in ${country} ${time}; which was it?`,
  (country, time) => `Why was everything closed in ${country} ${time}?`,
];

export const sinceWordings: PlaceWording[] = [
  (country, day) => `Which public holidays have there been in ${country} since ${day}?`,
  (country, day) => `${country} days off since ${day}`,
  (country, day) => `Since ${day}, has ${country} had a holiday?`,
  (country, day) => `I moved to ${country} on ${day}. Which holidays have I had since?`,
  (country, day) => `holidays that ${country} kept since ${day}`,
  (country, day) => `What days off has ${country} seen since ${day}?`,
];

type ChangeWording = (name: string, country: string) => string;

export const changeWordings: Record<'since' | 'first' | 'latest' | 'when', ChangeWording[]> = {
  since: [
    (name, country) => `Since when has ${name} been a public holiday in ${country}?`,
    (name, country) => `${name} holiday in ${country} since`,
    (name, country) => `From which year on has ${country} kept ${name}?`,
    (name, country) => `How long has ${name} been a day off in ${country}?`,
  ],
  first: [
    (name, country) => `In which year was ${name} first a public holiday in ${country}?`,
    (name, country) => `first ${name} in ${country}`,
    (name, country) => `What was the first year with ${name} as a day off in ${country}?`,
    (name, country) => `When did ${country} keep ${name} for the first time?`,
  ],
  latest: [
    (name, country) => `When was ${name} a public holiday in ${country} for the last time?`,
    (name, country) => `last year of ${name} as a holiday in ${country}`,
    (name, country) => `In which year did ${country} keep ${name} as a day off for the final time?`,
    (name, country) => `${name} ${country} final holiday year`,
  ],
  when: [
    (name, country) => `When did ${country} have a day off for ${name}?`,
    (name, country) => `${name} extra holiday ${country} year`,
    (name, country) => `In which year was ${name} kept in ${country}?`,
    (name, country) => `I need the year of the holiday called ${name} in ${country}.`,
  ],
};

export const stateWordings: NameWording[] = [
  (name, country, year) => `Was ${name} a public holiday in ${country} as of ${year}?`,
  (name, country, year) => `${country} ${name} day off as of ${year}`,
  (name, country, year) => `As of ${year}, did people in ${country} have to work on ${name}?`,
  (name, country, year) => `In ${year}, was ${name} on the list of public holidays of ${country}?`,
  (name, country, year) => `I want to know whether ${country} kept ${name} in ${year}.`,
  (name, country, year) => `${year}: ${name} a day off in ${country} or not`,
];
