// A proxy that gives a PostgreSQL server TLS, with certificates that the program openssl makes.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';

export interface Certificate {
  /** Of the certificate, which is its own CA, and of its key. */
  file: string;
  key: string;
}

/** A certificate of the host `localhost`; undefined where there is no openssl. */
export function certificateIn(folder: string, name: string): Certificate | undefined {
  const [file, key] = [join(folder, `${name}.pem`), join(folder, `${name}.key`)];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', file];
  const args = ['req', '-x509', '-days', '2', ...kind, ...subject, ...files];
  return spawnSync('openssl', args, { stdio: 'ignore' }).status === 0 ? { file, key } : undefined;
}

export class TlsProxy {
  /** Connections with TLS so far. */
  encrypted = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  /** Listens on 127.0.0.1 in front of the server of a port. */
  static async start(port: number, { file, key }: Certificate): Promise<TlsProxy> {
    const secureContext = createSecureContext({ cert: readFileSync(file), key: readFileSync(key) });
    const server = createServer((raw) => {
      proxy.#watch(raw);
      raw.once('data', () => {
        raw.write('S'); // to SSLRequest
        const secured = new TLSSocket(raw, { isServer: true, secureContext });
        secured.once('secure', () => (proxy.encrypted += 1));
        secured.on('error', () => raw.destroy());
        const behind = proxy.#watch(connect(port, '127.0.0.1'));
        secured.pipe(behind).pipe(secured);
      });
    });
    const proxy = new TlsProxy(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #watch(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
    return socket;
  }
}
