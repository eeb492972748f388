// Definition of `asof bench-data re2`.
import type { Command } from '../command.js';
import { modelOptions } from '../options/model.js';

export const command: Command = {
  name: 'bench-data re2',
  summary:
    'Makes a test collection of conflicting versions and hard negatives from structured records.',
  positionals: [],
  options: {
    records: {
      type: 'string',
      value: 'FILE',
      required: true,
      help: '.csv or .tsv with a header row, or JSON lines',
    },
    schema: {
      type: 'string',
      value: 'FILE',
      required: true,
      help:
        'JSON {entity, date, published?, attribute?, attributes:[{column, name?, unit?, role?, ' +
        "cumulative?, told?}], style?, latest?}; or nyc-crashes, for New York's table of motor " +
        'vehicle collisions',
    },
    out: { type: 'string', value: 'DIR', required: true, help: 'output folder' },
    seed: { type: 'string', value: 'N', help: 'random seed, an integer, default 1' },
    questions: {
      type: 'string',
      value: 'N',
      help: 'at most N, sampled; default one for each fact',
    },
    latest: {
      type: 'string',
      value: 'P',
      help: 'share of questions for the latest value, without a date, 0 to 1, default 0.15',
    },
    pairs: {
      type: 'string',
      value: 'P',
      help: 'share of dated questions with two dates, 0 to 1, default 0; in no triplet',
    },
    masked: {
      type: 'string',
      value: 'P',
      help: 'share of passages with a partial date, 0 to 1, default 0.3',
    },
    dev: { type: 'string', value: 'P', help: 'share of entities for dev, 0 to 0.5, default 0.1' },
    test: {
      type: 'string',
      value: 'P',
      help: 'share of entities and of times for test, 0 to 0.5, default 0.2',
    },
    ...modelOptions,
  },
  details:
    'Columns may be combined: "entity": "{event} at {place}". style is weather, counts, scores, ' +
    'collisions or generic (default); weather needs a role of each attribute (conditions, high, ' +
    'low), and so do scores (winner, loser, score; without winner the entity wins) and ' +
    'collisions (injured, killed). Attributes with the ' +
    'same told are in one passage. latest is date (newest known date) or published (newest ' +
    'publication, as of forecasts).\n' +
    'out: passages.jsonl, queries-{train,dev,test}.jsonl, triplets-{train,dev,test}.jsonl, ' +
    'qrels.tsv, outdated.tsv, future.tsv, facts.tsv (passages of each fact), truth.jsonl.\n' +
    'Invalid lines are reported by file and line number and skipped.\n' +
    'With --model the model writes the texts; texts that contradict the record are replaced by ' +
    'rule-based ones.',
  example: 'asof bench-data re2 --records weather.csv --schema weather.json --out re2',
  failure: '1 failure or invalid lines',
};
