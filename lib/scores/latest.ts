// Of statements that answer equally well the one published last is in force: versions of a forecast, a count restated. A
// stage for the top of a ranking; it compares no values (that is arbitration's work) and drops nothing.
import type { Candidate, Candidates } from '../candidates/candidate.js';
import { stage, type Stage } from '../stage.js';
import { publishedOf } from '../store/rowTimes.js';

/**
 * Among the leading candidates whose score is at least `equal` times the best, the later published come first; those without a
 * date keep their places. Scores stay as they are, but for being raised to stay in order.
 */
export function latestOfEquals(equal = 0.9): Stage<Candidates, Candidates> {
  return stage(`latestOfEquals(${equal})`, ({ asked, found }) => {
    const { condition } = asked.parsed.constraint;
    if (condition === 'first' || condition === 'earliest' || found.length < 2) return { asked, found };
    const best = found[0]!.score;
    const leading = found.filter(({ score }) => score >= best * equal);
    const published = ({ segment, row }: Candidate): number => publishedOf(asked.snapshot.segments[segment]!.segment, row);
    const dated = leading.map((each) => ({ each, at: published(each) })).filter(({ at }) => !Number.isNaN(at));
    const latestFirst = [...dated].sort((a, b) => b.at - a.at).map(({ each }) => each); // stable: equal dates keep their order
    const places = new Map(dated.map(({ each }, i) => [each, latestFirst[i]!]));
    const order = found.map((each) => places.get(each) ?? each);
    let floor = -Infinity;
    for (const each of [...order].reverse()) {
      floor = Math.max(floor, each.score);
      if (each.score < floor) each.scores = { ...each.scores, beforeLatest: each.score };
      each.score = floor;
    }
    return { asked, found: order };
  });
}
