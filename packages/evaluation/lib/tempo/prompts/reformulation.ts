// Prompt for a query's reformulation (TEMPO section 6, appendix F.3): reasoning that is appended to
// the query.
export const reformulationSystem = `You help a search engine. You are given a question that turns on time. Do not answer it.
Say in plain sentences, in at most 150 words: what is really asked; which periods, dates and events evidence is needed of, early and late ones \
alike; and which names, terms and figures a document that helps would contain. Use the words that such documents use. No headings and no lists.`;

export const reformulationPrompt = (query: string): string =>
  `Question:\n${query.trim()}\n\nWhat would help:`;

/** Maximum number of generated tokens. */
export const reformulationTokens = 400;
