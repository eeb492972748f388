// Options of judgements of time and versions, for `asof eval` and `asof metrics`.
import type { OptionSpec } from 'asof/command';

export const auxiliaryJudgementOptions: Readonly<Record<string, OptionSpec>> = {
  judgements: {
    value: 'J.jsonl',
    group: 'evaluation',
    help: 'temporal judgements of asof judge, for tp@k tr@k tc@k ndcg_fc@k',
  },
  judge: {
    value: 'ID',
    group: 'evaluation',
    help: 'only the judgements of this judge (field "by")',
  },
  tempo: {
    value: 'paper|code',
    group: 'evaluation',
    help: "TEMPO's metrics as its paper defines (default) or its code computes them",
  },
  outdated: {
    value: 'R',
    group: 'evaluation',
    help: 'superseded passages of each query, as qrels, for outdated@k current@k clean@k',
  },
  future: {
    value: 'R',
    group: 'evaluation',
    help: "passages after each query's time, as qrels, for future@k clean@k",
  },
  facts: {
    value: 'F',
    group: 'evaluation',
    help: 'facts of each query, a line "query fact document grade", for all@k',
  },
};
