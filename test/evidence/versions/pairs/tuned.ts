// The half of the adversarial pairs that rules may be mended by; the other half is heldOut.ts. Two statements nine days apart, a question, and
// whether the newer one makes the older one outdated. Sentences and names are our own; it holds no judge.
import type { Pair } from './pair.js';

export const tunedPairs: readonly Pair[] = [
  // The newer statement says otherwise.
  [
    'rounding', 'How many people live in Norvia?', 'Norvia has about 1.2 million inhabitants.',
    'The population of Norvia is 1,317,000.', 'conflict',
  ],
  [
    'units', 'How warm will it be in Tromvik on 4 May 2025?', 'Tromvik, 4 May 2025: high of 48 F.',
    'The high in Tromvik on 4 May 2025 will be 12°C.', 'conflict',
  ],
  [
    'forecast', 'How much snow will fall in Halvard on 12 March 2025?', 'Forecasters expect 30 cm of snow in Halvard on 12 March 2025.',
    'Halvard should see only 10 cm of snow on 12 March 2025.', 'conflict',
  ],
  [
    'count', 'How many survivors of the Karsk avalanche were found?', 'Rescuers have found 14 survivors of the Karsk avalanche.',
    'So far 19 survivors of the Karsk avalanche have been found.', 'conflict',
  ],
  [
    'rating', 'How is the Blue Kettle rated?', 'The Blue Kettle is rated 4.1 stars on DineMap.',
    'On DineMap the Blue Kettle now has 3.7 stars.', 'conflict',
  ],
  ['office', 'Who is the mayor of Ostrand?', 'Per Alm is the mayor of Ostrand.', 'Ida Sand took office as mayor of Ostrand.', 'conflict'],
  [
    'office', 'Who runs Velmar?', 'The chief executive of Velmar is Tom Hale.',
    'Velmar has appointed Ruth Okafor as its chief executive, replacing Tom Hale.', 'conflict',
  ],
  [
    'price', 'What does a season ticket for the Fjell lifts cost?', 'A season ticket for the Fjell lifts costs 390 euros.',
    'The Fjell lifts raised the price of a season ticket to 420 euros.', 'conflict',
  ],
  ['status', 'Is the Skarn pass open?', 'The Skarn pass is open.', 'The Skarn pass was closed after a rockfall.', 'conflict'],
  [
    'status', 'What became of the application of Nordhav?', 'The application of Nordhav for a new pier is pending.',
    'The application of Nordhav for a new pier was approved.', 'conflict',
  ],
  [
    'spelled number', 'How many ferries serve Ostrand?', 'Twelve ferries serve the Ostrand line.',
    'The Ostrand line is served by nine ferries.', 'conflict',
  ],
  [
    'percent', 'How high was turnout in Norvia?', 'Turnout in the Norvia election was 61 percent.',
    'Turnout in the Norvia election was put at 64.5%.', 'conflict',
  ],
  [
    'range', 'How long will the Alden Bridge be repaired?', 'The repair of the Alden Bridge will take 4 to 6 weeks.',
    'The repair of the Alden Bridge will take 8 to 10 weeks.', 'conflict',
  ],
  ['date', 'When does the Sund festival open?', 'The Sund festival opens on 3 May 2025.', 'The Sund festival opens on 5 May 2025.', 'conflict'],
  ['negation', 'Is Lake Mora safe?', 'The water of Lake Mora is safe to drink.', 'The water of Lake Mora is not safe to drink.', 'conflict'],
  [
    'other name', 'How many wind farms has the United Kingdom?', 'The UK has 512 wind farms.',
    'The United Kingdom has 548 wind farms.', 'conflict',
  ],
  [
    'other words', 'Who coaches Falken?', 'Anton Reis leads the Falken team as its trainer.',
    'Falken are now coached by Mikko Salo.', 'conflict',
  ],
  [
    'other words', "What does bread cost at Holm's bakery?", "Bread costs 3.20 euros at Holm's bakery.",
    "Holm's bakery now charges 3.50 euros for bread.", 'conflict',
  ],
  [
    'units', 'How long is the tunnel at Skarn?', 'The new tunnel at Skarn is 4.2 km long.',
    'The new tunnel at Skarn has a length of 5 miles.', 'conflict',
  ],
  [
    'clock', 'When does the last tram to Ostrand leave?', 'The last tram to Ostrand leaves at 11:30 pm.',
    'The last tram to Ostrand leaves at 22:50.', 'conflict',
  ],
  [
    'record', 'What is the longest jump at Holme?', 'The longest jump at Holme is 131 metres.',
    'The longest jump at Holme is 134.5 metres.', 'conflict',
  ],
  ['page', 'Where does Mara Quist live?', 'Quist lives in Lunden.', 'Quist lives in Halvard.', 'conflict', 'Mara Quist'],
  ['seat', 'Where is Velmar based?', 'The headquarters of Velmar are in Lunden.', 'Velmar has moved its headquarters to Halvard.', 'conflict'],
  [
    'record', 'What is the record of Lena Borg?', "Lena Borg's record in the 100 metres is 11.42 seconds.",
    "11.31 seconds is Lena Borg's record in the 100 metres.", 'conflict',
  ],
  [
    'gate', 'From which gate does flight 212 leave?', 'Flight 212 to Lunden leaves from gate 7.',
    'Flight 212 to Lunden leaves from gate 11.', 'conflict',
  ],
  [
    'count', 'How many seats have the Greens?', 'The Greens won 41 seats in Norvia.',
    'The Greens won 43 seats in Norvia after a recount.', 'conflict',
  ],
  [
    'price', 'What is the toll at Alden?', 'The bridge toll at Alden is 4 euros for cars.',
    'Cars pay a toll of 5 euros at the Alden bridge.', 'conflict',
  ],
  [
    'count', 'How many people does the Karsk mine employ?', 'The Karsk mine employs 300 people.',
    'After the cuts the Karsk mine employs 180 people.', 'conflict',
  ],
  ['rank', 'Where do Halvard stand?', 'Halvard are third in the Northern League.', 'Halvard are fifth in the Northern League.', 'conflict'],
  ['date', 'When does the term of Novak end?', 'The term of Novak ends in June 2026.', 'The term of Novak ends in March 2027.', 'conflict'],
  ['negation', 'Has Sund a cinema?', 'Sund has no cinema.', 'Sund has a cinema.', 'conflict'],
  ['owner', 'Who owns the Harbour Hotel?', 'The Harbour Hotel is owned by Nordhav.', 'Skagen Group has bought the Harbour Hotel.', 'conflict'],
  // It only looks as if it did.
  [
    'other day', 'How much snow will fall in Halvard?', 'Snow of 30 cm is expected in Halvard on 12 March 2025.',
    'Snow of 10 cm is expected in Halvard on 13 March 2025.', 'none',
  ],
  [
    'other city', 'How many homes were sold in Norvia in 2024?', 'Ostrand, Norvia: 4,200 homes were sold in 2024.',
    'Lunden, Norvia: 3,900 homes were sold in 2024.', 'none',
  ],
  [
    'other player', 'Who scores this season?', 'Anton Reis has scored 12 goals this season.',
    'Mikko Salo has scored 9 goals this season.', 'none',
  ],
  ['other metric', 'How large is Velmar?', 'Velmar has 1,200 employees.', 'Velmar has 340 ships.', 'none'],
  [
    'other season', 'How many matches did Lunden win?', 'Lunden won 14 matches in the 2022-23 season.',
    'Lunden won 11 matches in the 2023-24 season.', 'none',
  ],
  [
    'other unit', 'How many people does the Fjell lift carry?', 'The Fjell lift carries 900 people an hour.',
    'The Fjell lift carries 6,000 people a day.', 'none',
  ],
  [
    'home, away', 'How do Lunden do this season?', 'Lunden have won 8 home matches this season.',
    'Lunden have won 3 away matches this season.', 'none',
  ],
  [
    'daily, cumulative', 'How many flu cases had Norvia by 3 March 2025?', 'Norvia counted 210 new flu cases on 3 March 2025.',
    'Norvia had counted 8,460 flu cases by 3 March 2025.', 'none',
  ],
  [
    'forecast, observation', 'What of the temperature in Tromvik on 4 March 2025?', 'The forecast for Tromvik on 4 March 2025 is a high of 9°C.',
    'A high of 11°C was measured in Tromvik on 4 March 2025.', 'none',
  ],
  ['question quoted', 'Is the Skarn pass open?', '"Is the Skarn pass closed?" is what drivers ask most.', 'The Skarn pass is open.', 'none'],
  ['same, rounded', 'How many people live in Norvia?', 'Norvia has 1.2 million inhabitants.', 'The population of Norvia is 1,204,331.', 'none'],
  ['same, other unit', 'How warm will it be in Tromvik?', 'Tromvik, 4 May 2025: high of 48 F.', 'Tromvik, 4 May 2025: high of 9°C.', 'none'],
  [
    'same, in words', 'How many pupils of Sund cycle to school?', 'Half of the pupils of Sund cycle to school.',
    '50 percent of the pupils of Sund cycle to school.', 'none',
  ],
  [
    'same, in words', 'How many ferries serve Ostrand?', 'Twelve ferries serve the Ostrand line.',
    'The Ostrand line is served by 12 ferries.', 'none',
  ],
  [
    'same name', 'Who chairs the board of Velmar?', 'John F. Alder chairs the board of Velmar.',
    'John Alder is the chairman of the board of Velmar.', 'none',
  ],
  [
    'other office', 'Who is the mayor of Ostrand?', 'Per Alm is the mayor of Ostrand.',
    'Ida Sand took office as deputy mayor of Ostrand.', 'none',
  ],
  [
    'other part', 'Is the Skarn pass open?', 'The northern lane of the Skarn pass is closed.',
    'The southern lane of the Skarn pass is open.', 'none',
  ],
  [
    'same range', 'How long will the Alden Bridge be repaired?', 'The repair of the Alden Bridge will take 4 to 6 weeks.',
    'The Alden Bridge will be repaired in four to six weeks.', 'none',
  ],
  [
    'other ticket', 'What does the Fjell museum cost?', 'An adult ticket for the Fjell museum costs 90 kroner.',
    "A child's ticket for the Fjell museum costs 45 kroner.", 'none',
  ],
  ['other event', 'When is the Sund festival?', 'The Sund festival opens on 3 May 2025.', 'The Sund festival closes on 11 May 2025.', 'none'],
  [
    'other election', 'Who was elected mayor of Ostrand in 2015?', 'Per Alm was elected mayor of Ostrand in 2015.',
    'Ida Sand was elected mayor of Ostrand in 2023.', 'none',
  ],
  ['page', 'What does Mara Quist do?', 'Quist studied in Lunden.', 'Quist teaches in Halvard.', 'none', 'Mara Quist'],
  [
    'other match', 'How did Lunden play against Halvard?', 'Lunden lost 0-2 to Halvard in the cup.',
    'Lunden lost 1-3 to Halvard in the league.', 'none',
  ],
  [
    'other edition', 'How many copies of Hollow Lantern were sold?', 'The first edition of Hollow Lantern sold 4,000 copies.',
    'The second edition of Hollow Lantern sold 6,500 copies.', 'none',
  ],
  [
    'other weekday', 'When does the Fjell museum open?', 'The Fjell museum opens at 10:00 on Mondays.',
    'The Fjell museum opens at 12:00 on Sundays.', 'none',
  ],
  [
    'other metric', 'Who may use the Fjell slide?', 'The minimum age for the Fjell slide is 6 years.',
    'The minimum height for the Fjell slide is 120 cm.', 'none',
  ],
  ['past', 'Is the Alden Bridge open?', 'In 2019 the Alden Bridge was closed for repairs.', 'The Alden Bridge is open.', 'none'],
  [
    'past holder', 'Who was the chief executive of Velmar?', 'Tom Hale was the chief executive of Velmar until 2022.',
    'Ruth Okafor is the chief executive of Velmar.', 'none',
  ],
  [
    'holders of two', 'Who met Tom Hale?', 'Lena Borg, the mayor of Ostrand, met Tom Hale.',
    'Per Alm, the mayor of Lunden, met Tom Hale.', 'none',
  ],
  [
    'time of day', 'How was the weather in Tromvik on 4 March 2025?', 'Rain fell in Tromvik in the morning of 4 March 2025.',
    'Sun shone in Tromvik in the afternoon of 4 March 2025.', 'none',
  ],
  ['other number', 'How often do the buses run?', 'Bus 12 runs every 10 minutes.', 'Bus 14 runs every 15 minutes.', 'none'],
  [
    'other shop', 'What does bread cost in Sund?', 'The new bakery in Sund sells bread for 3 euros.',
    'The old bakery in Sund sells bread for 4 euros.', 'none',
  ],
  ['condition', 'What is the toll at Alden?', 'If the vote fails, the toll at Alden will be 5 euros.', 'The toll at Alden is 4 euros.', 'none'],
  ['other act', 'Who opened the school of Ostrand?', 'Per Alm opened the school of Ostrand.', 'Ida Sand closed the school of Ostrand.', 'none'],
  ['share, number', 'Who voted in Norvia?', 'In Norvia 61 percent voted.', 'In Norvia 482,000 people voted.', 'none'],
  ['total, part', 'How many people live in Norvia?', 'Norvia has 1.3 million inhabitants.', 'Norvia has 210,000 inhabitants under 18.', 'none'],
];
