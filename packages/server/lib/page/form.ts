// Form of the live page, the form of its token, and the state in the address.
import { h } from '@asof/pages/dom';
import type { CorpusRecord } from '../http/pageData.js';
import type { Query } from './source.js';

/** The state that a link has: a question, and the time that its result is compared with. */
export interface Linked extends Partial<Query> {
  versus?: string | undefined;
}

export function readHash(): Linked {
  const given = new URLSearchParams(location.hash.slice(1));
  const of = (name: string): string | undefined => given.get(name) ?? undefined;
  const k = Number(of('k') ?? NaN);
  return {
    question: of('question'),
    corpus: of('corpus'),
    askedAt: of('asked'),
    system: of('system'),
    k: Number.isInteger(k) ? k : undefined,
    versus: of('versus'),
  };
}

export function hashOf({ askedAt, k, ...given }: Linked): string {
  const named = { ...given, asked: askedAt, k: k === undefined ? undefined : String(k) };
  const entries = Object.entries(named).filter((each): each is [string, string] => !!each[1]);
  return `#${new URLSearchParams(entries).toString()}`;
}

/** Passages where none are asked for: the API's default. */
const defaultPassages = 10;

export class QuestionForm {
  readonly element: HTMLFormElement;
  readonly #question = h('input', {
    id: 'question-text',
    type: 'text',
    required: true,
    autocomplete: 'off',
    maxlength: 2000,
  });
  readonly #corpus = h('select', { id: 'question-corpus' });
  /** Not of the type date, which browsers show as 05/06/2021 or 06/05/2021. */
  readonly #asked = h('input', {
    id: 'question-asked',
    type: 'text',
    placeholder: '2021-05-06',
    autocomplete: 'off',
    maxlength: 40,
  });
  readonly #system = h('select', { id: 'question-system' });
  readonly #k = h('input', {
    id: 'question-k',
    type: 'number',
    min: 1,
    max: 100,
    placeholder: defaultPassages,
  });
  #corpora: readonly CorpusRecord[] = [];
  readonly #corpusField: HTMLElement;

  constructor(submitted: () => void) {
    const field = (id: string, label: string, control: HTMLElement, kind = ''): HTMLElement =>
      h('div', { class: `entry ${kind}` }, h('label', { for: id }, label), control);
    this.#corpusField = field('question-corpus', 'Corpus', this.#corpus);
    this.element = h(
      'form',
      {
        class: 'ask',
        role: 'search',
        'aria-label': 'Ask a question',
        onsubmit: (event) => {
          event.preventDefault();
          submitted();
        },
      },
      field('question-text', 'Question', this.#question, 'wide'),
      this.#corpusField,
      field('question-asked', 'Date (empty: now)', this.#asked, 'date'),
      field('question-system', 'System', this.#system, 'small'),
      field('question-k', 'Passages', this.#k, 'small'),
      h('button', { type: 'submit', class: 'primary' }, 'Ask'),
    );
  }

  offer(corpora: readonly CorpusRecord[]): void {
    this.#corpora = corpora;
    this.#corpus.onchange = () => this.#offerSystems();
    this.#corpus.replaceChildren(...corpora.map(({ name }) => h('option', { value: name }, name)));
    this.#corpusField.hidden = corpora.length < 2;
    this.#offerSystems();
  }

  /** Those of the chosen corpus; the first is that of the server. */
  #offerSystems(): void {
    const { systems = [] } = this.#corpora.find(({ name }) => name === this.#corpus.value) ?? {};
    const chosen = this.#system.value;
    this.#system.replaceChildren(
      ...systems.map((name, nth) => h('option', { value: nth === 0 ? '' : name }, name)),
    );
    this.#system.value = systems.includes(chosen) ? chosen : '';
  }

  /** Undefined without a question. */
  read(): Query | undefined {
    const question = this.#question.value.trim();
    if (question === '') return undefined;
    return {
      question,
      corpus: this.#corpus.value,
      askedAt: this.#asked.value.trim() || undefined,
      system: this.#system.value || undefined,
      k: this.#k.valueAsNumber || undefined,
    };
  }

  write({ question, corpus, askedAt, system, k }: Linked): void {
    if (question !== undefined) this.#question.value = question;
    if (corpus !== undefined) this.#corpus.value = corpus;
    this.#offerSystems();
    this.#system.value = system ?? '';
    this.#k.value = k === undefined ? '' : String(k);
    this.#asked.value = /^\d{4}-\d\d-\d\d/.exec(askedAt ?? '')?.[0] ?? '';
  }

  focus(): void {
    this.#question.focus();
  }
}

/** Asks for the token of a server that wants one. */
export function tokenForm(entered: (token: string) => void): HTMLElement {
  const field = h('input', { id: 'token', type: 'password', required: true, autocomplete: 'off' });
  return h(
    'form',
    {
      class: 'token',
      'aria-label': 'Authorization',
      onsubmit: (event) => {
        event.preventDefault();
        entered(field.value.trim());
      },
    },
    h('label', { for: 'token' }, 'Token of this server (kept until the tab is closed)'),
    field,
    h('button', { type: 'submit', class: 'primary' }, 'Use it'),
  );
}
