// Questions about single remarks, with and without their time, and questions without an answer.
import type { FamilyQuestion } from '../family.js';

/** Remarks that one to three exchanges hold; the words tell which. */
export const remarks: {
  text: string;
  class: 'undated' | 'when';
  words: RegExp;
  answers: string[];
}[] = [
  {
    text: 'Which eating contest is Aldrin to be entered in?',
    class: 'undated',
    words: /oatmeal/i,
    answers: ['oatmeal'],
  },
  {
    text: 'Which salad did the crew send compliments to the chef for?',
    class: 'undated',
    words: /salmon/i,
    answers: ['salmon'],
  },
  {
    text: 'With which words did Aldrin describe the desolate surface?',
    class: 'undated',
    words: /Magnificent desolation/i,
    answers: ['Magnificent desolation'],
  },
  {
    text: 'Who was wished a happy birthday by the crew?',
    class: 'undated',
    words: /happy birthday/i,
    answers: ['George Mueller', 'California'],
  },
  {
    text: 'What did Thor Heyerdahl try to cross the Atlantic in?',
    class: 'undated',
    words: /Heyerdahl|papyrus/i,
    answers: ['papyrus boat'],
  },
  {
    text: 'Which golfer led the classic at Philadelphia?',
    class: 'undated',
    words: /Tommy Jacobs|Golf Classic/i,
    answers: ['Tommy Jacobs'],
  },
  {
    text: 'How many ounces of hot water does the chicken stew take?',
    class: 'undated',
    words: /chicken stew/i,
    answers: ['3 ounces'],
  },
  {
    text: 'What did West Germany name the Monday of the landing?',
    class: 'undated',
    words: /Apollo Day/i,
    answers: ['Apollo Day'],
  },
  {
    text: 'When did the computer of Eagle raise the 1202 alarm?',
    class: 'when',
    words: /\b1202\b/,
    answers: ['20 July 1969', 'July 20, 1969', '1969-07-20'],
  },
  {
    text: 'At what hour was the contact light reported?',
    class: 'when',
    words: /CONTACT LIGHT/,
    answers: ['20 July 1969', 'July 20, 1969', '1969-07-20', '20:17'],
  },
  {
    text: 'When did the crew praise the ride that the Saturn had given them?',
    class: 'when',
    words: /Saturn gave us a magnificent ride/i,
    answers: ['16 July 1969', 'July 16, 1969', '1969-07-16'],
  },
  {
    text: 'When was the crew told that the Hornet was ready for them in the recovery area?',
    class: 'when',
    words: /Hornet.{0,60}(?:on station|in position|target|far)/i,
    answers: ['24 July 1969', 'July 24, 1969', '1969-07-24'],
  },
  {
    text: 'When did the Moon walk’s “magnificent desolation” remark fall?',
    class: 'when',
    words: /Magnificent desolation/i,
    answers: ['21 July 1969', 'July 21, 1969', '1969-07-21'],
  },
  {
    text: 'On what day did Houston read up news about the Senate and the income tax?',
    class: 'when',
    words: /income tax/i,
    answers: ['18 July 1969', 'July 18, 1969', '1969-07-18'],
  },
];

/** Matters that the transcript does not touch. */
export const absent: { text: string; class: FamilyQuestion['class']; asked?: string }[] = [
  { text: 'What was said about the lunar rover before 21 July 1969?', class: 'last_before' },
  { text: 'Which chess move did Collins radio on 18 July 1969?', class: 'in' },
  { text: 'What is the state of the centrifuge now?', class: 'current', asked: '1969-07-18T14:20' },
  { text: 'Where did matters stand with Skylab by the close of 19 July 1969?', class: 'as_of' },
  { text: 'When did Houston first mention the asteroid belt?', class: 'first' },
  {
    text: 'What was the first call about tennis after 22 July 1969?',
    class: 'first_after',
  },
  {
    text: 'How did the talk about the parachute of Eagle conclude?',
    class: 'latest',
  },
  { text: 'When did Gagarin call the crew of Apollo 11?', class: 'when' },
  {
    text: 'Any word yet on the mutiny aboard?',
    class: 'current',
    asked: '1969-07-20T10:05',
  },
  {
    text: 'What did Aldrin last say about mosquitoes before 12:00 UTC on 20 July 1969?',
    class: 'last_before',
  },
  {
    text: 'Which exchanges on volcanic ash fell between 17 July 1969 and 19 July 1969?',
    class: 'between',
  },
  { text: 'What have they said about wolves since 21 July 1969?', class: 'since' },
];
