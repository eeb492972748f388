// Errors of OpenSearch and of requests to it in the library's form. They name hosts and the index;
// what the client keeps of a request, such as its headers, stays out of them.
import { AsOfError } from 'asof';

interface EngineFault {
  type?: string;
  reason?: string;
  caused_by?: EngineFault;
  root_cause?: EngineFault[];
}

/** What of an error of the client matters. */
export interface ClientFault {
  name?: string;
  message?: string;
  statusCode?: number | null;
  body?: { error?: EngineFault | string } | string | null;
}

export const statusOf = (error: unknown): number => (error as ClientFault | null)?.statusCode ?? 0;

/** Whether nothing answered, or a proxy in its place. */
export const isUnreachable = (error: unknown): boolean => {
  const { name = '' } = (error ?? {}) as ClientFault;
  return (
    ['ConnectionError', 'NoLivingConnectionsError', 'TimeoutError'].includes(name) ||
    [502, 503, 504].includes(statusOf(error))
  );
};

/** The reason of a fault, with those that led to it, at most 300 characters. */
export function reasonOf(fault: EngineFault | string | undefined): string {
  if (fault === undefined) return 'no reason';
  if (typeof fault === 'string') return fault.slice(0, 300);
  const all: string[] = [];
  const inner = fault.root_cause?.[0];
  for (let each: EngineFault | undefined = inner ?? fault; each; each = each.caused_by)
    all.push(`${each.type ?? 'error'}: ${each.reason ?? 'no reason'}`);
  return all.join('; ').slice(0, 300);
}

const faultOf = ({ body }: ClientFault): EngineFault | string | undefined =>
  typeof body === 'object' && body !== null ? body.error : (body ?? undefined);

/** What was received and what to do. */
function explained(error: ClientFault): { received: string; remedy: string } {
  const status = statusOf(error);
  const message = error.message ?? '';
  if (error.name === 'TimeoutError')
    return { received: 'no answer in time', remedy: 'Raise requestTimeoutMs, or ask for less.' };
  if (/certificate|CERT|TLS|SSL|wrong version number|EPROTO/.test(message) && status === 0)
    return {
      received: `TLS failed: ${message}`,
      remedy:
        'Name the file of the certificate authority by ca in the URL, or use http:// for nodes ' +
        'without TLS.',
    };
  if (status === 401 || status === 403)
    return {
      received: `it refused the login or the right (${status})`,
      remedy: 'Check the user, the password and the roles of the user on the index.',
    };
  if (status === 429)
    return {
      received: `it is overloaded (429): ${reasonOf(faultOf(error))}`,
      remedy: 'Write from fewer processes, or give the nodes more memory.',
    };
  if (status === 413)
    return {
      received: 'the request is too large for it (413)',
      remedy: 'Raise http.max_content_length, or split the passage.',
    };
  if (status > 0)
    return {
      received: `it answered ${status}: ${reasonOf(faultOf(error))}`,
      remedy: "See the nodes' logs, and check their disk and memory.",
    };
  return {
    received: `the connection failed: ${message}`,
    remedy: 'Check that the nodes run and can be reached, then try again.',
  };
}

/** An error of the client or the engine as the library's. */
export function engineError(error: unknown, place: string): AsOfError {
  if (AsOfError.is(error)) return error;
  const fault = (error ?? {}) as ClientFault;
  const { received, remedy } = explained(fault);
  // A statement of asof's own that the engine does not understand.
  const isFault = statusOf(error) === 400;
  return new AsOfError(
    isFault ? 'ERR_INTERNAL' : 'ERR_STORAGE',
    `Expected OpenSearch to serve ${place}, ${received}. ${remedy}`,
    { details: { place, status: statusOf(error) } },
  );
}
