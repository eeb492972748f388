// URLs of servers as they are printed: without the user and the password that they may hold.

const scheme = '(?:postgres(?:ql)?|opensearch)';
const isUrl = new RegExp(`^${scheme}://`);

/** Whether a text names servers of PostgreSQL. */
export const isPostgres = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text);

/** Whether a text names servers rather than a folder. */
export const isServer = (text: string): boolean => isUrl.test(text);

const nextUrl = new RegExp(`,(?=\\s*${scheme}://)`);

/** The URLs of a text, which may have several between commas. */
export const serverUrls = (text: string): string[] =>
  text.split(nextUrl).map((each) => each.trim());

/** Where a corpus is, for people: the path of a folder, or the servers and databases of URLs. */
export function shownCorpus(text: string): string {
  if (!isServer(text)) return text;
  const places = serverUrls(text).map((each) => {
    const kind = isPostgres(each) ? 'postgres' : 'opensearch';
    if (!URL.canParse(each)) return `${kind}://...`;
    const { host, pathname } = new URL(each);
    return `${kind}://${host}${pathname}`;
  });
  return places.join(',');
}

/** User and password before the last @ of a URL, also of one that is no URL or became a path. */
const credentials = new RegExp(`(${scheme}:/+)(?:(?!${scheme}:/)\\S)*@`, 'g');
const parameters = /([?&](?:user|password)=)[^&\s,"']*/g;
const anyUrl = new RegExp(`${scheme}://`);

/** A message without the credentials of URLs in it; `args` are those of the command line. */
export function withoutCredentials(message: string, args: readonly string[] = []): string {
  let text = message;
  for (const each of args) {
    const at = each.search(anyUrl);
    if (at < 0) continue;
    const url = each.slice(at);
    for (const form of [url, JSON.stringify(url).slice(1, -1)])
      text = text.replaceAll(form, shownCorpus(url));
  }
  return text.replace(credentials, '$1').replace(parameters, '$1...');
}
