// Server-sent events of an HTTP response (WHATWG HTML, section 9.2).

/** More than this in one event, or without an end of a line, is no answer of a model. */
const maxUnits = 4 * 1024 * 1024;

export class EventTooLong extends Error {}

/**
 * The data of each event. Other fields, comments and an event that breaks off are skipped.
 * @throws EventTooLong; what the body throws
 */
export async function* serverSentEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line[5] === ' ' ? 6 : 5));
    }
  }
}

/** Lines that end in LF, CR or both. */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    // A CR at the end may be half of an end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    text = lines.pop()!;
    yield* lines;
    if (text.length > maxUnits) throw new EventTooLong(`an event of more than ${maxUnits} units`);
  }
  if (text.endsWith('\r')) yield text.slice(0, -1);
}
