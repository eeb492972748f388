// The page: asks, draws what comes back, and asks again where the slider is moved. Of several
// questions in flight only the last counts.
import { h, select } from '@asof/pages/dom';
import type { Span } from '@asof/pages/times';
import type { CorpusRecord, ResultRecord } from '../http/pageData.js';
import { askedWords } from './dates.js';
import { QuestionForm, hashOf, readHash, tokenForm } from './form.js';
import {
  askedAtOf,
  changesOf,
  domainOf,
  nearRows,
  rowsOf,
  spanOf,
  windowOf,
  type Row,
} from './rows.js';
import { ApiError, storeToken, type Query, type Reply, type Source } from './source.js';
import type { Moment } from './view/comparison.js';
import { ResultView } from './view/resultView.js';
import { examplesOf, startOf } from './view/start.js';

/** Milliseconds without a move of the slider before it is asked again. */
const patience = 160;

/** What the axis covers. */
type Zoom = 'near' | 'all' | 'corpus';

interface Current extends Reply {
  query: Query;
  unlimited: ResultRecord | undefined;
  span: Span;
}

export class App {
  readonly #view: ResultView;
  readonly #form: QuestionForm | undefined;
  readonly #fault = h('div', { class: 'fault', role: 'alert' });
  readonly #loading = h('p', { class: 'loading', hidden: true }, 'Searching …');
  readonly #start = h('section', { class: 'start', 'aria-label': 'Corpora', hidden: true });
  readonly #status = h('p', { class: 'spoken', role: 'status' });
  #corpora: readonly CorpusRecord[] = [];
  #current: Current | undefined;
  /** The result that others are compared with. */
  #versus: Moment | undefined;
  #flight: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #zoomed: Zoom = 'near';

