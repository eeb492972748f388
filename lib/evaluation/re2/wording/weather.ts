// Wordings for the weather of a place: sky, high and low, foretold or looked back on. Sentences are our own.
import { Sentences, type Grammar, type Slots } from '../grammar.js';
import type { Wording } from './wording.js';

const passageParts: Grammar = {
  document: [
    '{future}<source> <calls> <told> for {entity} {on}.<close>',
    '{future}{entity}, {when}: <brief>.<stamp>',
    '{future}{entity} <may> <told> {on}<credit>.<close>',
    '{future}{on}, <told> <isDue> in {entity}<credit>.<close>',
    '{future}<heading> {entity}. <valid> {when}. <brief>.<stamp>',
    '{future}<audience> {entity} <plan> <told> {on}.<close>',
    '{future}<event>: {entity} <underneath> <told> {on}.<close>',
    '{future}<brief> - that is the <product> for {entity} {on}.<stamp>',
    '{past}{entity} <had> <told> {on}<reported>.',
    '{past}<log>, {entity}, {when}: <brief>.<stamp>',
    '{past}{on}, <observers> in {entity} <noted> <told>.',
    '{past}<looking> at {when}, <station> of {entity} <showed> <told>.<stamp>',
  ],
  told: [
    '{=c}<sky>', '{=h}<peak>', '{=l}<trough>', '{=ch}<sky> <with> <peak>', '{=ch}<peak> <under> <sky>', '{=cl}<sky> <with> <trough>',
    '{=hl}<peak> and <trough>', '{=chl}<sky>, <peak> and <trough>',
  ],
  sky: [
    '{conditions} weather', '{conditions} conditions', '{conditions} skies', 'weather described as {conditions}',
    'a spell of {conditions} weather',
  ],
  peak: [
    'a high of {high}', 'a high near {high}', 'a top temperature of {high}', 'a maximum of {high}', 'afternoon readings of {high}',
    'a daytime peak of {high}', 'temperatures of up to {high}',
  ],
  trough: [
    'a low of {low}', 'a low near {low}', 'an overnight minimum of {low}', 'night-time readings of {low}',
    'temperatures down to {low} overnight',
  ],
  with: ['with', 'and', 'along with', 'together with'],
  under: ['under', 'with', 'amid'],
  brief: [
    '{=c}{conditions}', '{=c}sky {conditions}', '{=h}high {high}', '{=h}maximum {high}', '{=l}low {low}', '{=l}overnight {low}',
    '{=ch}{conditions}, high {high}', '{=ch}{conditions}; maximum {high}',
    '{=ch}high {high}, {conditions}', '{=ch}sky {conditions}, peak {high}', '{=cl}{conditions}, low {low}',
    '{=hl}{high} by day, {low} by night', '{=hl}high {high}, low {low}',
    '{=chl}{conditions}, high {high}, low {low}', '{=chl}{conditions}; {high} by day and {low} by night',
  ],
  source: [
    'the <office>', 'the duty forecaster', 'the <product>', 'the <office>, in its <product>,', 'a bulletin of {issued}',
    'the <product> of {issued}', 'an outlook put out {issuedOn}',
    'the <office>, in its bulletin of {issued},', 'a forecast issued {issuedOn}', 'guidance released {issuedOn}',
  ],
  office: [
    'weather service', 'regional weather office', 'forecast desk', 'national forecast centre', 'public weather service',
    'local forecast office',
  ],
  product: ['daily outlook', 'city forecast', 'short-range forecast', 'planning forecast', 'weather summary'],
  calls: ['calls for', 'points to', 'predicts', 'has', 'foresees', 'promises', 'favours'],
  may: ['can expect', 'should see', 'is set for', 'is in for', 'looks set to get', 'is forecast to have', 'is likely to have'],
  isDue: ['can be expected', 'should be expected', 'must be reckoned with', 'will arrive', 'may be counted on', 'should be seen'],
  credit: [
    '', '', ', according to the <office>', ', says the <product>', ', by the forecast of {issued}', ', as forecast {issuedOn}',
    ', the <office> said {issuedOn}',
  ],
  heading: ['outlook for', 'weather bulletin for', 'city:', 'forecast area:', 'station:', 'area forecast,'],
  valid: ['valid', 'for', 'day:', 'valid for', 'target day:'],
  audience: ['people in', 'residents of', 'visitors to', 'travellers bound for', 'commuters around', 'gardeners in'],
  plan: ['should plan for', 'ought to reckon with', 'are told to prepare for', 'may look forward to', 'can count on', 'should be ready for'],
  event: [
    'the <product> is out', 'new from the <office>', 'the <office> has spoken', 'issued {issuedOn}', 'bulletin of {issued}',
    'as of {issued}',
  ],
  underneath: ['is put down for', 'gets', 'is given', 'is listed with', 'faces', 'is shown with'],
  had: ['had', 'saw', 'went through', 'recorded', 'experienced'],
  reported: ['', '', ', records show', ', by the log of {issued}', ', it was reported {issuedOn}'],
  log: ['climate log', 'station log', 'observed weather', 'daily climate summary', 'readings'],
  observers: ['observers', 'the instruments', 'the station', 'weather watchers'],
  noted: ['noted', 'measured', 'registered', 'wrote down'],
  looking: ['looking back', 'going back', 'in the archive'],
  station: ['the station', 'the record', 'the climate table', 'the weather diary'],
  showed: ['shows', 'has', 'lists'],
  stamp: ['', '', ' Issued {issuedOn}.', ' (Released {issuedOn}.)', ' Bulletin of {issued}.', ' Posted {issuedOn}.'],
  close: [
    '', '', '', ' Later issues replace this one.', ' The outlook is reviewed twice a day.', ' Values are for the main station.',
    ' Issued {issuedOn}.', ' The bulletin went out {issuedOn}.', ' Changes remain possible.',
  ],
};

