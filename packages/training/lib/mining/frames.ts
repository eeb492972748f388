// Question templates by kind of statement, each kind recognised by English cue words, and templates
// for any statement. {e} is the entity, {k} keywords, {t} the time.

export interface Frame {
  /** Words that mark a statement of this kind. */
  cues: RegExp;
  wordings: readonly string[];
}

const cues = (words: string): RegExp =>
  new RegExp(String.raw`\b(?:${words.replaceAll(' ', '|')})\b`, 'i');

export const frames: readonly Frame[] = [
  {
    cues: cues(
      'minister secretary ambassador governor senator mayor deputy judge director president ' +
        'chair chairman chairperson commissioner chancellor ' +
        'elected appointed served parliament office treasurer speaker rector dean bishop ' +
        'archbishop envoy',
    ),
    wordings: [
      'Which position did {e} hold {t}?',
      'What was the position of {e} {t}?',
      'Which office was held by {e} {t}?',
      'What post did {e} have {t}?',
      'In what capacity did {e} serve {t}?',
      '{e} took which position {t}?',
      "What was {e}'s role {t}?",
      'Which title did {e} have {t}?',
    ],
  },
  {
    cues: cues(
      'played plays signed loan club goals appearances caps transfer transferred squad ' +
        'striker midfielder defender goalkeeper league debut drafted',
    ),
    wordings: [
      'Which team did {e} play for {t}?',
      '{e} played for which team {t}?',
      'Which club was {e} a player of {t}?',
      'What was the team of {e} {t}?',
      'Whose side did {e} belong to {t}?',
      'Which club signed {e} {t}?',
    ],
  },
  {
    cues: cues('coach coached manager managed captain trainer'),
    wordings: [
      'Who was the head coach of {e} {t}?',
      'Who managed {e} {t}?',
      'Which team was led by {e} {t}?',
      'Who was in charge of {e} {t}?',
      'Which side did {e} coach {t}?',
    ],
  },
  {
    cues: cues(
      'university college school degree graduated studied studies educated doctorate thesis ' +
        'student bachelor master academy',
    ),
    wordings: [
      'Where was {e} educated {t}?',
      'Which school did {e} attend {t}?',
      'Where did {e} study {t}?',
      'At which university was {e} {t}?',
      '{e} was a student of which institution {t}?',
    ],
  },
  {
    cues: cues('married wife husband spouse divorced wedding daughter widow'),
    wordings: [
      'Who was the spouse of {e} {t}?',
      'Who was {e} married to {t}?',
      "Who was {e}'s partner {t}?",
      'Whom did {e} marry {t}?',
    ],
  },
  {
    cues: cues('party democrat republican labour conservative liberal socialist communist faction'),
    wordings: [
      'Which political party did {e} belong to {t}?',
      '{e} was a member of which party {t}?',
      'What was the political allegiance of {e} {t}?',
    ],
  },
  {
    cues: cues(
      'worked employed company employer professor lecturer taught joined staff engineer firm ' +
        'editor journalist researcher',
    ),
    wordings: [
      'Which employer did {e} work for {t}?',
      'Where did {e} work {t}?',
      'What was the occupation of {e} {t}?',
      'For whom was {e} working {t}?',
      'Who employed {e} {t}?',
    ],
  },
  {
    cues: cues('owned owner bought sold acquired purchased owns merger subsidiary parent'),
    wordings: [
      'Who owned {e} {t}?',
      'Who was the owner of {e} {t}?',
      'To whom did {e} belong {t}?',
      'Which company owned {e} {t}?',
    ],
  },
  {
    cues: cues('renamed name named known called rebranded'),
    wordings: [
      'What was the name of {e} {t}?',
      'What was {e} called {t}?',
      'Under which name was {e} known {t}?',
    ],
  },
  {
    cues: cues(
      'located moved based headquarters capital relocated seat situated province district ' +
        'county region empire',
    ),
    wordings: [
      'Where was {e} located {t}?',
      'Where was {e} based {t}?',
      'Which place was the seat of {e} {t}?',
      'To which state did {e} belong {t}?',
    ],
  },
  {
    cues: cues('operated operator run opened closed built service line station airport railway'),
    wordings: [
      'Who operated {e} {t}?',
      'Which company ran {e} {t}?',
      'What became of {e} {t}?',
      'Who was responsible for {e} {t}?',
    ],
  },
  {
    cues: cues('award prize won medal champion championship title cup nominated honour'),
    wordings: [
      'Which award did {e} receive {t}?',
      'What did {e} win {t}?',
      'Which honour was given to {e} {t}?',
      'Who won {e} {t}?',
    ],
  },
  {
    cues: cues('lived residence resident home house settled emigrated'),
    wordings: [
      'Where did {e} live {t}?',
      'Who lived in {e} {t}?',
      'What was the residence of {e} {t}?',
    ],
  },
  {
    cues: cues(
      'commander commanded regiment squadron brigade division battalion army navy unit fleet wing',
    ),
    wordings: [
      'Who commanded {e} {t}?',
      'Which unit was {e} part of {t}?',
      'What did {e} command {t}?',
      'To which force was {e} assigned {t}?',
    ],
  },
  {
    cues: cues('member band group society joined left association union'),
    wordings: [
      'Who was a member of {e} {t}?',
      'Which group was {e} a member of {t}?',
      'What did {e} belong to {t}?',
    ],
  },
  {
    cues: cues(
      'published released wrote novel album film book song recorded directed starred role',
    ),
    wordings: [
      'Which work did {e} publish {t}?',
      'What did {e} release {t}?',
      'In which production did {e} appear {t}?',
    ],
  },
  {
    cues: cues('born died birth death buried'),
    wordings: [
      'Where was {e} born {t}?',
      'Who was born in {e} {t}?',
      'Where did {e} die {t}?',
      'What happened in the life of {e} {t}?',
    ],
  },
  {
    cues: cues('population inhabitants census people percent average total record score'),
    wordings: [
      'What was the {k} of {e} {t}?',
      'How many people were in {e} {t}?',
      'What figure is given for {e} {t}?',
    ],
  },
];

/** For statements of any kind. */
export const anyFrame: readonly string[] = [
  'What happened to {e} {t}?',
  'What did {e} do {t}?',
  'What is known of {e} and {k} {t}?',
  'Who or what was the {k} of {e} {t}?',
  'What was {e} {k} {t}?',
  'Tell me about {e} {t}.',
  'Which {k} concerned {e} {t}?',
  '{e}: {k} {t}?',
];
