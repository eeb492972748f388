// Judgments of questions about one place: passages that name a day in passing.
import { american, british, yearOf } from '../dates.js';
import type { FamilyPassage } from '../family.js';
import { graded, type Grades } from '../questions.js';
import type { Zone } from './data.js';
import type { Facts } from './passages.js';

export class Judging {
  readonly news: FamilyPassage[];
  private readonly byPlace = new Map<string, FamilyPassage[]>();

  constructor(
    readonly facts: Facts,
    passages: FamilyPassage[],
  ) {
    for (const passage of passages)
      for (const entity of passage.entities ?? [])
        this.byPlace.set(entity, [...(this.byPlace.get(entity) ?? []), passage]);
    this.news = passages.filter(({ title }) => title?.startsWith('tz database') === true);
  }

  /** Passages that name a day of a place in passing: others of the place, and release notes. */
  passing(zone: Zone, day: string): Grades {
    const forms = [british(day), american(day), day];
    const short = new RegExp(`\\b${day.slice(5)}\\b`);
    const told = (this.byPlace.get(zone.place) ?? []).filter(({ text }) =>
      forms.some((form) => text.includes(form)),
    );
    const noted = this.news.filter(
      ({ text, published_at: published, entities }) =>
        entities?.includes(zone.place) &&
        (forms.some((form) => text.includes(form)) ||
          (short.test(text) && Math.abs(yearOf(published!) - yearOf(day)) < 2)),
    );
    return graded(
      1,
      [...told, ...noted].map(({ id }) => id),
    );
  }
}
