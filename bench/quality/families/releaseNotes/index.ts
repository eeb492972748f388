// The release notes of SQLite and of PostgreSQL 15 as written, with questions about changes,
// releases and settings.
import type { FamilyDefinition } from '../family.js';
import { readEntries } from './data.js';
import { questionsOf } from './questions.js';
import { lastDay } from './series.js';

export const releaseNotes: FamilyDefinition = {
  name: 'releaseNotes',
  description: 'the entries of the release notes of SQLite and of PostgreSQL 15',
  sources: [
    { registry: 'Debian', package: 'sqlite3-doc', license: 'public domain' },
    { registry: 'Debian', package: 'postgresql-doc-15', license: 'PostgreSQL' },
  ],
  build(folders, random) {
    const entries = readEntries(folders).filter((entry) => entry.published_at <= lastDay);
    const questions = questionsOf(entries, random);
    const passages = entries.map(({ product: _, version: __, ...passage }) => passage);
    return { passages, questions };
  },
};
