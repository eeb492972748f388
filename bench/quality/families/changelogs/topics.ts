// Hand-written questions about single changes of npm packages, each with the pattern of the
// changelog entries that answer it.
import { questionClasses, type FamilyQuestion } from '../family.js';

export interface Topic {
  class: FamilyQuestion['class'];
  package: string;
  /** Matches the entries that answer; absent where none does. */
  pattern?: RegExp;
  text: string;
  /** First and last day allowed for the answer. */
  from: string;
  to: string;
  asked?: string;
}

/** Class, package, bounds of the answer's date, pattern and day of asking; then the question. */
const rows = String.raw`
when mocha /Drop Node\.js v6/
    When did mocha stop supporting Node 6?
when mocha /Add ability to run tests in parallel/
    mocha parallel test runs introduced date
first mocha /Add Node\.js native ESM support/
    What was the first mocha that could load native ES modules?
since mocha /Add Root Hook Plugins/
    Since which version does mocha have root hook plugins?
when mocha /.mocha\.opts. is no longer supported/
    I need the date on which mocha.opts files ceased to work
in mocha 2020-01-01..2020-12-31 /global setup & teardown fixtures/
    In 2020 mocha got run-once setup and teardown for a whole run; in which release?
undated mocha /Add BigInt support to stringify/
    mocha printing of bigint values
undated mocha /this\.timeout\(0\)/
    What should be used in place of this.enableTimeout(false) in mocha tests?
first express /Add .express\.json. and/
    In which express version did JSON body parsing come back into the core?
since express /add .res\.sendFile.$/
    res.sendFile with capital F, available in express since when
since express /Add .res\.sendStatus./
    From which express release on can I call res.sendStatus?
when express /Deprecate .req\.param\(\)./
    On what day was req.param() deprecated in express?
when express /all bundled middleware except .static./
    When were the bundled middleware thrown out of express?
in express 2024-10-01..2024-10-31 /CVE-2024-47764/
    Which security fix concerning cookies was backported by express in October 2024?
first_after express /Fix routing requests without method/
    first express 4 release after the long pause following October 2022 and what it repaired
between express 2024-01-01..2024-06-30 /open redirect allow list bypass/
    Was an open redirect hole closed in express between January and June 2024?
last_before express ..2022-06-01 /Fix hanging on large stack of sync routes/
    What did the last express before June 2022 repair?
undated express /"root" option to .res\.download./
    express download from a root directory option
undated express /add .mergeParams. option to .Router./
    how do child routers of express see the params of their parent
in express 2024-09-01..2024-09-30 /Deprecate passing .options\.maxAge./
    Did anything about clearing cookies become deprecated in express in September 2024?
when debug /use stderr rather than stdout/
    When did the debug package switch its output to stderr?
last_before debug ..2014-08-31 /^ *\* change from stderr to stdout/
    Before the release of 2.0.0, in which version had debug changed where it writes its output?
first debug /Added wildcard support/
    First release of debug in which namespaces could hold a star
latest debug /ReDoS|regular expression denial/
    What is the most recent regular expression denial of service fix in debug 2?
between debug 2016-11-01..2017-04-30 /Electron|electron/
    Releases of debug between November 2016 and April 2017 that dealt with Electron
first debug /implement .DEBUG_FD./
    debug: earliest version that could write to another file descriptor
when debug /deprecated .DEBUG_FD./
    DEBUG_FD deprecated, which day?
since commander /variadic arguments\. Closes #277/
    since what release can commander take variadic arguments
when commander /remove input methods/
    When did commander lose its prompt and confirm helpers?
first commander /git-style executable subcommand support/
    Which commander release first ran subcommands as separate executables, like git?
first commander /add typings to support TypeScript/
    TypeScript typings first shipped with commander
in commander 2015-04-01..2015-04-30 /Back out .support multiline/
    What was taken back by commander in April 2015?
in commander 2018-06-01..2018-08-31 /remove Node\.js 4 \(EOL\)/
    commander release of summer 2018 that took Node 4 off the tested versions
undated commander /unpublish commander/
    Why is there no commander 2.20.2?
since body-parser /support gzip and deflate bodies/
    Since when can body-parser read compressed request bodies?
when body-parser /default .depth. level/
    When did body-parser start to limit the nesting depth of form data by default?
last_before body-parser ..2014-11-30 /change .urlencoded. extended array limit/
    Before 2015, what did body-parser set the array limit of extended forms to?
first body-parser /add .verify. option/
    first body-parser that offers a verify hook
undated body-parser /.type. option( is used|$)/
    body-parser choose which content types are parsed
since express-session /.cookie-parser. no longer required|Since version 1\.5\.0/
    Since which version does express-session work without the cookie parser?
first express-session /key rotation/
    When was it first possible to rotate the secrets of express-session?
when express-session /Add .resave. option/
    when was the resave option added to express-session
first_after express-session 2014-06-15..2014-06-18 /Add .genid./
    The next express-session after 15 June 2014 brought own session id generators; which is it?
in express-session 2015-09-01..2015-11-30 /value .'auto'./
    What about secure cookies changed in express-session in autumn 2015?
first morgan /.combined. log format/
    Which release of morgan first had the Apache style combined format?
latest morgan /Add .:[\w-]+. token/
    last new token that morgan learned
when morgan /Deprecate .buffer. option/
    Could you tell me when morgan declared its buffer option obsolete?
when compression /Prefer .gzip. over/
    When did the compression middleware begin to favour gzip?
undated compression /no-transform/
    compression skips responses with which cache header
when serve-static /Use status code 301/
    serve-static permanent redirects, date of the change
between serve-static 2017-01-01..2019-12-31 /Set (default|stricter) CSP/
    Between 2017 and the end of 2019, when did the CSP of serve-static redirects change?
first serve-static /Add .fallthrough./
    earliest serve-static with a fallthrough switch
between serve-static 2014-12-01..2015-03-31 /potential open redirect/
    open redirect hole at the root mount of serve-static, fixed between December 2014 and March 2015
first superagent /basic promise support/
    What is the first superagent whose requests could be awaited as promises?
when superagent /Dropped support for Node 0\.x/
    superagent without Node 0.x: since when?
since superagent /Added .\.ok\(callback\)./
    Since which superagent can I decide myself what counts as an error response?
in superagent 2015-01-01..2015-12-31 /308 redirects/
    In 2015 superagent learned a further redirect status; which release?
when socket.io /support for socket middleware/
    When did single sockets get middleware in socket.io?
first socket.io /^ *\* added binary support/
    socket.io first version to send binary data with the 1.0 rewrite
undated socket.io /'disconnecting' event/
    see the rooms of a socket.io client while it is going away
since moment /moment\.fn\.isBetween/
    isBetween exists in moment since?
first moment /isSameOrAfter and isSameOrBefore/
    Which moment first knew isSameOrBefore?
in moment 2020-09-01..2020-09-30 /maintenance mode/
    What did the moment team announce about the state of the project in September 2020?
latest moment /ReDoS/
    Most recent ReDoS repair in moment, please
when handlebars /allowCallsToHelperMissing/
    When did handlebars forbid direct calls of helperMissing?
first_after handlebars 2020-01-09..2020-01-11 /disable the prototype access/
    First handlebars after 9 January 2020: how can the new prototype restrictions be lifted?
first cookie-session /Drop support for Node\.js 0\.8/
    which cookie-session pre-release first left out Node 0.8
when moment-timezone /IANA TZDB .?2022f/
    When did moment-timezone take over 2022f?
current moment-timezone ..2021-08-15 /TZDB .?(20\d\d\w)/ @2021-08-15
    Which time zone database does moment-timezone ship at present?
current moment-timezone ..2023-06-01 /TZDB .?(20\d\d\w)/ @2023-06-01
    moment-timezone current tzdata release
as_of moment-timezone ..2018-12-01 /TZDB .?(20\d\d\w)/
    tz data inside moment-timezone as of 1 December 2018
latest moment-timezone /TZDB .?(20\d\d\w)/
    What is the newest IANA data that moment-timezone has taken in?
when compression -
    When did compression add support for brotli?
when morgan -
    When did morgan begin to ship an ES module build?
first commander -
    Which commander version first dropped callbacks for async iterators?
since should -
    Since when can should take snapshots of values?
first moment -
    first moment with support for the Temporal API
when mocha -
    When did mocha gain a built-in mocking library?
undated express -
    HTTP/3 support in express
when serve-index -
    On which date did serve-index begin to offer zip downloads of folders?
undated debug -
    debug output as JSON lines to syslog
`;

const row = /^(\w+) (\S+)(?: ([\d-]*)\.\.([\d-]*))? (?:\/(.*)\/|-)(?: @(\S+))?\n +(.*)$/gm;

export const topics: Topic[] = [...rows.matchAll(row)].map(
  ([, name, entity, from, to, pattern, asked, text]) => ({
    class: questionClasses.find((each) => each === name)!,
    package: entity!,
    text: text!,
    from: from ?? '',
    to: to ? to : '9999',
    ...(pattern === undefined ? {} : { pattern: new RegExp(pattern, 'm') }),
    ...(asked === undefined ? {} : { asked }),
  }),
);
