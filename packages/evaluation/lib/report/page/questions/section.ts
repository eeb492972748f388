// Question browser: a searchable list, and the details of the selected question, which has a link
// of its own.
import type { ReportQuestion } from '../../reportData.js';
import { emptyState, h, quoted, section, select, spoken } from '@asof/pages/dom';
import { count, counted, decimals } from '@asof/pages/format';
import type { View } from '../view.js';
import { questionDetail } from './detail.js';
import { matches, valueOf, type QuestionFilter } from './filter.js';

const page = 100;
const heading = { id: 'questions', title: 'Questions', short: 'Questions' };

export function questionsSection(view: View): HTMLElement {
  const { questions } = view.data;
  if (questions.length === 0) {
    const option = h('code', {}, '--questions 0');
    return section(
      heading,
      emptyState(
        'This report has no question details: the result has none, or it was made with ',
        option,
        '.',
      ),
    );
  }
  return new QuestionList(view).element;
}

class QuestionList {
  readonly element: HTMLElement;
  readonly #view: View;
  readonly #filter: QuestionFilter;
  readonly #list = h('ol', { class: 'list', 'aria-label': 'Questions' });
  readonly #found = h('p', { class: 'note', role: 'status' });
  readonly #detail = h('article', { class: 'detail', 'aria-label': 'Selected question' });
  #shown = page;
  #chosen: ReportQuestion;
  #matching: ReportQuestion[] = [];

  constructor(view: View) {
    this.#view = view;
    this.#filter = {
      set: '',
      words: '',
      better: '',
      worse: '',
      metric: view.metric,
      lowerIsBetter: false,
    };
    this.#chosen = this.#addressed() ?? view.data.questions[0]!;
    this.#list.addEventListener('keydown', (event) => this.#move(event));
    this.element = section(
      heading,
      h('p', { class: 'lead' }, said(view)),
      this.#controls(),
      h(
        'div',
        { class: 'browser' },
        h('div', { class: 'side' }, this.#found, this.#list),
        this.#detail,
      ),
    );
    view.onChange(() => {
      this.#fill();
      this.#show();
    });
    addEventListener('hashchange', () => {
      const named = this.#addressed();
      if (!named) return;
      this.#choose(named);
      this.#reveal();
    });
    this.#fill();
    this.#show();
    if (this.#addressed()) requestAnimationFrame(() => this.#reveal());
  }

  /** Scrolls to the question of the page's address. */
  #reveal(): void {
    this.element.scrollIntoView();
    this.#list.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  #controls(): HTMLElement {
    const { comparison, questions } = this.#view.data;
    const change = (changed: Partial<QuestionFilter>): void => {
      Object.assign(this.#filter, changed);
      this.#shown = page;
      this.#fill();
      const [first] = this.#matching;
      if (first && !this.#matching.includes(this.#chosen)) this.#choose(first);
    };
    const systems = [
      { value: '', label: 'any' },
      ...comparison.systems.map(({ name }) => ({ value: name })),
    ];
    const sets = [
      { value: '', label: 'all' },
      ...[...new Set(questions.map(({ set }) => set))].map((value) => ({ value })),
    ];
    const search = h('input', {
      type: 'search',
      id: 'question-words',
      oninput: () => change({ words: search.value }),
    });
    return h(
      'div',
      { class: 'controls', role: 'search' },
      h(
        'span',
        { class: 'field' },
        h('label', { for: 'question-words' }, 'Words, answer or id'),
        search,
      ),
      select('Set', sets, '', (set) => change({ set })),
      select('Where', systems, '', (better) => change({ better })),
      select('does better than', systems, '', (worse) => change({ worse })),
    );
  }

  #fill(): void {
    const { metric, data } = this.#view;
    Object.assign(this.#filter, { metric, lowerIsBetter: this.#view.lowerIsBetter(metric) });
    this.#matching = data.questions.filter((question) => matches(question, this.#filter));
    const by =
      this.#filter.better && this.#filter.worse
        ? ` where ${this.#filter.better} does better than ${this.#filter.worse} by ${metric}`
        : '';
    this.#found.textContent = `${counted(this.#matching.length, 'question', 'questions')}${by}`;
    const items = this.#matching.slice(0, this.#shown).map((question) => this.#item(question));
    const left = this.#matching.length - items.length;
    this.#list.replaceChildren(...items, ...(left > 0 ? [this.#more(left)] : []));
  }

  #more(left: number): HTMLElement {
    const show = (): void => {
      this.#shown += page;
      this.#fill();
    };
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'more', onclick: show },
        `Show ${count(Math.min(page, left))} more of ${count(left)}`,
      ),
    );
  }

  #item(question: ReportQuestion): HTMLElement {
    const { metric, systems } = this.#view;
    const known = systems.flatMap((system) => {
      const value = valueOf(question, system, metric);
      return value === undefined ? [] : [{ system, value }];
    });
    const marks = known.map(({ system, value }) => {
      const mark = h('i', { title: `${system}: ${metric} ${decimals(value)}` });
      const good = this.#view.lowerIsBetter(metric) ? 1 - value : value;
      mark.style.setProperty('--shade', `${Math.round(100 * Math.min(1, Math.max(0, good)))}%`);
      return mark;
    });
    const mean = known.reduce((sum, { value }) => sum + value, 0) / known.length;
    const current = question === this.#chosen;
    return h(
      'li',
      {},
      h(
        'button',
        {
          type: 'button',
          'aria-current': current ? 'true' : undefined,
          onclick: () => this.#choose(question),
        },
        h('span', { class: 'words', dir: 'auto' }, question.text),
        h(
          'span',
          { class: 'meta' },
          quoted(question.set),
          h('span', { class: 'marks', 'aria-hidden': 'true' }, ...marks),
          known.length > 0 && spoken(`, mean ${metric} ${decimals(mean, 2)}`),
        ),
      ),
    );
  }

  #choose(question: ReportQuestion): void {
    this.#chosen = question;
    const place = this.#matching.indexOf(question);
    this.#list
      .querySelectorAll('[aria-current]')
      .forEach((each) => each.removeAttribute('aria-current'));
    this.#list.children[place]?.querySelector('button')?.setAttribute('aria-current', 'true');
    history.replaceState(null, '', addressOf(question));
    this.#show();
  }

  /** Arrow keys move through the list. */
  #move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const item = (event.target as Element).closest('li');
    if (step === undefined || !item) return;
    const button = (
      step > 0 ? item.nextElementSibling : item.previousElementSibling
    )?.querySelector('button');
    if (!button) return;
    event.preventDefault();
    button.focus();
    if (!button.classList.contains('more')) button.click();
  }

  #show(): void {
    this.#detail.replaceChildren(questionDetail(this.#view, this.#chosen, this.#filter.better));
  }

  #addressed(): ReportQuestion | undefined {
    return this.#view.data.questions.find((question) => location.hash === addressOf(question));
  }
}

const addressOf = ({ set, id }: ReportQuestion): string =>
  `#question=${encodeURIComponent(set)}/${encodeURIComponent(id)}`;

function said({ data }: View): string {
  const asked = data.comparison.sets.reduce((sum, { queries }) => sum + queries, 0);
  const isBound = data.questionsInResult > data.questions.length;
  const bound = isBound
    ? `, at most ${count(data.questionsPerSet)} of each set (asof report --questions N)`
    : '';
  return (
    `Details of ${count(data.questions.length)} of ${counted(asked, 'question', 'questions')}${bound}; ` +
    `the result has ${count(data.questionsInResult)} (asof compare --shown N). Figures above are over all of them.`
  );
}
