// Grammar of sentences around times for training the learned temporal extractor: questions and
// passages on many subjects, sentences with numbers but no time, and dates that are not the text's
// own. One alternative a line, of which some are held out for the test split.
import { Sentences, type Grammar } from '../../../packages/evaluation/lib/re2/grammar.js';

const lines = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());

const common: Grammar = {
  who: lines(`
    who
    which person
    what person
  `),
  role: lines(`
    president
    mayor
    chair
    head coach
    director
    owner
    minister of health
    captain
    champion
    editor
    chief executive
    governor
    prime minister
    king
    bishop
    manager
    keeper
    principal
  `),
  thing: lines(`
    population
    price
    budget
    unemployment rate
    temperature
    water level
    attendance
    exchange rate
    record
    death toll
    turnover
    number of seats
    number of members
    capacity
    score
    ranking
    number of collisions
    air quality index
    number of people injured
  `),
  event: lines(`
    collision
    fire
    election
    final
    strike
    earthquake
    flood
    concert
    merger
    trial
    vote
    landing
    expedition
    treaty
    match
    auction
    opening
    outage
    crash
    storm
    summit
    race
  `),
  verb: lines(`
    won
    lost
    signed
    sold
    founded
    opened
    closed
    led
    joined
    left
    visited
    bought
    played for
    worked for
    wrote about
  `),
  said: lines(`
    said
    reported
    announced
    noted
    recorded
    confirmed
    wrote
    stated
    told reporters
  `),
  kin: lines(`
    a spokesperson
    officials
    the police
    the club
    the agency
    the board
    witnesses
    the ministry
    the archive
    the report
    the council
  `),
};

const questionRules: Grammar = {
  ...common,
  question: lines(`
    <who> was the <role> of {entity} {on}?
    {on}, <who> was the <role> of {entity}?
    what was the <thing> of {entity} {on}?
    what <happened> {entity} {on}?
    where did {entity} play {on}?
    how many people were <hurt> in {entity} {on}?
    <who> <verb> {entity} {on}?
    what is the <thing> in {entity} {when}?
    <who> {entity} {when}
    {entity} <thing> {when}
    was there a <event> in {entity} {on}?
    which team did {other} play for {on}?
    tell me about the <event> of {when} in {entity}
    who is the <role> of {entity} as of {when}?
    who served as <role> of {entity} around {when}?
    what was the <thing> of {entity} before {when}?
    who was {entity} <role> after {when}?
    {other} was <role> of {entity} until {when}, by whom was he followed?
    since {when}, how has the <thing> of {entity} changed?
    what will the <thing> be for {entity} {on}?
    how did the <event> in {entity} end {on}?
    list the <role> of {entity}, {when}
    did the <event> at {entity} take place {on} or not?
    I need the <thing> reported {on} for {entity}
    by {when}, how many <event>s had {entity} seen?
    what position did {other} hold {on}?
    when it comes to {entity}, what was the <thing> {on}?
    why did {other} <leave> {entity} {on}?
    how much did {entity} cost {on}?
    what were the injuries in the {entity} <event> {on}?
    the <role> of {entity} {on} was who?
    where was {other} living {on}?
    for {when}, give the <thing> at {entity}
    in which league was {entity} {on}?
    what did {entity} publish {on}?
    how was the weather in {entity} {on}?
    will it rain in {entity} {on}?
    name the winner of the {entity} <event> {on}
    at {entity} {on}, what did {other} do?
    which company owned {entity} {on}?
    who had the most points in {entity} {on}?
  `),
  happened: lines(`
    happened in
    happened to
    went on at
    was decided about
    took place in
  `),
  hurt: lines(`
    hurt
    injured
    killed
    infected
    vaccinated
  `),
  leave: lines(`
    leave
    join
    sue
    visit
    buy
  `),
  undated: lines(`
    <who> is the <role> of {entity}?
    what is the latest <thing> of {entity}?
    where may I find the <thing> of {entity}?
    how many {number} dollar notes are in {entity}?
    what is the most recent <event> in {entity}?
    who wrote {entity}?
    who was the first <role> of {entity}?
    who was the last <role> of {entity}?
    how far is {entity} from {other}?
    what is the newest <thing> for {entity}?
    which <event> in {entity} hurt {number} people?
    how does {entity} stand at present?
    what does route {number} in {entity} cost?
    did {other} march against {entity}?
    current <thing> of {entity}?
    who was the {small}th <role> of {entity}?
    is {entity} {number} metres high?
    how long does it take from {entity} to {other}?
  `),
};

