// More pairs that rules may be mended by, of other kinds and names than tuned.ts; laid out as there.
import type { Pair } from './pair.js';

export const furtherPairs: readonly Pair[] = [
  ['office', 'Who is the governor of Oru?', 'Lise Tamm is the governor of Oru province.', 'The governor of Oru is now Karl Mets.', 'conflict'],
  [
    'other office', 'Who heads the bank?', 'The Orley Bank is headed by Jo Pell.',
    'Ann Reed has become chief executive of the Orley Bank.', 'none',
  ],
  [
    'in passing', 'Who is the coach of the Rovers?', 'Under coach Jo Pell the Rovers won the cup.',
    'Ann Reed is the coach of the Rovers.', 'none',
  ],
  ['seat', 'Where does the firm Dask have its seat?', 'Dask is based in Lund.', 'Dask is headquartered in Turku.', 'conflict'],
  ['count', 'How many islands has Oru?', 'Oru has 40 islands.', 'Oru has 47 islands and 12 lakes.', 'conflict'],
  ['cost', 'How much did the bridge cost?', 'The Tam bridge cost $40 million.', 'The Tam bridge cost $52 million, auditors found.', 'conflict'],
  [
    'date', 'When will the Tam bridge open?', 'The Tam bridge will open in May 2026.',
    'The opening of the Tam bridge was postponed to October 2026.', 'conflict',
  ],
  [
    'other year', 'How many passengers used Oru airport?', 'Oru airport had 1.1 million passengers in 2023.',
    'Oru airport had 1.3 million passengers in 2024.', 'none',
  ],
  ['status', 'Is the road to Oru open?', 'The road to Oru is blocked by snow.', 'The road to Oru has been reopened.', 'conflict'],
  ['other part', 'Is the road to Oru open?', 'The road to Oru is closed to lorries.', 'The road to Oru is open to cars.', 'none'],
  ['owner', 'Who owns Dask?', 'Dask is owned by the Pell family.', 'Dask was sold to Reed Holdings.', 'conflict'],
  ['other things owned', 'Who owns Dask?', 'Dask owns Tam Ferries.', 'Dask owns Oru Lines.', 'none'],
  ['other office', 'Who captains the Rovers?', 'Jo Pell is the vice captain of the Rovers.', 'Ann Reed is the captain of the Rovers.', 'none'],
  ['newer value', 'What is the speed limit in Oru?', 'The speed limit in Oru is 50 km/h.', 'The speed limit in Oru is 30 mph.', 'conflict'],
  [
    'other fact', 'What is the speed limit in Oru?', 'The speed limit in Oru is 50 km/h.',
    'The speed limit on the Oru motorway is 110 km/h.', 'none',
  ],
  ['newer value', 'Was the vaccine approved?', 'The vaccine of Dask is under review.', 'Regulators approved the vaccine of Dask.', 'conflict'],
  ['toll', 'How many died?', 'The fire in Oru killed eleven people.', 'Thirteen people died in the fire in Oru.', 'conflict'],
  ['toll', 'How many died?', 'The fire in Oru killed eleven people.', 'The flood in Oru killed thirteen people.', 'none'],
  ['other fact', 'How high is the tower?', 'The tower of Oru is 120 m high.', 'The tower of Tam is 140 m high.', 'none'],
  ['other fact', 'How is the Rovers forward?', 'Jo Pell is 1.84 m tall.', 'Jo Pell weighs 82 kg.', 'none'],
  [
    'newer value', 'What is the interest rate?', 'The central bank of Oru set its rate at 3.5%.',
    'The central bank of Oru raised its rate from 3.5% to 3.75%.', 'conflict',
  ],
  [
    'other fact', 'What is the interest rate?', 'The central bank of Oru raised its rate from 3.25% to 3.5%.',
    'The rate of the central bank of Oru is 3.5%.', 'none',
  ],
  ['other fact', 'How many islands has Oru?', 'Oru has over 40 islands.', 'Oru has 47 islands.', 'none'],
  ['other fact', 'Who won?', 'Jo Pell won the Oru race in 2023.', 'Ann Reed won the Oru race in 2024.', 'none'],
  ['newer value', 'Which city is the capital of Oru?', 'The capital of Oru is Tam.', 'Lund is now the capital of Oru.', 'conflict'],
  ['other fact', 'What is the temperature?', 'At 8:00 it was 4°C in Tam.', 'At 14:00 it was 11°C in Tam.', 'none'],
  [
    'newer value', 'How long is the queue?', 'The waiting time at Tam hospital is 40 minutes.',
    'The waiting time at Tam hospital is 2 hours.', 'conflict',
  ],
  ['other fact', 'Who is the ambassador?', 'Jo Pell is an ambassador of Oru.', 'Ann Reed is an ambassador of Oru.', 'none'],
  ['newer value', 'How many goals?', 'Jo Pell has scored 12 goals for the Rovers.', 'Jo Pell has scored 15 goals for the Rovers.', 'conflict'],
  ['other fact', 'How many goals?', 'Jo Pell has scored 12 goals for the Rovers.', 'Jo Pell has scored 3 goals for Oru.', 'none'],
  ['other fact', 'Does Tam have a zoo?', 'Tam has no zoo.', 'Tam has no airport.', 'none'],
  ['other fact', 'Is smoking allowed?', 'Smoking is allowed in the bars of Tam.', 'Smoking is not allowed in the schools of Tam.', 'none'],
  ['other fact', 'What does the ferry cost?', 'The ferry to Oru costs 12 euros in summer.', 'The ferry to Oru costs 8 euros in winter.', 'none'],
  ['other fact', 'What was the score?', 'At half-time the Rovers led 1-0.', 'The Rovers won 3-1.', 'none'],
  ['other fact', 'How large is the army?', 'The army of Oru has 4,000 soldiers.', 'The navy of Oru has 1,500 sailors.', 'none'],
  ['other fact', 'How many copies?', 'The album sold 40,000 copies in Oru.', 'The album sold 65,000 copies in Tam.', 'none'],
  ['other fact', 'Who is the minister?', 'The minister of health of Oru is Jo Pell.', 'The minister of justice of Oru is Ann Reed.', 'none'],
  [
    'newer value', 'How strong was the quake?', 'The quake near Tam had a magnitude of 5.8.',
    'The magnitude of the quake near Tam was revised to 6.1.', 'conflict',
  ],
  [
    'newer value', 'How many are homeless?', 'The storm left 300 families homeless in Tam.',
    'The storm left 450 families homeless in Tam.', 'conflict',
  ],
  ['newer value', 'What is the time zone?', 'Oru is two hours ahead of Tam.', 'Oru is three hours ahead of Tam.', 'conflict'],
  ['newer value', 'How many seats?', 'The hall of Tam seats 800.', 'The hall of Tam seats 950 after its renovation.', 'conflict'],
];
