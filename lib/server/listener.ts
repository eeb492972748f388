// A socket that listens: HTTP by srvx, with the limits of slow clients and an orderly end.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { serve } from 'srvx/node';
import { AsOfError, invalidArgument } from '../errors.js';

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

/** @throws AsOfError ERR_INVALID_ARGUMENT for a port or host that cannot be had */
export async function listen(
  respond: (request: Request) => Promise<Response>,
  { port, host, seconds }: { port: number; host: string; seconds: number },
): Promise<Listener> {
  const headersTimeout = Math.max(1, Math.min(headerSeconds, seconds)) * 1000;
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
