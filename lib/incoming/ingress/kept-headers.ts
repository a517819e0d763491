import { PATH_HEADER } from '@/lib/delivery/forward-path';

/** Credentials: of the sender's browser or proxy, never of the provider, whose credential is its signature. */
const CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'x-platform-admin-token'];
/** Headers of one connection (RFC 9110 section 7.6.1), which say nothing about the event. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
const DROPPED = new Set([...CREDENTIALS, ...HOP_BY_HOP]);
/** Our own, which pass facts from the web entry to Next, except the path of a forward. */
const PRIVATE_PREFIX = 'x-eds-';

/** Returns the JSON text of the headers that are kept with an incoming event: pairs of lower-case name and value. */
export function keptHeaders(headers: readonly (readonly [name: string, value: string])[]): string {
  const ofConnection = new Set(headers.flatMap(([name, value]) => (name === 'connection' ? namesIn(value) : [])));
  const isKept = (name: string) =>
    !DROPPED.has(name) && !ofConnection.has(name) && (name === PATH_HEADER || !name.startsWith(PRIVATE_PREFIX));
  return JSON.stringify(headers.filter(([name]) => isKept(name)));
}

/** `Connection` names further headers of the connection. */
function namesIn(value: string): string[] {
  return value.split(',').map((name) => name.trim().toLowerCase());
}
