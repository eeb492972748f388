// Sections of a result: answer, timeline, passages, series, details. Kept from one result to the
// next, so that focus, open disclosures and the slider stay.
import { emptyState, h, section, type Child } from '@asof/pages/dom';
import type { Span, Stretch } from '@asof/pages/times';
import type { ResultRecord, SeriesRecord } from '../../http/pageData.js';
import { askedWords, dateWords, timeWords, validWords } from '../dates.js';
import {
  askedAtOf,
  seriesRows,
  showsLater,
  spanOf,
  windowOf,
  type Row,
  type SeriesRow,
} from '../rows.js';
import { scoreSaid } from '../scoreWords.js';
import { Cards } from './cards.js';
import { TimeFigure } from './figure.js';
import { fades, type FigureRow } from './marks.js';
import { comparisonOf, type Moment } from './comparison.js';
import { answerOf, constraintOf, rowTable, seriesTable, traceTable } from './sections.js';
import { Slider } from './slider.js';

export interface ResultModel {
  result: ResultRecord;
  rows: readonly Row[];
  entries: readonly SeriesRecord[];
  span: Span;
  changes: readonly number[];
  stops: readonly number[] | undefined;
  timeZone: string | undefined;
  /** The result that this one is compared with. */
  versus: Moment | undefined;
  /** Address of this result, of a live page. */
  link: string | undefined;
}

const sign = (kind: string, words: string): HTMLElement =>
  h('span', {}, h('i', { class: `sign ${kind}`, 'aria-hidden': 'true' }), words);

const legend = (...signs: readonly (readonly [kind: string, words: string])[]): HTMLElement =>
  h('p', { class: 'key' }, ...signs.map(([kind, words]) => sign(kind, words)));

export class ResultView {
  readonly element: HTMLElement;
  readonly #answer = h('section', { class: 'answer-section', 'aria-label': 'Answer' });
  readonly #compare = h('button', { type: 'button', class: 'more', onclick: () => this.#pin() });
  readonly #comparison = h('div', { class: 'comparison' });
  readonly #pin: () => void;
  readonly #cards = new Cards();
  readonly #slider: Slider;
  readonly #figure: TimeFigure;
  readonly #series: TimeFigure;
  readonly #seriesSection: HTMLElement;
  readonly #table = h('details', {}, h('summary', {}, 'Passages and times as a table'));
  readonly #seriesTable = h('details', {}, h('summary', {}, 'The series as a table'));
  readonly #trace = h('details', {}, h('summary', {}, 'How it was found: stages and their times'));

