// Slider through time, aligned with the axis of a figure, with buttons to the next change.
import { h } from '@asof/pages/dom';
import type { Span } from '@asof/pages/times';
import { askedWords } from '../dates.js';
import type { Scale } from './marks.js';

const [hour, day] = [3_600_000, 86_400_000];
/** Pixels of its thumb, as in page.css. */
const thumb = 18;

export interface SliderOptions {
  /** Called while it moves. */
  moved(instant: number): void;
}

export class Slider {
  readonly buttons: HTMLElement;
  readonly track: HTMLElement;
  readonly #input: HTMLInputElement;
  readonly #bubble: HTMLElement;
  readonly #moved: (instant: number) => void;
  #base = 0;
  #step = day;
  #scale: Scale | undefined;
  /** The only times that it stands at, of a static page. */
  #stops: readonly number[] | undefined;
  /** Times that the buttons go to. */
  #changes: readonly number[] = [];
  #timeZone: string | undefined;
  instant = 0;

  constructor({ moved }: SliderOptions) {
    this.#moved = moved;
    this.#input = h('input', {
      type: 'range',
      min: 0,
      max: 1,
      step: 1,
      'aria-label': 'Ask as of',
      oninput: () => this.#dragged(),
      onkeydown: (event) => this.#key(event as KeyboardEvent),
    });
    this.#bubble = h('output', { class: 'bubble', 'aria-hidden': 'true' });
    this.track = h('div', { class: 'track' }, this.#bubble, this.#input);
    const button = (label: string, sign: string, by: -1 | 1): HTMLElement =>
      h(
        'button',
        { type: 'button', 'aria-label': label, title: label, onclick: () => this.#jump(by) },
        sign,
      );
    this.buttons = h(
      'div',
      { class: 'jumps', role: 'group', 'aria-label': 'Changes' },
      h('span', { 'aria-hidden': 'true' }, 'asked as of'),
      button('To the change before', '‹', -1),
      button('To the next change', '›', 1),
    );
  }

  /** The times that it covers, and where it stands. */
  set(given: {
    span: Span;
    instant: number;
    changes: readonly number[];
    stops?: readonly number[] | undefined;
    timeZone?: string | undefined;
  }): void {
    const { span } = given;
    const stops = given.stops?.filter((each) => each >= span.from && each <= span.to);
    this.#stops = stops;
    this.#changes = stops ?? given.changes;
    this.#timeZone = given.timeZone;
    const days = (span.to - span.from) / day;
    this.#step = stops
      ? (span.to - span.from) / 2000
      : days < 120
        ? hour
        : day * Math.ceil(days / 2000);
    // The last millisecond of a day: what a date alone means.
    this.#base = stops ? span.from : Math.ceil(span.from / this.#step) * this.#step - 1;
    const last = Math.floor((span.to - this.#base) / this.#step);
    this.#input.max = String(Math.max(1, last));
    this.move(given.instant);
  }

  /** Aligns it with a figure. */
  align(scale: Scale): void {
    this.#scale = scale;
    const last = this.#base + Number(this.#input.max) * this.#step;
    const [from, to] = [scale.x(this.#base), scale.x(last)];
    this.#input.style.setProperty('left', `${from - thumb / 2}px`);
    this.#input.style.setProperty('width', `${to - from + thumb}px`);
    this.#placeBubble();
  }

  /** Without telling anybody. */
  move(instant: number): void {
    this.instant = instant;
    this.#input.value = String(Math.round((instant - this.#base) / this.#step));
    const words = askedWords(instant, this.#timeZone);
    this.#input.setAttribute('aria-valuetext', words);
    this.#bubble.textContent = words;
    this.#placeBubble();
  }

  #placeBubble(): void {
    if (!this.#scale) return;
    const { width } = this.#scale;
    const x = Math.min(Math.max(this.#scale.x(this.instant), 0), width);
    const half = this.#bubble.offsetWidth / 2;
    const left = Math.min(Math.max(x - half, 0), Math.max(0, width - 2 * half));
    this.#bubble.style.setProperty('left', `${left}px`);
  }

  #dragged(): void {
    const instant = this.#base + Number(this.#input.value) * this.#step;
    this.#go(this.#stops ? nearest(this.#stops, instant) : instant);
  }

  #go(instant: number | undefined): void {
    if (instant === undefined) return;
    const isSame = instant === this.instant;
    this.move(instant);
    if (!isSame) this.#moved(instant);
  }

  /** Of a static page: from one of its times to another. */
  #key(event: KeyboardEvent): void {
    const stops = this.#stops;
    if (!stops) return;
    const at = stops.indexOf(this.instant);
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - 5,
      PageUp: at + 5,
      Home: 0,
      End: stops.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#go(stops[Math.min(Math.max(target, 0), stops.length - 1)]);
  }

  #jump(by: -1 | 1): void {
    const changes = this.#changes;
    this.#go(
      by < 0
        ? changes.findLast((each) => each < this.instant)
        : changes.find((each) => each > this.instant),
    );
  }
}

function nearest(stops: readonly number[], instant: number): number | undefined {
  let best = stops[0];
  for (const each of stops)
    if (best === undefined || Math.abs(each - instant) < Math.abs(best - instant)) best = each;
  return best;
}