const passageRules: Grammar = {
  ...common,
  main: lines(`
    {on}, {entity} <verb> {other}.
    {entity} <verb> {other} {on}.
    the <thing> of {entity} was {number} {on}.
    {on}, the <thing> of {entity} stood at {number}.
    a <event> in {entity} {on} <hurt> {small} people.
    <kin> <said> that {entity} had <verb> {other} {on}.
    regarding the <event> in {entity} {on}, <kin> <said> that {small} people were <hurtTo>.
    {entity}, {when}: <thing> {number}.
    for {when}, the <thing> at {entity} is put at {number}.
    date: {when}. place: {entity}. {small} <hurtTo>.
    {other} was <role> of {entity} {on}.
    {other} became <role> of {entity} {on}, with {number} votes.
    the <event> took place in {entity} {on}.
    the {entity} <event> of {when} drew {number} people.
    {other} (<role> of {entity}, {when}) <verb> {small} of them.
    by {when}, {entity} had counted {number} cases.
    as of {when}, {small} of {number} in {entity} were <hurtTo>.
    it was {on} that {entity} <verb> {other}.
    two cars met at the corner of {entity} {small}th street {on}; {small} were <hurtTo>.
    between the two, {other} was the better {on}, {entity} <said>.
    {entity} expects a <thing> of {small} {on}.
    {entity} will see {small} degrees {on}, <kin> <said>.
    rain with a high of {small} is expected in {entity} {on}.
    the <role> of {entity}, {other}, was born {on}.
    {other} has lived in {entity} since {when}.
    no one was <hurtTo> in the <event> that closed {entity} {on}.
    {when} brought {entity} its {small}th <event>.
    minutes of {when}: {entity} <verb> {other}, {small} to {small}.
    until {when}, {other} was <role> of {entity}.
    after {when}, {entity} no longer <verb> {other}.
    {when} - {entity} - {number} <hurtTo>, {small} missing
    {other} received the prize of {entity} {on} for work on the <thing>.
    {entity} beat {other} {small}-{small} {on}.
    the <event> of {when} left {number} in {entity} without power.
    log entry {number}, {when}, {entity}: <event>, {small} <hurtTo>.
    in {entity}, {on}, <kin> <said> the <thing> had reached {number}.
    what {entity} saw {on} was a <event> of {number}.
    {entity} was <role> in {other} {on}.
    the <thing> for {entity} {on} came to {number}.
    on record for {entity}, {when}: a <thing> of {number}.
    {small} riders were <hurtTo> when {entity} met {other} {on}.
  `),
  coarse: lines(`
    {coarse}, {entity} had a difficult time.
    it was a busy time in {entity} {coarse}.
    {coarse}, the <thing> in {entity} kept rising.
    {entity} changed {coarse}.
  `),
  hurt: lines(`
    hurt
    injured
    killed
    stranded
    surprised
  `),
  hurtTo: lines(`
    hurt
    injured
    killed
    tested
    counted
    registered
  `),
  filler: lines(`
    the <thing> of {entity} may change.
    {entity} has {number} inhabitants.
    <kin> <said> nothing more.
    the road is {small} miles long.
    the <role> lives at {number} {entity} street.
    {other} is a second cousin of {entity}.
    sun and clouds take turns.
    further details are to follow.
    the hall holds {number} people.
    <kin> asked for {number} dollars.
    it is the {small}th largest of its kind.
    they march through {entity} with {small} drums.
    its <thing> is among the highest.
    this is case {number}.
    the flight takes {small} hours and {small} minutes.
    the shop opens at {small}:00.
    {other} and {entity} are friends.
    the winner may keep the cup.
    visitors pay {small}.50 at the door.
    highway {number} passes nearby.
    readings are taken at {small}:30.
    of {number} voters, {small} percent stayed away.
    the book has {number} pages.
    a dose is {small} mg.
    {entity} uses the form {number}-{small}.
    both were unhurt.
    the bridge is {number} feet long.
  `),
  ancient: lines(`
    in {small}44 BC, {entity} <verb> {other}.
    around {small}5 BCE the town of {entity} was built.
    in AD {small}, {entity} was a village.
    some {number} BC, {entity} fell.
  `),
  distractor: lines(`
    the figure was lower {on}.
    a like <event> was seen {on}.
    {other} had <verb> it {on}.
    {other} returned {on}.
    that is more than {on}.
    its <role> was elected {on}.
    <kin> will meet again {on}.
    the next <event> follows {on}.
    the one before was {on}.
    it was repeated {on}.
    {entity} closed {on}.
  `),
  stamp: lines(`
    published {on}.
    issued {on}.
    (posted {on})
    released {on}.
    updated {on}.
    last updated: {when}.
    report of {when}.
    bulletin of {when}.
    filed {on}.
    written {on}.
    source: {entity}, published {when}.
    forecast issued {on}.
    noted {on}.
    printed {on}.
  `),
  opening: lines(`
    issued {on}, the forecast says:
    published {on}:
    update of {when}:
    in its report of {when}, <kin> <said>:
    released {on}.
    bulletin of {when}.
    posted {when}.
  `),
};

export const questions = new Sentences(questionRules);
export const passages = new Sentences(passageRules);