  constructor(
    private readonly root: HTMLElement,
    private readonly source: Source,
    /** The question of a static page. */
    fixed?: string,
  ) {
    const zoom = select(
      'Axis',
      [
        { value: 'near', label: 'around most passages' },
        { value: 'all', label: 'all passages' },
        { value: 'corpus', label: 'the whole corpus' },
      ],
      this.#zoomed,
      (value) => this.#zoom(value as Zoom),
    );
    this.#view = new ResultView({
      moved: (instant) => this.#moved(instant),
      zoom,
      pin: () => this.#pin(),
    });
    if (fixed === undefined) this.#form = new QuestionForm(() => this.#submitted());
    const head = this.#form
      ? [h('h1', {}, 'asof'), this.#form.element]
      : [h('p', { class: 'wordmark' }, 'asof'), h('h1', { dir: 'auto' }, fixed)];
    this.root.append(
      h('header', { class: this.#form ? 'live' : 'static' }, ...head),
      h('main', {}, this.#status, this.#fault, this.#loading, this.#start, this.#view.element),
    );
    if (this.#form) addEventListener('popstate', () => void this.#fromAddress());
  }

  async start(): Promise<void> {
    await this.#guard(
      async (signal) => {
        this.#corpora = await this.source.corpora(signal);
        this.#form?.offer(this.#corpora);
        if (this.#corpora.length === 0) throw new ApiError('The server has no corpus.', 0);
        if (!this.#form) await this.#load({ question: '', corpus: '' }, signal);
      },
      () => this.start(),
    );
    if (this.#form && this.#corpora.length > 0) await this.#fromAddress();
  }

  async #fromAddress(): Promise<void> {
    const { question, versus, ...others } = readHash();
    this.#form!.write({ question: question ?? '', ...others });
    const query = this.#form!.read();
    const { corpus } = others;
    if (corpus !== undefined && !this.#corpora.some(({ name }) => name === corpus)) {
      const names = this.#corpora.map(({ name }) => name).join(', ');
      this.#failed(`The server has no corpus “${corpus}”. It has ${names}.`);
    } else if (query) return this.#ask({ ...query, askedAt: others.askedAt }, versus);
    if (!this.#current) {
      this.#showStart([]);
      void this.#showExamples(corpus ?? this.#corpora[0]!.name);
    }
    this.#form!.focus();
  }

  #showStart(examples: readonly string[]): void {
    const chosen = (question: string): void => {
      this.#form!.write({ question });
      this.#submitted();
    };
    this.#start.replaceChildren(...startOf(this.#corpora, examples, chosen));
    this.#start.hidden = false;
  }

  /** Several corpora as one have no passages to list: no examples then. */
  async #showExamples(corpus: string): Promise<void> {
    const sample = await this.source
      .sample(corpus, new AbortController().signal)
      .catch(() => undefined);
    if (sample && !this.#current && !this.#start.hidden) this.#showStart(examplesOf(sample));
  }

  #submitted(): void {
    const query = this.#form!.read();
    if (!query) return;
    history.pushState(null, '', hashOf(query));
    void this.#ask(query);
  }

  /** `versus`: the time of a link that this is compared with. */
  #ask(query: Query, versus?: string): Promise<void> {
    return this.#guard(
      (signal) => this.#load(query, signal, versus),
      () => this.#ask(query, versus),
    );
  }

  async #load(query: Query, signal: AbortSignal, versus?: string): Promise<void> {
    const old = this.#current;
    const isNew =
      !old ||
      (['question', 'corpus', 'system', 'k'] as const).some(
        (name) => old.query[name] !== query[name],
      );
    const compared =
      versus === undefined
        ? undefined
        : await this.source.ask({ ...query, askedAt: versus }, signal);
    const reply = await this.source.ask(query, signal);
    const unlimited = isNew ? await this.source.unlimited(query, reply, signal) : old.unlimited;
    if (signal.aborted) return;
    const askedAt = askedAtOf(reply.result);
    const isOutside = old && (askedAt < old.span.from || askedAt > old.span.to);
    const current = { ...reply, query, unlimited, span: { from: 0, to: 0 } };
    current.span = isNew || isOutside ? this.#spanFor(current) : old.span;
    this.#current = current;
    if (isNew) {
      this.#view.reset();
      this.#versus = undefined;
    }
    if (compared)
      this.#versus = { result: compared.result, rows: this.#rows({ ...current, ...compared }) };
    this.#draw();
  }

  #corpus(): CorpusRecord | undefined {
    const name = this.#current?.query.corpus;
    return this.#corpora.find((each) => each.name === name) ?? this.#corpora[0];
  }

  #rows({ result, unlimited }: Current): Row[] {
    return rowsOf(result, unlimited, this.#corpus()?.time_zone);
  }

  /** Compares other times with the present one, or ends that. */
  #pin(): void {
    const current = this.#current;
    if (!current) return;
    this.#versus = this.#versus ? undefined : { result: current.result, rows: this.#rows(current) };
    if (this.#form) history.replaceState(null, '', this.#linkOf(current.query));
    this.#draw();
  }

  #linkOf(query: Query): string {
    return hashOf({ ...query, versus: this.#versus?.result.asked_at });
  }

  #spanFor(current: Current): Span {
    const window = windowOf(current.result);
    const askedAt = askedAtOf(current.result);
    const named = [askedAt, window?.from ?? null, window?.to ?? null];
    const corpus = this.#corpus();
    const asked = [askedAt, ...(this.source.stops ?? [])];
    if (this.#zoomed !== 'corpus' || !corpus) {
      const rows = this.#rows(current);
      const near = this.#zoomed === 'near' ? nearRows(rows) : undefined;
      return near ? domainOf(near, named) : domainOf(rows, [...named, ...asked]);
    }
    const { published, valid } = corpus.spans ?? {};
    const ends = [published, valid].flatMap((each) => [each?.start_iso, each?.end_iso]);
    return spanOf([...ends.flatMap((each) => (each ? [Date.parse(each)] : [])), ...asked]);
  }

  #zoom(zoomed: Zoom): void {
    this.#zoomed = zoomed;
    if (!this.#current) return;
    this.#current.span = this.#spanFor(this.#current);
    this.#draw();
  }

  #draw(): void {
    const current = this.#current!;
    const { result, timeline, span, query } = current;
    const rows = this.#rows(current);
    const zone = this.#corpus()?.time_zone;
    this.#start.hidden = true;
    this.#form?.write({ ...query, askedAt: query.askedAt });
    document.title = `${result.question} – asof`;
    this.#view.draw({
      result,
      rows,
      entries: timeline?.entries ?? [],
      span,
      changes: changesOf(rows),
      stops: this.source.stops,
      timeZone: zone,
      versus: this.#versus,
      link: this.#form && this.#linkOf({ ...query, askedAt: result.asked_at }),
    });
    this.#status.textContent = statusWords(result, rows);
  }

  /** The slider: the line at once, the result when it rests. */
  #moved(instant: number): void {
    if (!this.#current) return;
    this.#view.preview(instant);
    const query = { ...this.#current.query, askedAt: new Date(instant).toISOString() };
    if (this.#form) history.replaceState(null, '', this.#linkOf(query));
    clearTimeout(this.#timer);
    this.#flight?.abort();
    this.#timer = setTimeout(() => void this.#ask(query), this.source.stops ? 0 : patience);
  }

  /** Runs a step, shows its error, and counts it only while no other began. */
  async #guard(
    step: (signal: AbortSignal) => Promise<void>,
    again: () => Promise<void>,
  ): Promise<void> {
    clearTimeout(this.#timer);
    this.#flight?.abort();
    const flight = new AbortController();
    this.#flight = flight;
    this.#view.busy(true);
    this.#loading.hidden = this.#current !== undefined;
    try {
      await step(flight.signal);
      if (this.#flight === flight) this.#fault.replaceChildren();
    } catch (fault) {
      if (!flight.signal.aborted) this.#failed(fault, again);
    } finally {
      if (this.#flight === flight) {
        this.#view.busy(false);
        this.#loading.hidden = true;
      }
    }
  }

  #failed(fault: unknown, again?: () => Promise<void>): void {
    const words = fault instanceof Error ? fault.message : String(fault);
    const wantsToken = again && fault instanceof ApiError && fault.status === 401;
    const form =
      wantsToken &&
      tokenForm((token) => {
        storeToken(token);
        void again();
      });
    this.#fault.replaceChildren(h('p', {}, words), ...(form ? [form] : []));
    if (form) form.querySelector('input')?.focus();
  }
}

function statusWords(result: ResultRecord, rows: readonly Row[]): string {
  const asked = askedWords(askedAtOf(result), result.time_zone);
  const count = (state: Row['state']): number => rows.filter((row) => row.state === state).length;
  const others = [
    count('superseded') > 0 && `${count('superseded')} superseded`,
    count('later') > 0 && `${count('later')} not yet published`,
  ].filter((each) => each !== false);
  const passages = [`${count('evidence')} passages`, ...others].join(', ');
  return `${result.answer ?? 'No answer'}, as of ${asked}. ${passages}.`;
}
