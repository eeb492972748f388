// Past tense in a question.

/** A finite past tense or a past participle. */
export const past =
  /\b(?:was|were|did|had|used to|(?!need|speed|feed|seed|breed|exceed|proceed|indeed|hundred|weed)[a-z]{2,}ed|beat|ran|led|held|won|got|became|came|went|made|took|built|wrote|sang|spoke|stood|sat|said|knew|gave|kept|left|lost|paid|sold|bought|drove|flew|wore|swam|sank|met|hired|been)\b/i;
