// The half of the adversarial pairs that was written before it was run and that no rule was mended by; laid out as tuned.ts. A case that is
// judged wrongly here says how far the rules carry, so it is counted and not mended.
import type { Pair } from './pair.js';

export const heldOutPairs: readonly Pair[] = [
  // The newer statement says otherwise.
  [
    'rounding', 'How much water does the Dalen reservoir hold?', 'The reservoir at Dalen holds roughly 3.4 million cubic metres.',
    'Some 2.9 million cubic metres of water are held at the Dalen reservoir.', 'conflict',
  ],
  ['units', 'How high is the barrier at Kessel?', 'The barrier at Kessel rises 6.5 m.', 'At Kessel the barrier rises 25 feet.', 'conflict'],
  [
    'forecast', 'How strong will gusts at Cape Orr be on 9 April 2025?', 'Gusts of 70 km/h are expected at Cape Orr on 9 April 2025.',
    'For 9 April 2025, Cape Orr is told to expect gusts of 95 km/h.', 'conflict',
  ],
  [
    'count', 'How many people marched in Veldt?', 'Police counted 2,000 marchers in Veldt.',
    'The march in Veldt drew 3,500 people, police now say.', 'conflict',
  ],
  [
    'rating', 'What do critics give Pale Harbour?', 'Critics give the film Pale Harbour 6.8 out of 10.',
    'Pale Harbour now stands at 7.3 out of 10 with critics.', 'conflict',
  ],
  [
    'office', 'Who is the finance minister of Torland?', 'Nils Aker is the finance minister of Torland.',
    'Eva Blum was sworn in as finance minister of Torland.', 'conflict',
  ],
  [
    'office', 'Who captains the handball team of Torland?', 'Rosa Lind captains the Torland handball team.',
    'The captain of the Torland handball team is Jana Voss.', 'conflict',
  ],
  [
    'price', 'What does parking at Kessel station cost?', 'Parking at Kessel station is 2.50 euros an hour.',
    'An hour of parking at Kessel station costs 3 euros.', 'conflict',
  ],
  ['status', 'Is Dalen airport open?', 'Dalen airport is closed because of fog.', 'Dalen airport has reopened.', 'conflict'],
  [
    'status', 'What became of the bill on fishing quotas?', 'The bill on fishing quotas is under debate in Torland.',
    "Torland's bill on fishing quotas was rejected.", 'conflict',
  ],
  [
    'spelled number', 'How many albums has the Orr Quartet recorded?', 'The Orr Quartet has recorded seven albums.',
    'The Orr Quartet has recorded eleven albums.', 'conflict',
  ],
  [
    'percent', 'How high is unemployment in Torland?', 'Unemployment in Torland stands at 5.8%.',
    "Torland's unemployment rate is 6.3 percent.", 'conflict',
  ],
  [
    'range', 'How long does delivery from Brandt take?', 'Delivery from Brandt takes 2-3 days.',
    'Brandt says that delivery takes 5-7 days.', 'conflict',
  ],
  [
    'date', 'When must entries to the Veldt marathon be in?', 'The deadline for entries to the Veldt marathon is 15 August 2025.',
    'Entries to the Veldt marathon must be in by 1 August 2025.', 'conflict',
  ],
  [
    'date', 'When is the hearing of Brandt?', 'The court hearing of Brandt was set for 12 June 2025.',
    'The court hearing of Brandt was moved to 26 June 2025.', 'conflict',
  ],
  ['negation', 'May dogs go to Orr beach?', 'Dogs are allowed on Orr beach.', 'Dogs are no longer allowed on Orr beach.', 'conflict'],
  [
    'other name', 'How many licensed reactors has the US?', 'The US has 92 licensed reactors.',
    'The United States has 94 licensed reactors.', 'conflict',
  ],
  ['other name', 'How many patents has Lea Strand?', 'Professor Lea Strand has 14 patents.', 'Lea Strand holds 17 patents.', 'conflict'],
  ['other words', 'Who owns the Veldt Gazette?', 'Kurt Hamm owns the Veldt Gazette.', 'The Veldt Gazette belongs to Brandt Media.', 'conflict'],
  [
    'other words', 'What does the Orr lighthouse cost?', 'Admission to the Orr lighthouse is free.',
    'The Orr lighthouse now charges 4 euros for admission.', 'conflict',
  ],
  [
    'restatement', 'What profit did Brandt make in 2024?', 'Brandt made a profit of €4.1 million in 2024.',
    "Brandt's 2024 profit was restated as €3.6 million.", 'conflict',
  ],
  ['page', 'How many cinemas has Kessel?', 'The town has two cinemas.', 'The town has three cinemas.', 'conflict', 'Kessel'],
  // It only looks as if it did.
  [
    'other day', 'How much rain had Cape Orr?', 'Cape Orr had 14 mm of rain on 27 February 2025.',
    'Cape Orr had 3 mm of rain on 28 February 2025.', 'none',
  ],
  ['other city', 'Who is mayor?', 'The mayor of Veldt is Nils Aker.', 'The mayor of Kessel is Eva Blum.', 'none'],
  [
    'other player', 'Who plays for Torland?', 'Jana Voss has played 61 matches for Torland.',
    'Rosa Lind has played 88 matches for Torland.', 'none',
  ],
  ['other metric', 'How large is the Dalen dam?', 'The Dalen dam is 88 metres high.', 'The Dalen dam is 340 metres long.', 'none'],
  [
    'other season', 'How many spectators did the Veldt Bears draw?', 'In the 2019 season the Veldt Bears drew 4,100 spectators a match.',
    'In the 2024 season the Veldt Bears drew 5,300 spectators a match.', 'none',
  ],
  [
    'other unit', 'What does Brandt pay its drivers?', 'Brandt pays its drivers 19 euros an hour.',
    'Brandt pays its drivers 3,100 euros a month.', 'none',
  ],
  ['home, away', 'How many games did the Bears lose?', 'The Bears lost 2 games at home.', 'The Bears lost 6 games away.', 'none'],
  [
    'daily, cumulative', 'How many doses had Torland given by 5 January 2025?', 'Torland gave 3,000 doses on 5 January 2025.',
    'Torland had given 41,000 doses in total by 5 January 2025.', 'none',
  ],
  [
    'forecast, observation', 'How strong were gusts at Cape Orr on 9 March 2025?', 'Gusts of 70 km/h are expected at Cape Orr on 9 March 2025.',
    'Gusts of 92 km/h were recorded at Cape Orr on 9 March 2025.', 'none',
  ],
  [
    'question quoted', 'Who chairs the bank of Torland?', 'Many ask: "Does Eva Blum chair the bank of Torland?"',
    'The bank of Torland is chaired by Nils Aker.', 'none',
  ],
  [
    'same, rounded', 'How many people visited Kessel in 2024?', 'About 1.5 million people visited Kessel in 2024.',
    'In 2024 Kessel had 1,482,960 visitors.', 'none',
  ],
  [
    'same, other unit', 'How long is the Orr ferry?', 'The hull of the Orr ferry is 30 m long.',
    'The hull of the Orr ferry is 98.4 feet long.', 'none',
  ],
  [
    'same, in words', 'How much power comes from wind?', "A quarter of Torland's power comes from wind.",
    "Wind gives 25% of Torland's power.", 'none',
  ],
  ['same, in words', 'How many houses in Dalen lost power?', 'Thirty-six houses in Dalen lost power.', '36 houses in Dalen lost power.', 'none'],
  ['same name', 'Who edits the Veldt Gazette?', 'E. M. Blum edits the Veldt Gazette.', 'The Veldt Gazette is edited by Eva Maria Blum.', 'none'],
  [
    'other office', 'Who is in the Orr club?', 'The treasurer of the Orr club is Kurt Hamm.',
    'The secretary of the Orr club is Lea Strand.', 'none',
  ],
  ['other part', 'Is Kessel station open?', 'Platform 2 of Kessel station is closed.', 'Platform 5 of Kessel station is open.', 'none'],
  [
    'same date', 'When is the hearing of Brandt?', 'The hearing of Brandt is set for 12 June 2025.',
    "Brandt's hearing takes place on June 12, 2025.", 'none',
  ],
  ['other ticket', 'What does the bus to Dalen cost?', 'A single to Dalen costs 4 euros.', 'A return to Dalen costs 7 euros.', 'none'],
  [
    'other event', 'When does the Veldt marathon start?', 'The Veldt marathon starts at 9:00.',
    'The prize giving of the Veldt marathon starts at 16:00.', 'none',
  ],
  ['other year', 'How many trucks did Brandt buy?', 'Brandt bought 30 trucks in 2021.', 'Brandt bought 12 trucks in 2024.', 'none'],
  [
    'plan, fact', 'How many people does Brandt employ in Dalen?', 'Brandt plans to hire 200 people in Dalen.',
    'Brandt employs 640 people in Dalen.', 'none',
  ],
  ['page', 'What has Kessel to offer?', 'The town has two cinemas.', 'The town has three theatres.', 'none', 'Kessel'],
];
