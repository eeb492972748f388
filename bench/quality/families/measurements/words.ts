// The wordings of the questions about measurements, by operator on time.
import type { FamilyQuestion } from '../family.js';

export interface Words {
  /** The measured quantity, as a subject. */
  x: string;
  /** An expression of time. */
  t: string;
  /** A figure. */
  v: string;
  /** "above" or "below". */
  side: string;
  grain: string;
}
type Wordings = ((words: Words) => string)[];

export const asOf: Wordings = [
  ({ x, t }) => `What was ${x} ${t}?`,
  ({ x, t }) => `${x} ${t}`,
  ({ x, t }) => `${t}, where did ${x} stand?`,
  ({ x, t }) => `I would like to know ${x} ${t}.`,
  ({ x, t }) => `How high was ${x} ${t}?`,
  ({ x, t }) => `figure for ${x} ${t}, please`,
];
export const inPeriod: Wordings = [
  ({ x, t }) => `What was ${x} in ${t}?`,
  ({ x, t }) => `${x} ${t}`,
  ({ x, t }) => `In ${t}, how large was ${x}?`,
  ({ x, t }) => `Give me the figure on ${x} for ${t}.`,
  ({ x, t }) => `${t}: ${x}?`,
  ({ x, t }) => `I need ${x} during ${t}`,
  ({ x, t }) => `How much did ${x} come to in ${t}?`,
];
/** Of a figure as it was known on a day: t is the period, v the day. */
export const known: Wordings = [
  ({ x, t, v }) => `As of ${v}, what was the published figure of ${x} for ${t}?`,
  ({ x, t, v }) => `${x} in ${t}, as known on ${v}`,
  ({ x, t, v }) => `Which number for ${x} in ${t} would a reader have found on ${v}?`,
  ({ x, t, v }) => `On ${v}, how large was ${x} in ${t} believed to be?`,
  ({ x, t, v }) => `I need the state of knowledge of ${v}: ${x} in ${t}.`,
  ({ x, t, v }) => `${x}, ${t}, according to what had been released by ${v}`,
];
export const provisional: Wordings = [
  ({ x, t }) => `What was the first estimate of ${x} in ${t}?`,
  ({ x, t }) => `provisional figure ${x} ${t}`,
  ({ x, t }) => `Before any revision, how was ${x} for ${t} reported?`,
];
export const current: Wordings = [
  ({ x }) => `What is ${x} at present?`,
  ({ x }) => `current figure for ${x}`,
  ({ x }) => `How high is ${x} now?`,
  ({ x }) => `Where does ${x} stand today?`,
  ({ x }) => `Tell me ${x} as it is currently reported.`,
  ({ x }) => `${x} up to date`,
];
export const latest: Wordings = [
  ({ x }) => `What is the latest figure for ${x}?`,
  ({ x }) => `most recent reading: ${x}`,
  ({ x }) => `What did the last report say about ${x}?`,
  ({ x, grain }) => `${x}, last available ${grain}`,
  ({ x }) => `Which is the newest value of ${x} that has been published?`,
  ({ x }) => `Please find the last known number on ${x}`,
];
export const first: Wordings = [
  ({ x }) => `What is the earliest figure on record for ${x}?`,
  ({ x }) => `first recorded value of ${x}`,
  ({ x }) => `Where do the records of ${x} start, and with which number?`,
  ({ x }) => `What was ${x} in the very first report?`,
];
export const firstTime: Wordings = [
  ({ x, v, grain }) => `In which ${grain} was ${x} above ${v} for the first time?`,
  ({ x, v }) => `first time ${x} topped ${v}`,
  ({ x, v }) => `When did ${x} first exceed ${v}?`,
];
export const firstAfter: Wordings = [
  ({ x, t, v, side, grain }) => `Which was the first ${grain} after ${t} with ${x} ${side} ${v}?`,
  ({ x, t, v, side }) => `After ${t}, when was ${x} ${side} ${v} for the first time?`,
  ({ x, t, v, side }) => `first time ${x} ${side} ${v} after ${t}`,
];
export const next: Wordings = [
  ({ x, t, grain }) => `What was ${x} in the ${grain} after ${t}?`,
  ({ x, t }) => `next figure for ${x} following ${t}`,
  ({ x, t }) => `Which value of ${x} came right after that of ${t}?`,
  ({ x, t, grain }) => `${x} one ${grain} later than ${t}`,
];
export const lastBefore: Wordings = [
  ({ x, t, v, side, grain }) => `Which was the last ${grain} before ${t} with ${x} ${side} ${v}?`,
  ({ x, t, v, side }) => `Before ${t}, when was ${x} last ${side} ${v}?`,
  ({ x, t, v, side }) => `last time ${x} ${side} ${v} prior to ${t}`,
];
export const previous: Wordings = [
  ({ x, t, grain }) => `What was ${x} in the ${grain} before ${t}?`,
  ({ x, t }) => `preceding figure for ${x}, before ${t}`,
  ({ x, t }) => `Which value of ${x} directly preceded that of ${t}?`,
  ({ x, t }) => `the last number on ${x} ahead of ${t}`,
];
export const between: Wordings = [
  ({ x, t }) => `How did ${x} develop ${t}?`,
  ({ x, t }) => `${x} ${t}`,
  ({ x, t }) => `List ${x} ${t}.`,
  ({ x, t }) => `${t}, which values did ${x} take?`,
];
export const highestBetween: Wordings = [
  ({ x, t }) => `What was the peak of ${x} ${t}?`,
  ({ x, t }) => `maximum of ${x} ${t}`,
  ({ x, t, grain }) => `In which ${grain} ${t} was ${x} highest?`,
];
export const highestSince: Wordings = [
  ({ x, t }) => `What is the highest that ${x} has been since ${t}?`,
  ({ x, t }) => `record of ${x} since ${t}`,
  ({ x, t }) => `Since ${t}, how high has ${x} got at most?`,
  ({ x, t, grain }) => `Which ${grain} since ${t} has had the highest figure for ${x}?`,
  ({ x, t }) => `peak value of ${x} from ${t} until now`,
  ({ x, t }) => `Looking at everything since ${t}: when was ${x} at its maximum?`,
];
export const when: Wordings = [
  ({ x, v }) => `When was ${x} ${v}?`,
  ({ x, v }) => `${x} of ${v}: date`,
  ({ x, v, grain }) => `In which ${grain} did ${x} come to ${v}?`,
  ({ x, v }) => `I have a figure of ${v} for ${x}. Which period does it belong to?`,
  ({ x, v, grain }) => `Which ${grain} had ${v} as ${x}?`,
  ({ x, v }) => `date on which a value of ${v} was noted for ${x}`,
];
export const whenLowest: Wordings = [
  ({ x, t }) => `When in the ${t} was ${x} at its lowest?`,
  ({ x, t, grain }) => `${grain} of the lowest value of ${x}, ${t}`,
  ({ x, t }) => `Date of the minimum of ${x} in the ${t}?`,
];

