// Entry of the page of a question: with embedded data it is static and asks nobody, without it
// talks to the server that it came from.
import type { QuestionPageData } from '../http/pageData.js';
import { App } from './app.js';
import { liveSource, staticSource } from './source.js';

const data = JSON.parse(
  document.getElementById('page-data')!.textContent,
) as QuestionPageData | null;
const root = document.getElementById('question')!;
const app = data
  ? new App(root, staticSource(data), data.unlimited.question)
  : new App(root, liveSource());
void app.start();
