// Wording of contests: winner, loser and score. The entity is the contest, or the winner where no
// attribute is one.
import { Sentences, type Grammar, type Slots } from '../grammar.js';
import type { Statement, Wording } from './wording.js';

const documentGrammar: Grammar = {
  document: [
    '<result> in {event} {on}<credit>.<close>',
    '{on}, <result> in {event}<credit>.<close>',
    '<heading> {event}, {when}. <result>.<stamp>',
    '{event} {on} <went> {winner}<over>.<close>',
    '{event}, {when}: <line>.<stamp>',
    '{winner} <left> {event} {on} <asWinner><over>.<close>',
    '<there>: {event}, played {on}, <went> {winner}<over>.<close>',
    '<line>; {event}, {when}.<stamp>',
    '{=wl}{loser} <fell> {winner} in {event} {on}.<close>',
    '{=wls}{loser} <fell> {winner}, {score}, in {event} {on}.<close>',
  ],
  result: [
    '{=w}{winner} <won>',
    '{=wl}{winner} <beat> {loser}',
    '{=ws}{winner} <won> {score}',
    '{=wls}{winner} <beat> {loser} {score}',
    '{=wls}{winner} <beat> {loser} by {score}',
    '{=wls}{loser} <fell> {winner}, {score},',
  ],
  line: [
    '{=w}{winner}',
    '{=wl}{winner} bt {loser}',
    '{=wl}{winner} def. {loser}',
    '{=ws}{winner}, {score}',
    '{=wls}{winner} bt {loser} {score}',
    '{=wls}{winner} def. {loser}, {score}',
    '{=wls}{winner} - {loser} {score}',
  ],
  over: [
    '{=w}',
    '{=wl}, with {loser} beaten',
    '{=wl}, at the cost of {loser}',
    '{=ws}, {score}',
    '{=wls}, who had {loser} beaten {score}',
    '{=wls}, {score} against {loser}',
    '{=wls} ({score} over {loser})',
  ],
  won: ['won', 'prevailed', 'came through', 'took the honours'],
  beat: [
    'beat',
    'defeated',
    'overcame',
    'got the better of',
    'saw off',
    'was too strong for',
    'eliminated',
    'edged past',
  ],
  fell: ['fell to', 'lost to', 'went down to', 'was beaten by', 'had no answer to', 'bowed out to'],
  went: ['went to', 'was won by', 'was taken by', 'ended with a win for'],
  left: ['left', 'came out of', 'walked away from'],
  asWinner: ['as the winner', 'victorious', 'with a win'],
  heading: ['result:', 'scoreboard,', 'results sheet:', 'from the record books:', 'match report,'],
  there: ['one for the records', 'on the scoreboard', 'result in brief', 'from the archive'],
  credit: [
    '',
    '',
    '',
    ', the records show',
    ', it was reported {issuedOn}',
    ', according to the report of {issued}',
  ],
  stamp: ['', '', ' Reported {issuedOn}.', ' (Report of {issued}.)'],
  close: [
    '',
    '',
    '',
    ' The crowd stayed to the end.',
    ' Reported {issuedOn}.',
    ' It was a full house.',
    ' The draw moved on.',
  ],
};

const questionGrammar: Grammar = {
  question: [
    '{?winner}which name stands as the winner of {event} for {when}?',
    '{?winner}<want> the winner of {event} {on}',
    '{?winner}{on}, who took {event}?',
    '{?loser}<want> the one who was beaten <match> {on}',
    '{?loser}who went home beaten <match> {on}?',
    '{?score}<want> the score <match> {on}',
    '{?score}with which score was it decided <match> {on}?',
    '{?winner}who won {event} {on}?',
    '{?winner}{on}, who was the winner of {event}?',
    '{?winner}who came out on top in {event} {on}?',
    '{?winner}name the winner of {event} {on}',
    '{?winner}{event} {when}: who won?',
    '{?loser}who was beaten <match> {on}?',
    '{?loser}{on}, who came second best <match>?',
    '{?loser}who was on the losing side <match> {on}?',
    '{?loser}name the one beaten <match> {on}',
    '{?loser}{byName}who was {entity} up against in {event} {on}?',
    '{?loser}{byName}who lost to {entity} in {event} {on}?',
    '{?loser}{byName}{on}, which opponent did {entity} put out in {event}?',
    '{?score}what was the score <match> {on}?',
    '{?score}{on}, how did the scoring go <match>?',
    '{?score}by how much was it won <match> {on}?',
    '{?score}<match>, what was the result {on}?',
  ],
  pair: [
    '<question>',
    '<question>',
    '{?winner}who won {event} {first}, and who {second}?',
    '{?winner}<want> the winners of {event}, both {first} and {second}',
    '{?winner}{event}, {when}: who were the winners?',
    '{?loser}who was beaten <match> {first}, and who {second}?',
    '{?loser}<want> those who lost <match>, both {first} and {second}',
    '{?score}what was the score <match> {first}, and what {second}?',
    '{?score}<want> the scores <match>, both {first} and {second}',
  ],
  latest: [
    '{?winner}<want> the <newest> winner of {event}',
    '{?winner}whose name was added to the winners of {event} <lately>?',
    '{?loser}who came second best <match> <lately>?',
    '{?score}<want> the <newest> score <match>',
    '{?score}with which score was it decided <match> <lately>?',
    '{?winner}who is the <newest> winner of {event}?',
    '{?winner}who won {event} <lately>?',
    '{?winner}who holds the title of {event} now?',
    '{?loser}who was beaten <match> <lately>?',
    '{?loser}{byName}who did {entity} beat <lately> in {event}?',
    '{?score}what was the score <match> <lately>?',
    '{?score}what is the <newest> result <match>?',
  ],
  match: [
    '{byContest}in {event}',
    '{byName}when {entity} won {event}',
    '{byName}in {event}, won by {entity}',
    '{byName}in the win of {entity} in {event}',
  ],
  newest: ['latest', 'most recent', 'current', 'newest'],
  lately: ['most recently', 'last', 'the last time'],
  want: ['tell me', 'look up', 'I need', 'find', 'give me'],
};

const letters = { winner: 'w', loser: 'l', score: 's' } as const;

/** The contest in words, and whether the entity is the one who won it. */
function contest({ entity, label, values: said }: Statement): Slots {
  const byName = !said.some(({ role }) => role === 'winner');
  if (byName) return { event: label ?? 'the match', byName: '' };
  return { event: label === undefined ? entity : `${label} of ${entity}`, byContest: '' };
}

export const scores: Wording = {
  roles: ['winner', 'loser', 'score'],
  latest: 'date',
  documents: new Sentences(documentGrammar),
  questions: new Sentences(questionGrammar),
  slots(statement) {
    const values: Record<string, string> = Object.fromEntries(
      statement.values.map(({ role, value }) => [role!, value]),
    );
    values['winner'] ??= statement.entity;
    const has = (['winner', 'loser', 'score'] as const)
      .filter((role) => role in values)
      .map((role) => letters[role])
      .join('');
    return { ...contest(statement), ...values, [`=${has}`]: '' };
  },
  target(statement, random) {
    const index = random.below(statement.values.length);
    return { index, slots: { ...contest(statement), [`?${statement.values[index]!.role}`]: '' } };
  },
};