/** Questions about the nature of a quantity, with words of the note that answers. */
export const undated: [text: string, note: string][] = [
  ['What is a therm?', 'A therm equals'],
  ['Are pedestrians part of the British driver casualties?', 'pedestrians are not included'],
  ['meaning of passenger mile', 'A passenger mile is'],
  ['Why does carbon dioxide peak in spring?', 'The concentration peaks in May'],
  ['How is the relative sunspot number counted?', 'counts groups ten times'],
  ['What does Gallup ask people about the president?', 'The question is whether'],
  ['Is the US unemployment rate seasonally adjusted?', 'The rate is seasonally adjusted'],
  ['length of the solar activity cycle', 'cycles of about eleven years'],
  ['To which other lake is Lake Huron connected?', 'joined to Lake Michigan'],
  ['How often are Treasury bills sold?', 'at auction every week'],
];

/** Questions that no passage answers. */
export const unanswerable: [
  FamilyQuestion['class'],
  text: string,
  entity: string,
  asked?: string,
][] = [
  ['in', 'What was the water level of Lake Erie in 1936?', 'Lake Erie'],
  ['in', 'international airline passengers in August 1938', 'airline passengers'],
  ['in', 'How many people did Johnson & Johnson employ in 1972?', 'Johnson & Johnson'],
  ['in', 'mean temperature at Nottingham Castle July 1958', 'Nottingham'],
  [
    'as_of',
    'What was the approval rating of the British prime minister in mid-March 1961?',
    'British prime minister',
  ],
  ['as_of', 'unemployment rate in Canada as of May 1984', 'Canada unemployment'],
  [
    'as_of',
    'On 3 February 1899, what was the three-month Treasury bill rate?',
    'Treasury bill rate',
  ],
  [
    'current',
    'What is the carbon dioxide concentration at the South Pole now?',
    'carbon dioxide',
    '1991-05-20',
  ],
  ['current', 'current inflation rate in the United States', 'US inflation', '1979-11-12'],
  ['current', 'How high is the flow of the Congo at present?', 'Congo', '1955-09-01'],
  [
    'latest',
    'What is the latest figure for the passenger mileage of airlines in Canada?',
    'Canada airline passenger miles',
    '1958-04-02',
  ],
  ['latest', 'last reported quarterly profit per share of Merck', 'Merck', '1976-08-30'],
  ['when', 'When was the sunspot number at 412.7?', 'sunspots'],
  [
    'when',
    'When did gas consumption in France reach 900 million therms?',
    'France gas consumption',
  ],
  [
    'first',
    'What is the earliest figure on record for coal consumption in the United Kingdom?',
    'UK coal consumption',
  ],
  [
    'between',
    'How did the annual flow of the Nile at Aswan develop between 1801 and 1805?',
    'Nile',
  ],
  [
    'since',
    'What is the highest that the Mississippi has been since 1950?',
    'Mississippi',
    '1969-10-10',
  ],
  [
    'before_date',
    'What was the water level of Lake Ontario ten years before 1950?',
    'Lake Ontario',
  ],
  [
    'last_before',
    'accidental deaths in Mexico in the month before June 1977',
    'Mexico accidental deaths',
  ],
  [
    'first_after',
    'What was the mean annual temperature in Boston in the year after 1931?',
    'Boston',
  ],
];
