// Form of the live page, the form of its token, and the state in the address.
import { h } from '@asof/pages/dom';
import type { CorpusRecord } from '../http/pageData.js';
import type { Query } from './source.js';

/** The state that a link has: question, corpus and time. */
export function readHash(): { [Name in keyof Query]: string | undefined } {
  const given = new URLSearchParams(location.hash.slice(1));
  const of = (name: string): string | undefined => given.get(name) ?? undefined;
  return { question: of('question'), corpus: of('corpus'), askedAt: of('asked') };
}

export function hashOf({ question, corpus, askedAt }: Query): string {
  const given = { question, corpus, ...(askedAt === undefined ? {} : { asked: askedAt }) };
  return `#${new URLSearchParams(given).toString()}`;
}

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
  readonly #asked = h('input', { id: 'question-asked', type: 'date' });
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
      field('question-asked', 'Date (empty: now)', this.#asked),
      h('button', { type: 'submit', class: 'primary' }, 'Ask'),
    );
  }

  offer(corpora: readonly CorpusRecord[]): void {
    this.#corpus.replaceChildren(...corpora.map(({ name }) => h('option', { value: name }, name)));
    this.#corpusField.hidden = corpora.length < 2;
  }

  /** Undefined without a question. */
  read(): Query | undefined {
    const question = this.#question.value.trim();
    if (question === '') return undefined;
    const askedAt = this.#asked.value;
    return { question, corpus: this.#corpus.value, ...(askedAt === '' ? {} : { askedAt }) };
  }

  write({ question, corpus, askedAt }: ReturnType<typeof readHash>): void {
    if (question !== undefined) this.#question.value = question;
    if (corpus !== undefined) this.#corpus.value = corpus;
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
