// Statements that only look alike: another day, place, person or measure, or the same in other
// words. None of them is outdated.
import { check, type Case } from './cases.js';

describe('statements that only look alike', () => {
  const cases: Case[] = [
    {
      kind: 'another day',
      question: 'How warm does it get in Tromvik on 4 May 2025 and on 5 May 2025?',
      lost: [],
      statements: [
        ['2025-05-01', 'The forecast for Tromvik on 4 May 2025 is a high of 12°C.'],
        ['2025-05-02', 'The forecast for Tromvik on 5 May 2025 is a high of 14°C.'],
      ],
    },
    {
      kind: 'another city',
      question: 'How warm does it get on 4 May 2025?',
      lost: [],
      statements: [
        ['2025-05-01', 'The forecast for Tromvik on 4 May 2025 is a high of 12°C.'],
        ['2025-05-02', 'The forecast for Ostrand on 4 May 2025 is a high of 14°C.'],
      ],
    },
    {
      kind: 'another measure of the weather',
      question: 'What are the temperatures in Tromvik on 4 May 2025?',
      lost: [],
      statements: [
        ['2025-05-01', 'Tromvik on 4 May 2025: highest temperature 12°C.'],
        ['2025-05-02', 'On 4 May 2025 the low in Tromvik should be 3°C.'],
      ],
    },
    {
      kind: 'another count',
      question: 'How did the flu hit Norvia by 3 March 2025?',
      lost: [],
      statements: [
        ['2025-03-04', 'By March 3, 2025, Norvia had confirmed 2,310 flu cases.'],
        ['2025-03-20', 'By March 3, 2025, Norvia had confirmed 12 flu deaths.'],
      ],
    },
    {
      kind: 'another country',
      question: 'How many flu cases were confirmed by 3 March 2025?',
      lost: [],
      statements: [
        ['2025-03-04', 'By March 3, 2025, Norvia had confirmed 2,310 flu cases.'],
        ['2025-03-20', 'By March 3, 2025, Sudland had confirmed 2,355 flu cases.'],
      ],
    },
    {
      kind: 'a part of a country',
      question: 'How many flu cases had Norvia confirmed by 3 March 2025?',
      lost: [],
      statements: [
        ['2025-03-04', 'Norvia had 2,310 flu cases by 3 March 2025.'],
        ['2025-03-20', 'The district of Ostrand in Norvia had 355 flu cases by 3 March 2025.'],
      ],
    },
    {
      kind: 'another player',
      question: 'How many goals were scored for Falken in 2024?',
      lost: [],
      statements: [
        ['2024-12-01', 'Anton Reis scored 12 goals for Falken in 2024.'],
        ['2024-12-20', 'Mikko Salo scored 9 goals for Falken in 2024.'],
      ],
    },
    {
      kind: 'another statistic of a player',
      question: 'What did Anton Reis do for Falken in 2024?',
      lost: [],
      statements: [
        ['2024-12-01', 'Anton Reis had 12 goals for Falken in 2024.'],
        ['2024-12-20', 'Anton Reis had 7 assists for Falken in 2024.'],
      ],
    },
    {
      kind: 'another year',
      question: 'What did Velmar earn in 2022 and 2023?',
      lost: [],
      statements: [
        ['2023-02-01', 'Velmar reported revenue of $12 million for 2022.'],
        ['2024-02-01', 'Velmar reported revenue of $14 million for 2023.'],
      ],
    },
    {
      kind: 'another line of the accounts',
      question: 'How did Velmar do in 2023?',
      lost: [],
      statements: [
        ['2024-02-01', 'Velmar reported revenue of $14 million for 2023.'],
        ['2024-03-01', 'Velmar reported profit of $2 million for 2023.'],
      ],
    },
    {
      kind: 'another goods',
      question: 'What do metals cost?',
      lost: [],
      statements: [
        ['2025-03-01', 'The price of copper stands at $9,400 a tonne.'],
        ['2025-04-01', 'The price of nickel stands at $15,100 a tonne.'],
      ],
    },
    {
      kind: 'another office',
      question: 'Who runs Ostrand?',
      lost: [],
      statements: [
        ['2021-05-01', 'The mayor of Ostrand is Per Alm.'],
        ['2024-05-01', 'The treasurer of Ostrand is Ida Sand.'],
      ],
    },
    {
      kind: 'events, one after the other',
      question: 'Who won the Northern Cup final?',
      lost: [],
      statements: [
        ['2023-06-01', 'Lunden beat Halvard 2-1 in the Northern Cup final on 30 May 2023.'],
        ['2024-06-01', 'Falken beat Lunden 3-0 in the Northern Cup final on 29 May 2024.'],
      ],
    },
    {
      kind: 'another route',
      question: 'How long do the ferries take?',
      lost: [],
      statements: [
        ['2024-01-01', 'Ferry route 12 takes 40 minutes.'],
        ['2025-01-01', 'Ferry route 15 takes 55 minutes.'],
      ],
    },
    {
      kind: 'another page',
      question: 'What share of people was employed full-time?',
      lost: [],
      statements: [
        ['2024-01-01', 'Of those at least 15, 49.2% were employed full-time.', 'Ostrand District'],
        ['2025-01-01', 'Of those at least 15, 50.0% were employed full-time.', 'Tromvik District'],
      ],
    },
    {
      kind: 'the same in other spelling',
      question: 'How many people live in Norvia?',
      lost: [],
      statements: [
        ['2024-01-01', 'Norvia has 1.2 million inhabitants.'],
        ['2025-01-01', 'The population of Norvia is 1,200,000.'],
      ],
    },
    {
      kind: 'the same in other units',
      question: 'How warm will it be in Tromvik on 4 May 2025?',
      lost: [],
      statements: [
        ['2025-05-01', 'The forecast for Tromvik on 4 May 2025 is a high of 48 F.'],
        ['2025-05-02', 'The high in Tromvik on May 4, 2025 will be 48.0°F.'],
      ],
    },
    {
      kind: 'what is published after the question',
      question: 'Who is the mayor of Ostrand?',
      askedAt: '2020-01-01',
      lost: [],
      statements: [
        ['2019-05-01', 'The mayor of Ostrand is Lena Borg.'],
        ['2021-05-01', 'The mayor of Ostrand is Per Alm.'],
      ],
    },
    {
      kind: 'versions of one day',
      question: 'Who is the mayor of Ostrand?',
      lost: [],
      statements: [
        ['2021-05-01', 'The mayor of Ostrand is Lena Borg.'],
        ['2021-05-01', 'The mayor of Ostrand is Per Alm.'],
      ],
    },
    {
      kind: 'what happened on a page in one year and in another',
      question: 'Where did Mara Quist exhibit?',
      lost: [],
      statements: [
        ['2023-01-01', 'In 2019 Quist exhibited in Lunden.', 'Mara Quist'],
        ['2025-01-01', 'In 2021 Quist exhibited in Halvard.', 'Mara Quist'],
      ],
    },
    {
      kind: "items of a page's list",
      question: 'Which settlements had the county?',
      lost: [],
      statements: [
        ['2023-01-01', 'Sawyers Bar, now in Ostrand County.', 'Karsk County'],
        ['2025-01-01', 'Gullions Bar, now in Ostrand County.', 'Karsk County'],
      ],
    },
    {
      kind: 'another party',
      question: 'How do the parties of Norvia poll?',
      lost: [],
      statements: [
        ['2025-01-10', 'The Green Party stands at 14% in the polls of Norvia.'],
        ['2025-02-10', 'The Farmers Party stands at 16% in the polls of Norvia.'],
      ],
    },
    {
      kind: 'the dead and the injured',
      question: 'What did the Karsk earthquake do?',
      lost: [],
      statements: [
        ['2025-02-06', 'The earthquake in Karsk killed 120 people.'],
        ['2025-02-08', 'The earthquake in Karsk injured 950 people.'],
      ],
    },
  ];
  cases.forEach(check);
});