  constructor({
    moved,
    zoom,
    pin,
  }: {
    moved(instant: number): void;
    zoom: HTMLElement;
    /** Compares other times with this one, or ends that. */
    pin(): void;
  }) {
    this.#pin = pin;
    this.#slider = new Slider({ moved });
    this.#figure = new TimeFigure({
      label: 'Passages in time',
      slider: this.#slider,
      most: 12,
      chosen: (id) => this.#cards.show(id),
      legend: legend(
        ['validity', 'valid'],
        ['publication', 'published'],
        ['publication hollow', 'not yet published'],
        ['date', 'date it speaks of'],
        ['window', 'time in question'],
        ['future', 'hidden future'],
      ),
    });
    this.#series = new TimeFigure({
      label: 'The series in time',
      compact: true,
      most: 16,
      legend: legend(['validity', 'held'], ['publication', 'published']),
    });
    this.#seriesSection = section(
      { id: 'series', title: 'The series', short: 'Series' },
      h(
        'p',
        { class: 'lead' },
        'What the passages state of the same thing, one after another, as known at the time of ' +
          'asking.',
      ),
      this.#series.element,
      this.#seriesTable,
    );
    this.element = h(
      'div',
      { class: 'result', hidden: true },
      fades(),
      this.#answer,
      section(
        { id: 'timeline', title: 'Timeline', short: 'Timeline' },
        h('div', { class: 'controls' }, zoom),
        this.#figure.element,
        this.#compare,
        this.#comparison,
        this.#table,
      ),
      section({ id: 'passages', title: 'Passages', short: 'Passages' }, this.#cards.element),
      this.#seriesSection,
      h('section', { class: 'origin', 'aria-label': 'Origin' }, this.#trace),
    );
  }

  busy(isBusy: boolean): void {
    this.element.setAttribute('aria-busy', String(isBusy));
  }

  /** For another question. */
  reset(): void {
    this.#figure.reset();
    this.#series.reset();
    this.#cards.reset();
  }

  preview(instant: number): void {
    this.#figure.preview(instant);
    this.#series.preview(instant);
  }

  draw(model: ResultModel): void {
    const { result, rows, span, timeZone } = model;
    const askedAt = askedAtOf(result);
    this.element.hidden = false;
    const link = model.link && h('a', { class: 'permanent', href: model.link }, 'Permanent link');
    this.#answer.replaceChildren(h('div', {}, answerOf(result, rows), link), constraintOf(result));
    const window = windowOf(result);
    this.#slider.set({ ...model, instant: askedAt });
    this.#figure.draw({
      rows: rows.map((row) => figureRow(row, result)),
      most: rows.filter(({ weak }) => !weak).length,
      spanOf: () => span,
      askedAt,
      window,
      isMasked: !showsLater(result),
      words: `Timeline of ${rows.length} passages, asked as of ${askedWords(askedAt, timeZone)}; the table below has the same.`,
    });
    this.#cards.draw(rows, result);
    this.#drawComparison(model);
    this.#drawSeries(model, askedAt, window);
    fill(this.#table, rowTable(rows));
    fill(
      this.#trace,
      h('p', { class: 'note' }, `System ${result.system}.`),
      traceTable(result.trace),
    );
  }

  #drawComparison({ result, rows, versus, timeZone }: ResultModel): void {
    this.#compare.textContent = versus
      ? `Stop comparing with ${askedWords(askedAtOf(versus.result), timeZone)}`
      : 'Compare with another time';
    const isOther = versus && askedAtOf(versus.result) !== askedAtOf(result);
    this.#comparison.replaceChildren(
      ...(versus && !isOther ? [emptyState('Move the slider to the time to compare with.')] : []),
    );
    if (isOther) this.#comparison.append(...(comparisonOf(versus, { result, rows }) as Node[]));
  }

  #drawSeries(
    { entries, timeZone }: ResultModel,
    askedAt: number,
    window: Stretch | undefined,
  ): void {
    const rows = seriesRows(entries, timeZone);
    this.#seriesSection.hidden = rows.length === 0;
    if (rows.length === 0) return;
    const at = Math.min(askedAt, window?.to ?? Infinity) - 1;
    const holding = rows.findLastIndex(({ stretch }) => (stretch.from ?? -Infinity) <= at);
    this.#series.draw({
      rows: rows.map((row, nth) => seriesFigureRow(row, nth)),
      first: Math.max(0, holding - 12),
      spanOf: (shown) => spanOf(shown.flatMap(({ bar, dot }) => [bar?.from, bar?.to, dot])),
      askedAt,
      window,
      isMasked: true,
      words: `The series: ${rows.length} members in the order of time; the table below has the same.`,
    });
    fill(this.#seriesTable, seriesTable(rows));
  }
}

function fill(details: HTMLElement, ...content: Child[]): void {
  while (details.children.length > 1) details.lastElementChild!.remove();
  details.append(...(content as Node[]));
}

function figureRow(row: Row, result: ResultRecord): FigureRow {
  const { id, rank, title, state, faded, evidence, because, valid, dates } = row;
  const note = faded
    ? (row.successor ?? because ?? 'superseded')
    : state === 'later'
      ? 'not yet published'
      : evidence && scoreSaid(evidence, result);
  const words = [
    ...(row.publishedText === undefined ? [] : [`published ${timeWords(row.publishedText)}`]),
    ...(valid ? [validWords(valid)] : []),
    ...dates.slice(0, 3).map((each) => `speaks of ${dateWords(each, evidence?.time_zone)}`),
  ];
  return {
    id,
    rank,
    label: title,
    note,
    faded,
    first: rank === 1,
    words: [title, ...words].join('; '),
    bar: valid,
    dot: row.published,
    ticks: dates,
  };
}

function seriesFigureRow(row: SeriesRow, nth: number): FigureRow {
  const superseded = row.supersedes.length;
  return {
    id: `${nth}`,
    label: row.name,
    words: `${row.name}: ${row.statement}`,
    bar: row.stretch,
    dot: row.published,
    note: superseded > 0 ? `supersedes ${superseded}` : undefined,
  };
}
