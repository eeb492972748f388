// The page of one question, with its results as of other times, as a file that asks no server.
export { questionMoments, type MomentQuestion } from './questionMoments.js';
export { questionPage } from './questionPage.js';
export type { QuestionPageData } from './pageData.js';
