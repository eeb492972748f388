// The demo's questions. Each names the fact that answers it; the expected passages are all that
// state the fact and were published by the time the question is asked. None of them is chosen by
// hand.
import type { Draft } from './passage.js';

export interface AnsweredQuestion {
  id: string;
  text: string;
  askedAt?: string;
  expectedIds: string[];
  expectedAnswer: string;
  note: string;
}

interface DemoQuestion {
  id: string;
  text: string;
  askedAt?: string;
  /** The fact that answers, as the writers of passages name it: code and date. */
  fact: string;
  answer: string;
  note: string;
}

const questions: readonly DemoQuestion[] = [
  {
    id: 'uk-prime-minister',
    text: 'Who was UK prime minister as of 6 May 2021?',
    fact: 'uk-pm:2019-07-24',
    answer: 'Boris Johnson',
    note: 'as of a day; many prime ministers, none of them named with that day',
  },
  {
    id: 'us-stamp',
    text: 'What did a US first-class stamp cost in 2005?',
    fact: 'us-stamp:2002-06-30',
    answer: '37 cents',
    note: 'in a year in which no price was set: the price of 2002 held until January 2006',
  },
  {
    id: 'fastest-computer',
    text: 'What was the fastest computer in the world in early 2012?',
    fact: 'top500:2011-11',
    answer: 'K computer',
    note: 'in part of a year: the lists of June and November 2012 come too late',
  },
  {
    id: 'harbour-opening',
    text: 'When is the extended harbour of Northmere expected to open?',
    askedAt: '2023-06-01',
    fact: 'northmere-harbour:2023-03-22',
    answer: 'September 2024',
    note:
      'fiction; no time in the question, asked in the past: three older issues are ' +
      'outdated, two later ones must be hidden',
  },
  {
    id: 'german-chancellor',
    text: 'Who was Chancellor of Germany between 1970 and 1973?',
    fact: 'de-chancellor:1969-10',
    answer: 'Willy Brandt',
    note: 'between two years, inside one term',
  },
  {
    id: 'last-world-cup',
    text: 'Who won the last FIFA World Cup before 1970?',
    fact: 'world-cup:1966',
    answer: 'England',
    note: 'the last before a year; the words are closer to the passages about 1970 itself',
  },
  {
    id: 'first-wimbledon',
    text: "Who won the first men's singles at Wimbledon after 2002?",
    fact: 'wimbledon-men:2003',
    answer: 'Roger Federer',
    note: 'the first after a year; Hewitt won in 2002',
  },
  {
    id: 'apple-chief',
    text: 'Who has been chief executive of Apple since August 2011?',
    fact: 'apple-ceo:2011-08-24',
    answer: 'Tim Cook',
    note: 'since a month; Steve Jobs left the post in that month',
  },
  {
    id: 'ubuntu',
    text: 'What was the latest long-term support release of Ubuntu as of June 2015?',
    fact: 'ubuntu:2014-04-17',
    answer: 'Ubuntu 14.04 LTS',
    note: 'the latest as of a month without a release',
  },
  {
    id: 'detroit',
    text: 'How many people lived in Detroit around 1950?',
    fact: 'detroit-population:1950',
    answer: '1,850,000',
    note: 'around a year; a census every ten years says nearly the same sentence',
  },
  {
    id: 'hundred-metres',
    text: "What is the world record in the men's 100 metres?",
    askedAt: '2008-07-01',
    fact: 'men-100m:2008-05-31',
    answer: '9.72 seconds',
    note: 'no time in the question, asked in the past: 9.69 and 9.58 were not yet run',
  },
  {
    id: 'weather',
    text: 'What weather is forecast for Calderwick on 14 May 2024?',
    askedAt: '2024-05-12T20:00:00Z',
    fact: 'weather-calderwick:2024-05-12T06:00:00Z',
    answer: 'cloudy with a little rain',
    note:
      'fiction; asked between two issues of the same forecast: the next issue must be ' +
      'hidden and the one before is outdated',
  },
  {
    id: 'pope',
    text: 'Who was pope in 1910?',
    fact: 'pope:1903-08-04',
    answer: 'Pius X',
    note: 'in a year of the early twentieth century in which nothing was reported',
  },
  {
    id: 'restated-revenue',
    text: 'What was the revenue of Larkspur Instruments for 2023?',
    askedAt: '2024-03-01',
    fact: 'larkspur-revenue:2024-01-25',
    answer: '449 million crowns',
    note:
      'fiction; forecasts before it are outdated and the restatement of June 2024 must be ' +
      'hidden',
  },
  {
    id: 'saturn',
    text: 'How many moons of Saturn were known by 2010?',
    fact: 'saturn-moons:2009',
    answer: '62',
    note: 'by a year; the count has more than doubled since',
  },
  {
    id: 'us-president',
    text: 'Who was president of the United States on 1 August 1974?',
    fact: 'us-president:1969-01-20',
    answer: 'Richard Nixon',
    note: 'on a day; Gerald Ford followed in the same month',
  },
];

export function demoQuestions(drafts: readonly Draft[]): AnsweredQuestion[] {
  return questions.map(({ id, text, askedAt, fact, answer, note }) => {
    const expectedIds = drafts
      .filter((draft) => draft.states.includes(fact) && wasPublished(draft, askedAt))
      .map((draft) => draft.id);
    if (expectedIds.length === 0)
      throw new Error(`No passage that answers "${text}" states ${fact}.`);
    return { id, text, ...(askedAt && { askedAt }), expectedIds, expectedAnswer: answer, note };
  });
}

/** A date alone is the start of its day for a passage and the end of its day for a question. */
function wasPublished(draft: Draft, askedAt: string | undefined): boolean {
  if (askedAt === undefined || draft.publishedAt === undefined) return true;
  const asked = askedAt.length === 10 ? Date.parse(askedAt) + 86_400_000 - 1 : Date.parse(askedAt);
  return Date.parse(draft.publishedAt) <= asked;
}
