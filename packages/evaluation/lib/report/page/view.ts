// Selection shared by all sections: the measure and the hidden systems.
import type { ReportData } from '../reportData.js';

export class View {
  metric: string;
  readonly hidden = new Set<string>();
  readonly #listeners: (() => void)[] = [];

  constructor(readonly data: ReportData) {
    this.metric = data.comparison.metrics[0] ?? '';
  }

  /** Systems in the order of the result, without those hidden. */
  get systems(): string[] {
    return this.data.comparison.systems
      .map(({ name }) => name)
      .filter((name) => !this.hidden.has(name));
  }

  lowerIsBetter(metric: string): boolean {
    return this.data.comparison.lower_is_better.includes(metric);
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  choose(metric: string): void {
    this.metric = metric;
    this.#tell();
  }

  toggle(system: string): void {
    if (!this.hidden.delete(system)) this.hidden.add(system);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
