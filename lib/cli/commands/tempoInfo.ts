// asof tempo info: what a folder with TEMPO's data holds, after checking that it holds together. It measures nothing.
import { listOption, type Command } from '../command.js';
import { counted, table } from '../layout.js';

export const command: Command = {
  name: 'tempo info',
  summary: "Checks a folder with TEMPO's data and says what it holds, by domain and class.",
  positionals: ['DIR'],
  options: { domains: { type: 'string', value: 'D,...', multiple: true, help: 'only these domains; default all of the folder' } },
  details: 'A file that cannot be read, a missing column, an id that is there twice and a gold id that is no document are errors (exit code 1).',
  async run(invocation) {
    const { annotatedClasses, classCounts, readTempo } = await import('../../index.js');
    const { terminal, signal } = invocation;
    const named = listOption(invocation, 'domains');
    const data = await readTempo(invocation.positionals[0]!, { signal, ...(named ? { domains: named } : {}) });
    const domains = data.domains.map(({ name, queries, documentCount, stepsWithoutGold }) => {
      const total = (of: (query: (typeof queries)[number]) => number): number => queries.reduce((sum, query) => sum + of(query), 0);
      const stepped = queries.filter(({ steps }) => steps.length > 0).length;
      return {
        name, queries: queries.length, documents: documentCount!, relevant: total(({ relevant }) => relevant.length),
        steps: total(({ steps }) => steps.length),
        queries_with_steps: stepped, steps_without_gold: stepsWithoutGold, excluded: total(({ excluded }) => excluded.length),
        negatives: total(({ negatives }) => negatives.length), temporal: total(({ annotation }) => (annotation?.isTemporal ? 1 : 0)),
        annotated: total(({ annotation }) => (annotation ? 1 : 0)), annotated_passages: total(({ passageAnnotations }) => passageAnnotations.length),
      };
    });
    const [reported, annotated] = [classCounts(data), classCounts(data, 'annotated')];
    const unknown = Object.keys(annotated).filter((name) => name !== 'none' && !(annotatedClasses as readonly string[]).includes(name));
    if (terminal.json) {
      await terminal.printJson({ folder: data.folder, domains, classes: reported, annotated_classes: annotated, reasonings: data.reasonings });
      return;
    }
    const mean = (part: number, of: number): string => (of === 0 ? '-' : (part / of).toFixed(2));
    const head = ['domain', 'queries', 'documents', 'gold', 'steps', 'temporal', 'excluded', 'negatives'].map((cell) => terminal.style(cell, 'bold'));
    const body = domains.map((each) => [
      each.name, String(each.queries), String(each.documents), mean(each.relevant, each.queries), mean(each.steps, each.queries_with_steps),
      String(each.temporal), String(each.excluded), String(each.negatives),
    ]);
    const classes = Object.entries(reported).map(([name, count]) => `${name} ${count}`).join(', ');
    const without = domains.reduce((sum, each) => sum + each.steps_without_gold, 0);
    await terminal.print([
      table([head, ...body]), 'gold and steps are means, of the queries and of those that have steps\n', `classes: ${classes}\n`,
      ...(unknown.length > 0 ? [`classes that the prompt does not have, counted as OTH: ${unknown.join(', ')}\n`] : []),
      ...(without > 0 ? [`${counted(without, 'step', 'steps')} without gold documents left out\n`] : []),
      ...(data.reasonings.length > 0 ? [`reworded queries (--reasoning): ${data.reasonings.join(', ')}\n`] : []),
    ].join(''));
  },
};
