/** The path prefix of requests between web processes. No token starts with a tilde. */
const PREFIX = '/t/~peer/';

/** The header with the id of the connection that the receiver is expected to hold. */
export const CONNECTION_HEADER = 'tunnel-peer-connection';

/** Returns the path at which a web process accepts requests to a tunnel from another one. */
export function peerPath(tunnelId: string): string {
  return `${PREFIX}${tunnelId}`;
}

/** Returns the id of the tunnel in such a path; null for any other path. */
export function tunnelOfPeerPath(path: string): string | null {
  return path.startsWith(PREFIX) ? path.slice(PREFIX.length) : null;
}
