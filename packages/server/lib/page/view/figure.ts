// Figure over time: labels of rows as a list, their marks as one picture, redrawn when its width
// changes. Rows beyond the first are shown on demand.
import { h, type Child } from '@asof/pages/dom';
import type { Span, Stretch } from '@asof/pages/times';
import { drawMarks, type FigureRow, type Layout, type Scale } from './marks.js';
import type { Slider } from './slider.js';

export interface FigureModel {
  rows: readonly FigureRow[];
  /** Where the rows begin that are drawn at first. Default 0. */
  first?: number;
  /** Rows that are drawn at first, below that of the options. */
  most?: number;
  /** The time that rows cover. */
  spanOf(shown: readonly FigureRow[]): Span;
  askedAt: number;
  window?: Stretch | undefined;
  isMasked: boolean;
  /** Text alternative of the marks. */
  words: string;
}

export interface FigureOptions {
  /** What the list of labels is called. */
  label: string;
  /** One line a row. */
  compact?: boolean;
  slider?: Slider;
  legend: Child;
  /** Rows that are drawn at first. */
  most: number;
  /** Makes buttons of the labels. */
  chosen?: (id: string) => void;
}

const narrowWidth = 620;

export class TimeFigure {
  readonly element: HTMLElement;
  readonly #labels: HTMLOListElement;
  readonly #future = h('div', { class: 'future', 'aria-hidden': 'true' });
  readonly #asked = h('div', { class: 'asked', 'aria-hidden': 'true' });
  readonly #plot = h('div', { class: 'marks-frame' });
  readonly #more = h('button', { type: 'button', class: 'more', onclick: () => this.#showAll() });
  #model: FigureModel | undefined;
  #scale: Scale | undefined;
  #width = 0;
  #isWhole = false;
  #current = 0;

  constructor(private readonly options: FigureOptions) {
    const { slider, legend, label } = options;
    this.#labels = h('ol', {
      class: 'labels',
      'aria-label': label,
      onkeydown: (event) => this.#key(event as KeyboardEvent),
    });
    this.#more.hidden = true;
    this.element = h(
      'figure',
      { class: options.compact ? 'time compact' : 'time' },
      slider && slider.buttons,
      slider && slider.track,
      this.#labels,
      this.#plot,
      h('figcaption', {}, this.#more, legend),
    );
    new ResizeObserver(() => this.#resized()).observe(this.#plot);
    new ResizeObserver(() => this.#resized()).observe(this.element);
  }

  draw(model: FigureModel): void {
    this.#model = model;
    this.#redraw();
  }

  /** Before the result as of that time is there. */
  preview(askedAt: number): void {
    const { isMasked = false } = this.#model ?? {};
    if (!this.#scale) return;
    const { from, to, width, x } = this.#scale;
    const at = Math.min(Math.max(x(askedAt), 0), width);
    this.#asked.hidden = askedAt < from || askedAt > to;
    this.#asked.style.setProperty('left', `${at}px`);
    this.#future.hidden = !isMasked || askedAt > to;
    this.#future.style.setProperty('left', `${at}px`);
    const room = width - at;
    this.#future.dataset['words'] =
      room > 185 ? 'later publications are hidden' : room > 60 ? 'hidden' : '';
  }

  /** For another question: only the first rows again. */
  reset(): void {
    this.#isWhole = false;
    this.#current = 0;
  }

  #resized(): void {
    this.element.classList.toggle('narrow', this.element.clientWidth < narrowWidth);
    const width = Math.floor(this.#plot.clientWidth);
    if (width === this.#width || width === 0) return;
    this.#width = width;
    this.#redraw();
  }

  #redraw(): void {
    const model = this.#model;
    if (!model || this.#width === 0) return;
    const { slider, compact } = this.options;
    const most = Math.min(this.options.most, model.most ?? Infinity);
    const start = Math.max(0, Math.min(model.first ?? 0, model.rows.length - most));
    const rows = this.#isWhole ? model.rows : model.rows.slice(start, start + most);
    const span = model.spanOf(rows);
    const layout = layoutOf(compact === true, this.element.classList.contains('narrow'));
    this.element.style.setProperty('--row', `${layout.rowHeight}px`);
    const { askedAt, window } = model;
    const { svg, scale } = drawMarks({ rows, span, width: this.#width, layout, askedAt, window });
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', model.words);
    this.#scale = scale;
    this.#plot.replaceChildren(this.#future, svg, this.#asked);
    this.preview(askedAt);
    this.#drawLabels(rows);
    this.#more.hidden = rows.length === model.rows.length;
    this.#more.textContent = `Show all ${model.rows.length}`;
    slider?.align(scale);
  }

  #drawLabels(rows: readonly FigureRow[]): void {
    const hadFocus = this.#labels.contains(document.activeElement);
    this.#current = Math.min(this.#current, Math.max(0, rows.length - 1));
    this.#labels.replaceChildren(...rows.map((row, nth) => this.#label(row, nth)));
    if (hadFocus) this.#button(this.#current)?.focus();
  }

  #label(row: FigureRow, nth: number): HTMLElement {
    const { chosen } = this.options;
    const parts = [
      row.rank !== undefined && h('b', { class: 'rank' }, row.rank),
      h('bdi', { class: 'name', title: row.label }, row.label),
      row.note !== undefined && h('small', {}, row.note),
    ];
    const content = chosen
      ? h(
          'button',
          {
            type: 'button',
            tabindex: nth === this.#current ? 0 : -1,
            onclick: () => chosen(row.id),
            onfocus: () => this.#focused(nth),
          },
          ...parts,
        )
      : h('div', {}, ...parts);
    return h('li', { 'class': row.faded ? 'faded' : undefined, 'data-id': row.id }, content);
  }

  #button(nth: number): HTMLElement | undefined {
    return this.#labels.children[nth]?.querySelector('button') ?? undefined;
  }

  #focused(nth: number): void {
    this.#button(this.#current)?.setAttribute('tabindex', '-1');
    this.#current = nth;
    this.#button(nth)?.setAttribute('tabindex', '0');
  }

  /** One stop of the tabulator for all rows; arrows go from row to row. */
  #key(event: KeyboardEvent): void {
    const last = this.#labels.children.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowUp: Math.max(0, this.#current - 1),
      ArrowDown: Math.min(last, this.#current + 1),
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined || !this.options.chosen) return;
    event.preventDefault();
    this.#button(target)?.focus();
  }

  #showAll(): void {
    const shown = this.#labels.children.length;
    this.#isWhole = true;
    this.#redraw();
    this.#button(shown)?.focus();
  }
}

function layoutOf(isCompact: boolean, isNarrow: boolean): Layout {
  if (isCompact) {
    if (isNarrow) return { rowHeight: 42, middle: 31, barHeight: 8 };
    return { rowHeight: 27, middle: 13.5, barHeight: 9 };
  }
  if (isNarrow) return { rowHeight: 66, middle: 53, barHeight: 9 };
  return { rowHeight: 46, middle: 23, barHeight: 11 };
}
