// A socket that listens: HTTP by srvx, with the limits of slow clients and an orderly end.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { serve } from 'srvx/node';
import { AsOfError } from 'asof';
import { invalidArgument } from 'asof/kit';

/** Longest time in which the headers of a request arrive, in seconds. */
const headerSeconds = 10;
/**
 * An idle connection stays open longer than the 60 seconds of common proxies, which would otherwise
 * send a request into one that just closes.
 */
const keepAliveSeconds = 65;
/** A connection without any byte for so long has gone, in seconds. */
const idleSeconds = 600;

export interface Listener {
  url: string;
  port: number;
  /** Accepts nothing more; connections end as their requests do, or after `seconds`. */
  close(seconds: number): Promise<void>;
}

export interface ListenOptions {
  port: number;
  host: string;
  limits: { seconds: number; connections: number };
  counts: ConnectionCounts;
  /** Ends the request that has waited longest for its client, if there is one. */
  makeRoom(): boolean;
}

export interface ConnectionCounts {
  open: number;
  /** Closed to make room for others. */
  dropped: number;
}

/** @throws AsOfError ERR_INVALID_ARGUMENT for a port or host that cannot be had */
export async function listen(
  respond: (request: Request) => Promise<Response>,
  { port, host, limits, counts, makeRoom }: ListenOptions,
): Promise<Listener> {
  const headersTimeout = Math.max(1, Math.min(headerSeconds, limits.seconds)) * 1000;
  const server = serve({
    fetch: respond,
    port,
    hostname: host,
    manual: true,
    silent: true,
    gracefulShutdown: false, // signals belong to the program that serves
    node: {
      headersTimeout,
      keepAliveTimeout: keepAliveSeconds * 1000,
      connectionsCheckingInterval: headersTimeout / 4,
      // Bodies have limits of their own: passages are streamed for as long as they come.
      requestTimeout: 0,
    },
  });
  const http = server.node!.server as Server;
  http.setTimeout(idleSeconds * 1000);
  limitConnections(http, { most: limits.connections, counts, makeRoom });
  try {
    await server.serve();
  } catch (cause) {
    throw refusal(cause as NodeJS.ErrnoException, port, host);
  }
  const address = http.address() as AddressInfo;
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${shown}:${address.port}`,
    port: address.port,
    close: (most) => close(http, most),
  };
}

/**
 * Closes the connection that has been idle longest when there are too many, so that those which
 * strangers hold keep nobody out; where all have requests that run, that of the slowest client, or
 * the new one.
 */
function limitConnections(
  http: Server,
  { most, counts, makeRoom }: Pick<ListenOptions, 'counts' | 'makeRoom'> & { most: number },
): void {
  const open = new Set<Socket>();
  // Those without a request that runs, the longest idle first.
  const idle = new Set<Socket>();
  const forget = (socket: Socket): void => {
    if (open.delete(socket)) counts.open -= 1;
    idle.delete(socket);
  };
  http.on('connection', (socket: Socket) => {
    if (open.size >= most) {
      counts.dropped += 1;
      const longest = idle.values().next().value;
      if (longest) {
        forget(longest);
        longest.destroy();
      } else if (!makeRoom()) {
        socket.destroy();
        return;
      }
    }
    open.add(socket);
    idle.add(socket);
    counts.open += 1;
    socket.once('close', () => forget(socket));
  });
  const running = new WeakMap<Socket, number>();
  http.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    running.set(socket, (running.get(socket) ?? 0) + 1);
    idle.delete(socket);
    response.once('close', () => {
      const left = running.get(socket)! - 1;
      running.set(socket, left);
      if (left === 0 && open.has(socket)) idle.add(socket);
    });
  });
}

async function close(http: Server, seconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => void http.close(() => resolve()));
  const deadline = performance.now() + seconds * 1000;
  // Kept-alive connections become idle as their answers end.
  for (let isOpen = true; isOpen && performance.now() < deadline; ) {
    http.closeIdleConnections();
    isOpen = await Promise.race([closed.then(() => false), wait(20, true)]);
  }
  http.closeAllConnections();
  await closed;
}

function refusal(cause: NodeJS.ErrnoException, port: number, host: string): AsOfError {
  if (cause.code === 'EADDRINUSE')
    return invalidArgument(
      'port',
      `a free port of ${host}`,
      port,
      'Another program listens there. Choose another one, or 0 for one that is free.',
    );
  const what = `host ${host}, port ${port}`;
  return new AsOfError(
    'ERR_INVALID_ARGUMENT',
    `Expected to listen on ${what}, the system refused: ${cause.message}. ` +
      'Choose an address of this machine and a port from 1024.',
    { cause, details: { argument: cause.code === 'EACCES' ? 'port' : 'host' } },
  );
}
