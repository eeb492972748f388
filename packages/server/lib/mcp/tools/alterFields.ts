// Tool alter_fields: the fields of a corpus that filters name, of a server that may write.
import type { Fields } from 'asof';
import { alterFields, fieldChanges, type FieldChanges } from '../../http/patches.js';
import { anything, open } from '../schemas.js';
import type { Tool } from '../tool.js';

export const alterFieldsTool: Tool<FieldChanges> = {
  name: 'alter_fields',
  title: 'Change fields',
  description:
    'Adds, renames and drops fields: the entries of metadata that filters, orders and counts can ' +
    'name. A field that is added has what the passages have of its name already. All in one ' +
    'commit, which writes the whole corpus anew: change them together, and seldom.',
  writes: true,
  input: fieldChanges,
  output: open({ fields: { ...anything, description: 'All fields by now, with their types.' } }),
  async run(changes, { name, corpus, signal }) {
    const fields: Fields = await alterFields(name, corpus, changes, signal);
    const shown = Object.entries(fields).map(([field, type]) => `${field} (${type})`);
    return { structured: { fields }, text: `Fields: ${shown.join(', ') || 'none'}.` };
  },
};
