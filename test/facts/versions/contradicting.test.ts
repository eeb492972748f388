// Versions of facts of many kinds that contradict each other, in sentences of our own and in words
// that change between versions. Each case stands for a kind of fact, none for a data set.
import { check, type Case } from './cases.js';

describe('versions that contradict', () => {
  const cases: Case[] = [
    {
      kind: 'the failure of appendix B.3: 48 °F against 49 °F, issued a day apart',
      question: 'How will the weather be in Shreveport on November 30, 2025?',
      askedAt: '2025-11-29',
      lost: [1, 2, 3],
      statements: [
        [
          '2025-11-28',
          'On November 30 it should be partly sunny in Shreveport, says the NOAA forecast ' +
            'published on November 28. The predicted high is ' +
            '48°F. That is the last outlook before the day.',
        ],
        [
          '2025-11-27',
          'The NOAA forecast released on November 27 describes November 30 in Shreveport: a ' +
            'few showers early, then some sun, with a high ' +
            'near 49°F.',
        ],
        [
          '2025-11-24',
          'For Shreveport the NOAA forecast of November 30, 2025, issued on November 24, has ' +
            'thunderstorms and a high temperature of ' +
            'around 69°F.',
        ],
        [
          '2025-11-26',
          'For 2025-11-30, NOAA expects rain showers in Shreveport. Published on November ' +
            '26, it puts the daytime temperature near 54°F.',
        ],
      ],
    },
    {
      kind: 'forecasts in other words and units',
      question: 'How warm will it get in Tromvik on 4 May 2025?',
      lost: [0],
      statements: [
        ['2025-05-01', 'Tromvik, 4 May 2025: rain, highest temperature 9°C.'],
        [
          '2025-05-03',
          'On May 4, 2025 the thermometer in Tromvik should reach 59 °F under a grey sky.',
        ],
      ],
    },
    {
      kind: 'prices',
      question: 'What does a day ticket for the Harbour Tram cost?',
      lost: [0],
      statements: [
        ['2024-01-10', 'A day ticket for the Harbour Tram costs $6.40.'],
        ['2025-01-08', 'The Harbour Tram sells its day ticket for $7.10.'],
      ],
    },
    {
      kind: 'prices in a like sentence',
      question: 'What is the price of diesel at Nordhavn?',
      lost: [0],
      statements: [
        ['2025-03-01', 'Diesel at the Nordhavn pumps stands at €1.62 per litre.'],
        ['2025-04-01', 'Diesel at the Nordhavn pumps stands at €1.71 per litre.'],
      ],
    },
    {
      kind: 'office holders',
      question: 'Who is the mayor of Ostrand?',
      lost: [0, 1],
      statements: [
        ['2019-05-01', 'The mayor of Ostrand is Lena Borg.'],
        ['2021-05-01', 'The mayor of Ostrand is Per Alm.'],
        ['2024-05-01', 'The mayor of Ostrand is Ida Sand.'],
      ],
    },
    {
      kind: 'office holders first in the sentence',
      question: 'Who is the chief executive of Velmar?',
      lost: [0],
      statements: [
        ['2022-02-01', 'Tom Hale is the chief executive of Velmar, the ferry company.'],
        ['2024-09-01', 'Ruth Okafor is the chief executive of Velmar, the ferry company.'],
      ],
    },
    {
      kind: 'appointments',
      question: 'Who coaches Falken?',
      lost: [0],
      statements: [
        ['2023-07-01', 'Falken have named Anton Reis as their head coach.'],
        ['2025-02-01', 'Falken have named Mikko Salo as their head coach.'],
      ],
    },
    {
      kind: 'standings',
      question: 'How many points does Lunden FC have in the Northern League?',
      lost: [0],
      statements: [
        ['2025-03-02', 'Lunden FC have 41 points after 22 matches of the Northern League.'],
        ['2025-03-09', 'Lunden FC have 44 points after 23 matches of the Northern League.'],
      ],
    },
    {
      kind: 'who leads a table',
      question: 'Who leads the Northern League?',
      lost: [0],
      statements: [
        ['2025-03-02', 'Lunden lead the Northern League.'],
        ['2025-03-09', 'Halvard lead the Northern League.'],
      ],
    },
    {
      kind: 'ratings',
      question: 'What approval rating has Hollow Lantern?',
      lost: [0],
      statements: [
        [
          '2024-08-01',
          '"Hollow Lantern" holds an approval rating of 20% from 5 reviews.',
          'Hollow Lantern',
        ],
        [
          '2024-09-01',
          '"Hollow Lantern" was poorly received, with a 17% approval rating based on 6 reviews.',
          'Hollow Lantern',
        ],
      ],
    },
    {
      kind: 'populations restated',
      question: 'What was the population of Vesterby on 1 January 2020?',
      lost: [0],
      statements: [
        ['2020-03-01', 'Vesterby had 12,480 inhabitants on 1 January 2020.'],
        [
          '2021-06-01',
          'The population of Vesterby on 1 January 2020 was 12,613, according to the revised ' +
            'register.',
        ],
      ],
    },
    {
      kind: 'counts restated in other words',
      question: 'How many flu cases had Norvia confirmed by 3 March 2025?',
      lost: [0],
      statements: [
        ['2025-03-04', 'By March 3, 2025, Norvia had confirmed 2,310 flu cases in total.'],
        ['2025-03-20', 'Cumulative flu infections in Norvia as of 2025-03-03: 2,355.'],
      ],
    },
    {
      kind: 'schedules',
      question: 'When does the Alden Bridge reopen?',
      lost: [0],
      statements: [
        ['2025-01-10', 'The Alden Bridge is due to reopen on 3 March 2025.'],
        ['2025-02-20', 'The Alden Bridge is due to reopen on 24 April 2025.'],
      ],
    },
    {
      kind: 'times of day',
      question: 'When does the derby between Lunden and Halvard on 3 May 2025 start?',
      lost: [0],
      statements: [
        ['2025-04-01', 'The derby between Lunden and Halvard on 3 May 2025 starts at 3 pm.'],
        ['2025-04-20', 'The derby between Lunden and Halvard on 3 May 2025 starts at 17:30.'],
      ],
    },
    {
      kind: 'states',
      question: 'Is the Skarn pass open?',
      lost: [0],
      statements: [
        ['2025-05-01', 'The Skarn pass is closed to traffic.'],
        ['2025-05-14', 'The Skarn pass is open to traffic.'],
      ],
    },
    {
      kind: 'states as of a day, asked of now',
      question: 'How many players have appeared for Norvia?',
      lost: [0],
      statements: [
        ['2024-06-05', 'As of 4 June 2024, 236 players have appeared for Norvia.'],
        ['2024-07-01', 'As of 25 June 2024, 237 players have appeared for Norvia.'],
      ],
    },
    {
      kind: 'a page of an encyclopedia',
      question: 'Which club does Jon Lind play for?',
      lost: [0],
      statements: [
        ['2024-10-01', 'Jon Lind (born 17 April 1994) is a striker for Puls.', 'Jon Lind'],
        ['2024-11-01', 'Jon Lind (born 17 April 1994) is a striker for Wisla.', 'Jon Lind'],
      ],
    },
    {
      kind: 'one city by two names',
      question: 'How many libraries does New York City have?',
      lost: [0],
      statements: [
        ['2022-01-01', 'NYC has 210 public libraries.'],
        ['2024-01-01', 'New York City has 216 public libraries.'],
      ],
    },
    {
      kind: 'a value that came back: what said so before stays',
      question: 'What does the Fjell museum charge?',
      lost: [1],
      statements: [
        ['2024-01-01', 'The Fjell museum charges 90 kroner.'],
        ['2024-06-01', 'The Fjell museum charges 110 kroner.'],
        ['2025-01-01', 'The Fjell museum charges 90 kroner.'],
      ],
    },
    {
      kind: 'a toll in other words',
      question: 'How many people died in the Karsk earthquake?',
      lost: [0],
      statements: [
        ['2025-02-06', 'The earthquake in Karsk killed 120 people.'],
        ['2025-02-08', 'The death toll of the Karsk earthquake has risen to 187.'],
      ],
    },
    {
      kind: 'a rank',
      question: 'Where is Lena Borg ranked?',
      lost: [0],
      statements: [
        ['2025-01-10', 'Lena Borg is ranked 14th in the world.'],
        ['2025-02-10', 'Lena Borg is ranked 9th in the world.'],
      ],
    },
    {
      kind: 'an owner',
      question: 'Who owns the Harbour Hotel?',
      lost: [0],
      statements: [
        ['2019-01-01', 'The Harbour Hotel is owned by Nordhav.'],
        ['2024-01-01', 'The Harbour Hotel is owned by Skagen Group.'],
      ],
    },
    {
      kind: 'a birthday put right on a page',
      question: 'When was Mara Quist born?',
      lost: [0],
      statements: [
        ['2023-01-01', 'Mara Quist (born 12 October 1980) is a painter.', 'Mara Quist'],
        ['2025-01-01', 'Mara Quist (born 12 September 1980) is a painter.', 'Mara Quist'],
      ],
    },
  ];
  cases.forEach(check);
});
