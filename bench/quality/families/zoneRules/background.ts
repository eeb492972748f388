// Passages about timekeeping in general, each with questions without any operator on time; and
// questions that no passage answers.

export const backgrounds: { text: string; answer: string; questions: string[] }[] = [
  {
    text:
      'Local mean time is the mean solar time of a place’s own meridian. Four minutes of it ' +
      'correspond to one degree of longitude.',
    answer: 'mean solar time',
    questions: ['What is meant by local mean time?'],
  },
  {
    text:
      'A zone of the tz database is named after a continent or ocean and a place, as a rule the ' +
      'most populous one, since names of countries and borders change more often.',
    answer: 'most populous',
    questions: ['How does the tz database name its zones?'],
  },
  {
    text:
      'The compiler of the tz database is called zic. It turns rules in text form into binary ' +
      'files, which zdump prints.',
    answer: 'zic',
    questions: ['Which program compiles the rules of the tz database?'],
  },
  {
    text:
      'Summer time moves clocks ahead of standard time for the light months of the year. Its ' +
      'American name is daylight saving time.',
    answer: 'daylight saving time',
    questions: ['What do Americans call summer time?'],
  },
  {
    text:
      'The international date line runs near the meridian of 180 degrees. Who crosses it to the ' +
      'west loses a day of the calendar.',
    answer: '180 degrees',
    questions: ['Near which meridian does the date line run?'],
  },
  {
    text:
      'A gazetteer gives the sign plus for offsets to the east of Greenwich, where clocks show a ' +
      'later hour, and minus for those to the west.',
    answer: 'plus',
    questions: ['Which sign do offsets to the east of Greenwich carry?'],
  },
];

/** Places that no passage names, with the kind of question. */
export const absentPlaces = [
  'Gary, Indiana',
  'Terre Haute, Indiana',
  'Rosario, Argentina',
  'Bahia Blanca, Argentina',
  'Osaka, Japan',
  'Lyon, France',
  'Bergen, Norway',
  'Paducah, Kentucky',
  'Fargo, North Dakota',
  'Valparaiso, Chile',
] as const;

/** What no passage tells of places that there are. */
export const absentRelations: { text: string; class: 'as_of' | 'when' | 'in'; place: string }[] = [
  {
    text: 'How many people lived in Catamarca as things stood when 1991 began?',
    class: 'as_of',
    place: 'Catamarca, Argentina',
  },
  {
    text: 'At what hour did the sun rise in Pyongyang on 4 May 2018?',
    class: 'in',
    place: 'Pyongyang, North Korea',
  },
  {
    text: 'Who was the mayor of Vevay, Indiana, by the close of 1972?',
    class: 'as_of',
    place: 'Vevay, Indiana',
  },
  { text: 'When was the railway station of Cairo opened?', class: 'when', place: 'Cairo, Egypt' },
  {
    text: 'Which telephone prefix did Montevideo have at the end of Q2 1995?',
    class: 'as_of',
    place: 'Montevideo, Uruguay',
  },
  {
    text: 'How warm did it get in Hong Kong in the third quarter of 1973?',
    class: 'in',
    place: 'Hong Kong',
  },
];