const questionParts: Grammar = {
  question: [
    '{?all}what <weather> in {entity} {on}?', '{?all}<tell> the <forecast> for {entity} {on}', '{?all}<ask> in {entity} {on}?',
    '{?all}{on}, what <weather> in {entity}?', '{?all}{entity} weather {when}?',
    '{?high}how <warm> <get> in {entity} {on}?', '{?high}what <high> <given> {entity} {on}?', '{?high}{on}, how <warm> <get> in {entity}?',
    '{?high}<tell> the <top> for {entity} {on}',
    '{?low}how <cold> <get> in {entity} {on}?', '{?low}what <low> <given> {entity} {on}?', '{?low}<tell> the <bottom> for {entity} {on}',
    '{?low}{on}, how <cold> <get> in {entity}?',
    '{?conditions}<skies> in {entity} {on}?', '{?conditions}{on}, <skies> in {entity}?',
    '{?conditions}<tell> the sky conditions over {entity} {on}',
  ],
  pair: [
    '<question>', '<question>', '{?all}what <weather> in {entity} {first}, and what {second}?',
    '{?all}<tell> the <forecast> for {entity}, both {first} and {second}',
    '{?all}how does the <forecast> for {entity} {first} differ from the one {second}?',
    '{?all}{entity}, {when}: what <weather>?', '{?high}how <warm> <get> in {entity} {first}, and how <warm> {second}?',
    '{?high}which <high> <given> {entity} {first}, and which {second}?', '{?high}is {entity} warmer {first} or {second}?',
    '{?low}how <cold> <get> in {entity} {first}, and how <cold> {second}?',
    '{?low}which night is colder in {entity}, the one {first} or the one {second}?',
    '{?conditions}<skies> in {entity} {first}, and {second}?', '{?conditions}<tell> the sky conditions over {entity} {first}, and those {second}',
  ],
  latest: [
    '{?all}what is the <newest> <forecast> for {entity}?', '{?all}what is {entity} told to expect of the weather <now>?',
    '{?all}<newest> weather for {entity}?', '{?all}<tell> the <newest> <forecast> for {entity}',
    '{?high}what <high> does the <newest> <forecast> give {entity}?', '{?high}how warm is {entity} supposed to get, as things stand?',
    '{?low}what <low> does the <newest> <forecast> give {entity}?', '{?low}how cold is {entity} supposed to get, as things stand?',
    '{?conditions}what sky is {entity} promised <now>?', '{?conditions}what does the <newest> <forecast> say of the sky over {entity}?',
  ],
  weather: [
    '{future}will the weather be', '{future}is the weather going to be', '{future}sort of weather is coming',
    '{future}weather should I pack for', '{past}was the weather', '{past}sort of day was it',
  ],
  tell: ['I need', 'please give me', 'looking for', 'could you find'],
  forecast: ['forecast', 'outlook', 'weather', 'weather prospects'],
  ask: [
    '{future}is it going to be a nice day', '{future}do I need a coat', '{future}will it be fine', '{past}was it a nice day',
    '{past}did it turn out fine',
  ],
  warm: ['warm', 'hot', 'high'],
  cold: ['cold', 'low', 'chilly'],
  get: ['{future}will it get', '{future}is the temperature to go', '{past}did it get', '{past}did the temperature go'],
  high: ['high', 'maximum', 'daytime peak', 'top temperature'],
  low: ['low', 'minimum', 'night temperature', 'overnight low'],
  top: ['high', 'maximum temperature', 'peak temperature', 'highest temperature'],
  bottom: ['low', 'minimum temperature', 'night temperature', 'lowest temperature'],
  given: ['{future}is forecast for', '{future}do they give', '{past}was measured in', '{past}was reached in'],
  skies: [
    '{future}sun or clouds', '{future}what will the sky be like', '{future}which conditions are likely', '{past}what was the sky like',
    '{past}which conditions were there',
  ],
  newest: ['latest', 'newest', 'most recent', 'current', 'present'],
  now: ['at the moment', 'now', 'by the last word', 'at present'],
};

export const weather: Wording = {
  roles: ['conditions', 'high', 'low'],
  latest: 'published',
  documents: new Sentences(passageParts),
  questions: new Sentences(questionParts),
  slots({ said }) {
    const values = Object.fromEntries(said.map(({ role, value }) => [role!, value]));
    const has = ['conditions', 'high', 'low'].filter((role) => role in values).map((role) => role[0]).join('');
    return { ...values, [`=${has}`]: '' };
  },
  asked({ said }, random) {
    const temperatures = said.findIndex(({ role }) => role !== 'conditions');
    const index = random.below(said.length);
    // The whole weather is asked for as often as one part of it; a temperature, where there is one, is the answer then.
    if (said.length > 1 && random.next() < 0.5) return { index: temperatures, slots: { '?all': '' } };
    const slots: Slots = { [`?${said[index]!.role}`]: '' };
    return { index, slots };
  },
};
