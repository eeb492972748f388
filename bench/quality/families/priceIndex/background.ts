// Undated explanations of consumer price indexes, each with questions that it answers.

export interface Background {
  text: string;
  answer: string;
  questions: string[];
}

export const backgrounds: Background[] = [
  {
    text: 'Core consumer prices leave out food and energy, whose swings would hide the trend.',
    answer: 'leave out food and energy',
    questions: ['What is left out of core consumer prices?', 'core prices definition'],
  },
  {
    text:
      'Grocery prices are called "food at home" in the tables; what is eaten in restaurants ' +
      'and canteens counts as "food away from home".',
    answer: 'food at home',
    questions: ['Under which heading do the tables carry grocery prices?'],
  },
  {
    text:
      'The Northeast of the price statistics consists of New England and the Middle ' +
      'Atlantic states.',
    answer: 'New England',
    questions: ['Which parts make up the Northeast in price statistics?'],
  },
  {
    text:
      'Shelter costs comprise rents, the rent that owners would pay for their own homes, ' +
      'and lodging away from home. They are the largest single part of the basket.',
    answer: 'largest single part',
    questions: ['Which part of the consumer basket weighs most?', 'what do shelter costs comprise'],
  },
  {
    text: 'Gasoline prices enter the index as an average of all types, from regular to premium.',
    answer: 'average of all types',
    questions: ['Does the gasoline index cover premium fuel as well?'],
  },
  {
    text:
      'The base of most indexes is the average of the years 1982 to 1984, set to 100; some ' +
      'younger groups start from a later month.',
    answer: '1982 to 1984',
    questions: ['Which base do the price indexes have?'],
  },
  {
    text:
      'For the Chicago, New York and Los Angeles areas indexes are compiled each month; ' +
      'most other cities have to make do with every second month.',
    answer: 'each month',
    questions: ['How often are city indexes such as that of Chicago compiled?'],
  },
  {
    text:
      'Used car prices are taken from a provider of auction data, while new vehicle prices ' +
      'come from records of sales at dealers.',
    answer: 'auction data',
    questions: [
      'Where do the data on used cars come from?',
      'source of used car prices statistics',
    ],
  },
  {
    text:
      'Airline fares are collected from web sites for fixed routes and days ahead of ' +
      'departure, taxes and baggage fees included.',
    answer: 'web sites',
    questions: ['How does the bureau collect the prices of flights?'],
  },
  {
    text:
      'Rents are asked of the same dwellings every six months, so that turns of the market ' +
      'appear late.',
    answer: 'every six months',
    questions: ['Why do rents in the index lag behind the market?'],
  },
];
