// The file of a report: what is in it, how much of a large result, and that no text in it can
// become code.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { comparisonReport, type Comparison } from '../../lib/index.js';
import { jsonForScript } from '../../../pages/lib/htmlPage.js';
import type { ReportData } from '../../lib/report/reportData.js';
import { reportQuestions } from '../../lib/report/questions.js';
import { questionTimes } from '../../lib/report/questionTimes.js';
import { splineForm } from '../../../../lib/time/spline.js';
import { jointConstraint } from '../../../../lib/time/question/jointConstraint.js';
import { parseAskedAt } from '../../../../lib/time/instant.js';
import { parseQuestion } from '../../../../lib/time/question/question.js';
import { failsWith } from '../../../../test/failsWith.js';
import { sample } from '../comparison/sample.js';
import { fullResult, hostileQuestion, hostileTexts } from './fullResult.js';
import { assertEach } from '../../../../test/assertEach.js';

const dataOf = (page: string): ReportData =>
  JSON.parse(/id="page-data">(.*?)<\/script>/s.exec(page)![1]!) as ReportData;

describe('the report of a comparison', () => {
  before(() => {
    execFileSync(process.execPath, [
      fileURLToPath(new URL('../../../../scripts/build-pages.cjs', import.meta.url)),
    ]);
  });

  it('embeds data, style and script under a policy that blocks everything else', () => {
    const page = comparisonReport(fullResult());
    const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)];
    assert.equal(scripts.length, 1);
    const hash = createHash('sha256').update(scripts[0]![1]!).digest('base64');
    assert.match(
      page,
      new RegExp(`default-src 'none'; [^"]*script-src 'sha256-${hash.replace(/[+/]/g, '\\$&')}'`),
    );
    assert.doesNotMatch(page.replace(/<script>.*?<\/script>/gs, ''), /(?:src|href)="(?!data:)/);
    assert.equal(dataOf(page).comparison.machine.cores, cpus().length);
  });

  it('names the packages whose code it carries, with their licences', () => {
    const page = comparisonReport(sample());
    for (const name of ['@observablehq/plot', 'd3-scale', 'd3-shape'])
      assert.match(page, new RegExp(`^${name} \\d[\\d.]* \\(ISC\\)`, 'm'));
    assert.match(page, /Permission to use, copy, modify, and\/or distribute/);
  });

  it('lets no text become markup or code', () => {
    const { markup, ends } = hostileTexts;
    const page = comparisonReport(
      { ...fullResult(), encoder: ends, command: markup },
      { title: `</title>${markup}` },
    );
    assert.equal(page.split('<script').length, 3, 'its data and its code');
    assert.doesNotMatch(page, /onerror="/);
    assert.doesNotMatch(page, /[\u2028\u2029]/);
    const data = dataOf(page);
    assert.equal(data.comparison.encoder, ends);
    assert.equal(data.questions.at(-1)!.candidates[0]!.title, markup);
    const awkward = { a: `${ends}\u0000\ud800`, b: ['<!--<script>', '&lt;'] };
    assert.deepEqual(JSON.parse(jsonForScript(awkward)), awkward);
  });

  it('has so many questions of each set, says so, and has a passage once', () => {
    const result = sample();
    const questions = ['one', 'two'].flatMap((set) =>
      result.questions!.map((each) => ({ ...each, set })),
    );
    const data = dataOf(comparisonReport({ ...result, questions }, { questions: 3 }));
    assertEach(data.questions, ({ set }) => set, ['one', 'one', 'one', 'two', 'two', 'two']);
    assert.deepEqual([data.questionsPerSet, data.questionsInResult], [3, 8]);
    assert.equal(dataOf(comparisonReport(result, { questions: 0 })).questions.length, 0);
    for (const [at, { systems, candidates }] of reportQuestions(questions, 4).entries()) {
      const sent = systems.flatMap(({ top }) =>
        top.map(([candidate]) => candidates[candidate]!.id),
      );
      assert.deepEqual(
        sent,
        questions[at]!.systems.flatMap(({ top }) => top.map(({ id }) => id)),
        'every rank, in order',
      );
      assert.ok(candidates.length < sent.length);
    }
  });

  it('truncates long texts between characters', () => {
    const data = dataOf(comparisonReport(fullResult()));
    const longest = Math.max(
      ...data.questions.flatMap(({ candidates }) =>
        candidates.map(({ title = '' }) => title.length),
      ),
    );
    assert.ok(longest <= 601, `${longest}`);
    assert.doesNotMatch(
      data.questions.at(-1)!.candidates[4]!.title!,
      /[\ud800-\udbff](?![\udc00-\udfff])/,
    );
  });

  it('has the shapes that the library scores by', () => {
    const question = { text: 'Who led Poland before March 1990?', asked_at: '2020-01-01' };
    const { shapes, windows, askedAt } = questionTimes(question);
    assert.deepEqual(windows, [{ from: null, to: Date.UTC(1990, 2, 1) }]);
    assert.equal(askedAt, Date.UTC(2020, 0, 2) - 1);
    assertEach(shapes, ({ name }) => name, ['states', 'line']);
    const asked = parseQuestion({ text: question.text, askedAt: question.asked_at });
    const published = splineForm(jointConstraint(asked), parseAskedAt(question.asked_at));
    assert.ok(published.combine === 'product' && published.kind === 'spline');
    assert.deepEqual(
      shapes[1]!.lines.map(({ from, to, atStart, atEnd }) => [from, to, atStart, atEnd]),
      published.lines.map(({ window, atStart, atEnd }) => [
        window.start,
        window.end,
        atStart,
        atEnd,
      ]),
    );
    assert.deepEqual(questionTimes({ text: 'Who wrote Emma?' }), { windows: [], shapes: [] });
    assert.deepEqual(questionTimes({ text: 'Who wrote Emma?', asked_at: 'whenever' }), {
      windows: [],
      shapes: [],
    });
  });

  it('refuses what is no comparison', () => {
    for (const wrong of [
      {},
      { sets: [], systems: [], questions: [null] },
      { ...sample(), questions: [{}] },
    ]) {
      assert.throws(
        () => comparisonReport(wrong as Comparison),
        failsWith('ERR_INVALID_INPUT', /Expected a comparison .* received another form/),
      );
    }
  });

  it('refuses a number of questions that is none', () => {
    for (const questions of [-1, 1.5, NaN, Infinity]) {
      assert.throws(
        () => comparisonReport(sample(), { questions }),
        failsWith('ERR_INVALID_ARGUMENT', /whole number from 0/),
      );
    }
  });

  it('takes a question whose dates are none', () => {
    const [question] = reportQuestions([hostileQuestion(sample().questions![0]!)], 1);
    assert.equal(question!.candidates.length, 5);
    assert.equal(question!.candidates[3]!.dates![0]!.start, 'no date');
  });
});
