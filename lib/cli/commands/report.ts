// Definition of `asof report`.
import type { Command } from '../command.js';

export const command: Command = {
  name: 'report',
  summary: 'Writes the result of asof compare as one HTML page.',
  positionals: ['RESULT.json'],
  options: {
    out: {
      type: 'string',
      value: 'FILE.html',
      required: true,
      help: 'the HTML file; an existing one is overwritten',
    },
    questions: {
      type: 'string',
      value: 'N',
      help: 'questions of each set with their candidates, default 20, 0 for none',
    },
    title: { type: 'string', value: 'TEXT', help: 'heading; default: counts of systems and sets' },
  },
  details:
    'The page is self-contained: tables with significance and intervals, recall curves, ' +
    'scores by ' +
    "group, under perturbation and by date, the papers' tables, and questions with a timeline of " +
    'their candidates.',
  example: 'asof report result.json --out result.html',
};
