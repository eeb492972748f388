// Corpus in PostgreSQL: passages over one server or several, by the hash of their ids. Every system
// runs on it: the first stage in SQL, the others over what it fetched.
import { createHash } from 'node:crypto';
import { invalidArgument, mustBeWhole } from '../errors.js';
import type { Segment } from '../../binding.js';
import type { Passage, RunOptions, StoredPassage } from '../records.js';
import { closingController, withLinkedSignal } from '../runtime/cancellation.js';
import type { AddOptions } from '../store/corpusOptions.js';
import { temporaryColumns, type DerivedColumnSpec } from '../store/derived/derivedColumn.js';
import type { Fields } from '../store/fields/types.js';
import { compileWhere, type Where } from '../store/fields/where.js';
import type { Manifest } from '../store/format/manifest.js';
import { OpenSegments } from '../store/format/openSegments.js';
import type { SearchableCorpus } from '../store/joinedCorpora.js';
import { addInBatches, checkAddArguments } from '../store/passages/passageBatches.js';
import { passageRules, type PreparedPassage } from '../store/passages/passages.js';
import { QuestionQueue } from '../store/questionQueue.js';
import { checkIds } from '../store/views/reading.js';
import type { Snapshot } from '../store/views/snapshot.js';
import { closedError } from '../store/writing/writerLease.js';
import type { Encoder, NamedEncoder } from '../vectors/encoder.js';
import { canEncode, withEncode } from '../vectors/encoder.js';
import { Shard } from './connection.js';
import { FetchedSnapshot, type RemoteSource, type RemoteView } from './fetchedSnapshot.js';
import { collectionStatistics, countPassages, rankPlan, type PlanContext } from './rank.js';
import { getRecords, readPassages } from './read.js';
import { openSchema } from './schema.js';
import { addPassages, deletePassages } from './write.js';
