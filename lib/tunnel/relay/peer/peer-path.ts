/** The prefix of the paths on which web processes reach each other. No token starts with a tilde. */
const PREFIX = '/t/~peer/';

/** Names the connection that the sender expects at the receiver. */
export const CONNECTION_HEADER = 'tunnel-peer-connection';

/** Returns the path on which a web process takes requests to a tunnel from another one. */
export function peerPath(tunnelId: string): string {
  return `${PREFIX}${tunnelId}`;
}

/** Returns the id of the tunnel in such a path; null for another path. */
export function tunnelOfPeerPath(path: string): string | null {
  return path.startsWith(PREFIX) ? path.slice(PREFIX.length) : null;
}
