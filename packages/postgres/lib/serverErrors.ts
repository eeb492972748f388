// Errors of PostgreSQL and of connections to it in the library's form. They name the shard by host,
// port and database; what a server says of a login is not repeated, since it names the user.
import { AsOfError } from 'asof';

const lost = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  'EAI_AGAIN',
]);
lost.add('EHOSTUNREACH').add('ENETUNREACH').add('ENOENT'); // the last of a socket's path
/** What pg says where no server is at the other end, in errors without a code. */
const lostMessage = /^(?:Connection terminated|timeout expired|.*not queryable$)/;

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
};
const messageOf = (error: unknown): string =>
  error instanceof AggregateError && error.message === ''
    ? error.errors.map(messageOf).join('; ')
    : error instanceof Error
      ? error.message
      : String(error);

/** Whether the connection is gone, or there never was one. */
export function isConnectionLost(error: unknown): boolean {
  if (AsOfError.is(error) || isOfFile(error)) return false;
  const code = codeOf(error);
  if (code === '') return lostMessage.test(messageOf(error));
  // 08P01 is of messages that a server does not understand: of a fault, not of the connection.
  return lost.has(code) || /^(?:08(?!P01)|57P0[123]$)/.test(code);
}

/** Whether nothing answered for long, which to try again takes as long. */
export const isTimeout = (error: unknown): boolean =>
  codeOf(error) === 'ETIMEDOUT' || messageOf(error) === 'timeout expired';

export const noAnswer = (limitMs: number, cause: unknown): Error =>
  Object.assign(new Error(`no answer for ${limitMs} ms`, { cause }), { code: 'ETIMEDOUT' });

/** Whether an error of the library says that a shard cannot be reached. */
export const isUnreachable = (error: unknown): boolean =>
  AsOfError.is(error) && error.code === 'ERR_STORAGE' && isConnectionLost(error.cause);

/** Of reading the files of certificates. */
const isOfFile = (error: unknown): boolean =>
  (error as { syscall?: unknown } | null)?.syscall === 'open';
/** Of OpenSSL and Node.js: CERT_HAS_EXPIRED, SELF_SIGNED_CERT_IN_CHAIN, ERR_TLS_... */
const isOfTls = (code: string): boolean =>
  /CERT|^UNABLE_TO_|^ERR_(?:TLS|SSL|OSSL)|^HOSTNAME_MISMATCH$/.test(code);

/** Whether the transaction met another one and can be done again: serialization, deadlock, ids. */
export const isConflict = (error: unknown): boolean =>
  !AsOfError.is(error) && ['40001', '40P01', '23505'].includes(codeOf(error));

/** What was received and what to do, by the code of an error. */
function explained(error: unknown): { received: string; remedy: string; named?: true } {
  const code = codeOf(error);
  const said = `it answered: ${messageOf(error)}${code && ` (${code})`}`;
  if (isOfFile(error))
    return {
      received: `a file that its URL names cannot be read: ${messageOf(error)}`,
      remedy: 'Check sslrootcert, sslcert and sslkey.',
    };
  if (isOfTls(code))
    return {
      received: `TLS failed: ${messageOf(error)} (${code})`,
      remedy:
        'Name the file of the CA that signed its certificate by sslrootcert in the URL, and give ' +
        'the host as the certificate names it.',
    };
  if (code === '' && messageOf(error) === 'The server does not support SSL connections')
    return {
      received: 'it has no TLS, which sslmode of its URL asks for',
      remedy: 'Set ssl = on at the server, or leave out sslmode in a network that you trust.',
    };
  if (isConnectionLost(error))
    return {
      received: `the connection failed: ${messageOf(error)}`,
      remedy: 'Check that the server runs and can be reached, then try again.',
    };
  if (/password must be a/.test(messageOf(error)))
    return {
      received: 'it asks for a password and there is none',
      remedy:
        'Set PGPASSWORD, or add a line for it to the passfile (~/.pgpass, readable by you alone).',
    };
  if (code.startsWith('28') || (code === '' && messageOf(error).startsWith('SASL')))
    return {
      received: `it refused the login${code && ` (${code})`}`,
      remedy: "Check the user, the password and TLS of the shard's URL, and pg_hba.conf.",
      named: true,
    };
  if (code === '3D000')
    return {
      received: 'it has no database of that name (3D000)', // of the user, where the URL has none
      remedy: 'Correct the database of the URL, or create it.',
      named: true,
    };
  if (code === '53300')
    return {
      received: 'it has no connection left (53300)',
      remedy: 'Lower poolSize, or raise max_connections.',
      named: true,
    };
  if (code === '57014')
    return {
      received: 'the statement was cancelled by its time limit or an administrator (57014)',
      remedy: 'Raise statementTimeoutMs, or ask for less.',
    };
  if (code === '55P03')
    return {
      received: 'another transaction holds the lock that it waited for (55P03)',
      remedy: 'Try again when writers are done.',
    };
  if (code === '42501')
    return { received: said, remedy: 'Grant the right, or have its owner create the schema.' };
  if (isConflict(error))
    return {
      received: `other writers changed the same passages again and again (${code})`,
      remedy: 'Add passages of an id from one process at a time.',
    };
  return { received: said, remedy: "See the server's log, and check its disk and memory." };
}

/** The error of work on a shard; errors of asof and of the caller's functions pass unchanged. */
export const serverError = (error: unknown, shard: string): unknown =>
  AsOfError.is(error) || (codeOf(error) === '' && !isConnectionLost(error))
    ? error
    : refusedBy(error, shard);

/** An error of the client or the server as the library's. */
export function refusedBy(error: unknown, shard: string): AsOfError {
  const { received, remedy, named } = explained(error);
  // Classes 22, 23 and 42 are of statements, which are asof's own.
  const isOurs = /^(?:22|23|42|0A|08P01)/.test(codeOf(error)) && !isConflict(error);
  const isFault = isOurs && codeOf(error) !== '42501';
  return new AsOfError(
    isFault ? 'ERR_INTERNAL' : 'ERR_STORAGE',
    `Expected PostgreSQL to serve ${shard}, ${received}. ${remedy}`,
    { ...(named ? {} : { cause: error }), details: { shard } },
  );
}

/** The error of a commit whose answer did not arrive. */
export const inDoubt = (cause: unknown, shard: string): AsOfError =>
  new AsOfError(
    'ERR_STORAGE',
    `Expected PostgreSQL to confirm a commit on ${shard}, the connection failed before it did: ` +
      `${messageOf(cause)}. Whether the write happened is unknown: write the same again, which ` +
      'changes nothing where it did.',
    { cause, details: { shard, outcome: 'unknown' } },
  );
