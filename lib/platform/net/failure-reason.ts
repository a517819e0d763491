/** Why this service ends an exchange itself. */
type OwnReason =
  | 'ADDRESS_REFUSED'
  | 'OWN_ADDRESS'
  | 'TOO_MANY_ADDRESSES'
  | 'LOOKUP_TIMEOUT'
  | 'NO_TURN'
  | 'CONNECT_TIMEOUT'
  | 'RESPONSE_TIMEOUT'
  | 'INVALID_HANDSHAKE'
  | 'INVALID_RESPONSE'
  | 'TOO_MANY_HEADERS'
  | 'EXCHANGE_ABORTED';

/** An exchange that this service ended. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';

  constructor(readonly code: OwnReason) {
    super(code);
  }
}

/** A lookup and the connection after it share CONNECT_TIMEOUT_MS. */
export const LOOKUP_TIMEOUT_MS = 4_000;
export const CONNECT_TIMEOUT_MS = 5_000;
export const RESPONSE_TIMEOUT_MS = 15_000;
/** A connection may wait so long for its first turn. An exchange lasts that much longer for all turns of its connection. */
export const TURN_TIMEOUT_MS = 5_000;

/** The most addresses of a name. Each is checked on the main thread: 4,000 keep the process from all other work for 0.3 s. */
export const MAX_ADDRESSES = 64;

const CUT_OFF = 'Connection closed before the response was complete';
const DNS_FAILED = 'DNS lookup failed';
const UNREACHABLE = 'Host unreachable';
const UNTRUSTED = 'TLS certificate is not from a trusted authority';
const NO_CONNECTION = `No connection within ${CONNECT_TIMEOUT_MS / 1000} s`;

const HEADERS_TOO_LARGE = 'Response headers are too large';

const REASONS: Record<string, string> = {
  ADDRESS_REFUSED: 'Address is not public',
  OWN_ADDRESS: 'Address is one of this service',
  TOO_MANY_ADDRESSES: `Host name has more than ${MAX_ADDRESSES} addresses`,
  NO_TURN: 'Not sent: too many connections were being opened',
  CONNECT_TIMEOUT: NO_CONNECTION,
  // Only lookups wait for a semaphore here.
  SEMAPHORE_FULL: `${DNS_FAILED}: too many lookups are waiting`,
  LOOKUP_TIMEOUT: `${DNS_FAILED}: no answer within ${LOOKUP_TIMEOUT_MS / 1000} s`,
  EXCHANGE_ABORTED: 'Canceled before the response was complete',
  INVALID_HANDSHAKE: 'TLS handshake failed',
  INVALID_RESPONSE: 'Response is not valid HTTP',
  TOO_MANY_HEADERS: HEADERS_TOO_LARGE,
  RESPONSE_TIMEOUT: `No response within ${RESPONSE_TIMEOUT_MS / 1000} s`,
  ETIMEDOUT: NO_CONNECTION,
  ENOTFOUND: 'Host name not found',
  ENODATA: 'Host name has no address',
  EAI_AGAIN: DNS_FAILED,
  EAI_FAIL: DNS_FAILED,
  ESERVFAIL: DNS_FAILED,
  ETIMEOUT: DNS_FAILED,
  EREFUSED: DNS_FAILED,
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: CUT_OFF,
  ECONNABORTED: CUT_OFF,
  EPIPE: CUT_OFF,
  UND_ERR_SOCKET: CUT_OFF,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  CERT_HAS_EXPIRED: 'TLS certificate expired',
  CERT_NOT_YET_VALID: 'TLS certificate is not valid yet',
  CERT_REVOKED: 'TLS certificate is revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS certificate is self-signed',
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  CERT_UNTRUSTED: UNTRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS certificate is for another host name',
  UND_ERR_HEADERS_OVERFLOW: HEADERS_TOO_LARGE,
  EPROTO: 'TLS handshake failed',
};

/** Describes why a request failed, for the owner of the receiver. Contains no address, name or URL. */
export function describeFailure(error: unknown): string {
  const code = codeOf(error);
  const known = REASONS[code];
  if (known !== undefined) return known;
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'TLS handshake failed';
  // Not every undici error about a response has a code, so its class is checked too.
  if (code.startsWith('UND_ERR_RES') || (error as Error | null)?.name === 'HTTPParserError') {
    return 'Response is not valid HTTP';
  }
  return 'Connection failed';
}

/** Whether a reason of `describeFailure` is that the receiver took too long to connect or to answer. */
export function isTimeout(reason: string): boolean {
  return /^No .* within /.test(reason);
}

/** The classes of reasons, for metrics. */
export const FAILURE_CLASSES = [
  'timed_out',
  'dns',
  'address_refused',
  'connection',
  'tls',
  'invalid_response',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** Returns the class of a reason of `describeFailure`. */
export function classOfFailure(reason: string): FailureClass {
  if (isTimeout(reason)) return 'timed_out';
  if (/^(?:DNS |Host name )/.test(reason)) return 'dns';
  if (reason === REASONS.ADDRESS_REFUSED || reason === REASONS.OWN_ADDRESS) return 'address_refused';
  if (reason.startsWith('TLS ')) return 'tls';
  return reason.startsWith('Response ') ? 'invalid_response' : 'connection';
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  // Several addresses were tried: report the first reason.
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : '';
}
