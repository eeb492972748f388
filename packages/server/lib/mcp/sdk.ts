// The protocol's official SDK, an optional peer dependency.
import { importPeer } from 'asof/kit';

export type Sdk = typeof import('@modelcontextprotocol/server');
export type StdioSdk = typeof import('@modelcontextprotocol/server/stdio');

const name = '@modelcontextprotocol/server';
const purpose = "to serve agents' tools";
const remedy = `Install it next to asof: npm install ${name}@2.`;

/** @throws AsOfError ERR_NATIVE_UNAVAILABLE where it is not installed. */
export const loadSdk = (): Promise<Sdk> => importPeer<Sdk>(name, purpose, remedy);

export const loadStdio = (): Promise<StdioSdk> =>
  importPeer<StdioSdk>(`${name}/stdio`, purpose, remedy);
