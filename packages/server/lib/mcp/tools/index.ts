// All tools of a server, in the order of their list.
import type { Tool, ToolWords } from '../tool.js';
import { addTool } from './add.js';
import { alterFieldsTool } from './alterFields.js';
import { deleteTool, getTool, listTool } from './passages.js';
import { readTimeTool } from './readTime.js';
import { searchTool } from './search.js';
import { timelineTool } from './timeline.js';
import { updateTool } from './update.js';

/** Each gets arguments that its schema lets pass. */
export const toolsOf = (words: ToolWords): readonly Tool<never>[] => [
  searchTool(words),
  timelineTool(words),
  readTimeTool,
  getTool,
  listTool(words),
  addTool,
  updateTool(words),
  deleteTool,
  alterFieldsTool,
];

/** Names of those that change a corpus. */
export const writers: readonly string[] = toolsOf({ systems: [], where: {} })
  .filter(({ writes }) => writes)
  .map(({ name }) => name);
