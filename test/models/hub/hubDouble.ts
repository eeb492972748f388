// A hub on the loopback with the real one's layout and manners: `/{id}/resolve/{revision}/{file}`,
// small files from itself under git's name of them, large ones by a redirect to another server, and
// faults on demand. No test reaches the real one.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HubRequest {
  url: string;
  range: string | undefined;
  authorization: string | undefined;
}

/** What goes wrong with an answer; nothing said means nothing does. */
export interface Fault {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Bytes after which the connection is cut. */
  cutAfter?: number;
  /** Bytes after which nothing more comes. */
  silentAfter?: number;
}

export class HubDouble {
  /** Of revisions; a repository has all its files in each. */
  commits: Record<string, string> = { main: '1111111111111111111111111111111111111111' };
  readonly asked: HubRequest[] = [];
  /** The fault of a request, if it has one. */
  fault: (file: string, range: string | undefined) => Fault | undefined = () => undefined;
  /** Bytes from which a file lies on the other server. */
  large = 1000;
  /** False: the server says only what any web server does, and sends whole files. */
  manners = true;
  /** The token that is needed. */
  token: string | undefined;
  /** Milliseconds between chunks of the other server. */
  pace = 0;
  private readonly servers: Server[];
  private readonly ports: number[] = [];
  private readonly known = new Set<string>();

  private constructor(readonly files: Record<string, Buffer>) {
    this.servers = [
      createServer((request, response) => void this.answer(request, response)),
      createServer((request, response) => void this.far(request, response)),
    ];
  }

  static async open(files: Record<string, Buffer | string>): Promise<HubDouble> {
    const hub = new HubDouble(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [name, Buffer.from(content)]),
      ),
    );
    for (const server of hub.servers) {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      hub.ports.push((server.address() as AddressInfo).port);
    }
    return hub;
  }

  get url(): string {
    return this.urlOf(0);
  }

  async close(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  private urlOf(server: 0 | 1): string {
    return `http://127.0.0.1:${this.ports[server]}`;
  }

  private isLarge(file: string): boolean {
    return this.manners && (this.files[file]?.length ?? 0) >= this.large;
  }

  private note({ url, headers }: IncomingMessage): void {
    this.asked.push({ url: url!, range: headers.range, authorization: headers.authorization });
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.note(request);
    const [, , name, word, revision, ...path] = request.url!.split('/').map(decodeURIComponent) as [
      string,
      string,
      string,
      string,
      string,
      ...string[],
    ];
    const file = path.join('/');
    const fault = this.fault(file, request.headers.range);
    if (fault?.status !== undefined)
      return void response.writeHead(fault.status, fault.headers).end(fault.body);
    if (this.token !== undefined && request.headers.authorization !== `Bearer ${this.token}`) {
      return void response.writeHead(401, { 'x-error-code': 'GatedRepo' }).end();
    }
    for (const each of Object.values(this.commits)) this.known.add(each);
    const commit = this.commits[revision] ?? (this.known.has(revision) ? revision : undefined);
    if (word !== 'resolve' || name !== 'some-model')
      return void response.writeHead(404, { 'x-error-code': 'RepoNotFound' }).end('no such model');
    if (commit === undefined)
      return void response.writeHead(404, { 'x-error-code': 'RevisionNotFound' }).end();
    const manners: Record<string, string> = this.manners ? { 'x-repo-commit': commit } : {};
    const content = this.files[file];
    if (content === undefined) {
      return void response
        .writeHead(404, this.manners ? { ...manners, 'x-error-code': 'EntryNotFound' } : {})
        .end('<html>nothing here</html>');
    }
    if (this.isLarge(file)) {
      const linked = {
        'x-linked-etag': `"${createHash('sha256').update(content).digest('hex')}"`,
        'x-linked-size': String(content.length),
      };
      return void response
        .writeHead(302, { ...manners, ...linked, location: `${this.urlOf(1)}/far/${file}` })
        .end('Found');
    }
    const git = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
    await this.send(
      request,
      response,
      content,
      { ...manners, ...(this.manners ? { etag: `"${git}"` } : {}) },
      fault,
    );
  }

  private async far(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.note(request);
    const file = request.url!.replace('/far/', '');
    const fault = this.fault(file, request.headers.range);
    if (fault?.status !== undefined)
      return void response.writeHead(fault.status, fault.headers).end(fault.body);
    await this.send(request, response, this.files[file]!, { etag: '"of-the-other-server"' }, fault);
  }

  private async send(
    request: IncomingMessage,
    response: ServerResponse,
    whole: Buffer,
    headers: Record<string, string>,
    fault: Fault | undefined,
  ): Promise<void> {
    const content = fault?.body === undefined ? whole : Buffer.from(fault.body);
    const from = this.manners
      ? Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
      : 0;
    if (from >= content.length && from > 0) return void response.writeHead(416).end();
    const range: Record<string, string> =
      from > 0 ? { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` } : {};
    response.writeHead(from > 0 ? 206 : 200, {
      ...headers,
      ...range,
      'content-length': String(content.length - from),
      ...fault?.headers,
    });
    const end = Math.min(
      content.length,
      from + (fault?.cutAfter ?? fault?.silentAfter ?? Infinity),
    );
    for (let at = from; at < end; at += 4096) {
      response.write(content.subarray(at, Math.min(end, at + 4096)));
      await new Promise((resolve) => setTimeout(resolve, this.pace));
    }
    if (fault?.silentAfter !== undefined) return;
    if (fault?.cutAfter !== undefined) response.destroy();
    else response.end();
  }
}
