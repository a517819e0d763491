const SENTENCES: Record<string, string> = {
  tunnel_offline: 'No client was connected to the tunnel.',
  tunnel_timeout: 'The local server did not respond within 30 seconds.',
  tunnel_busy: 'The tunnel had too many requests in flight.',
  payload_too_large: 'The body was larger than 10 MB.',
  rate_limited: 'The test receiver got more than 600 requests in a minute.',
  invalid_request: 'The sender closed the connection before it got a response.',
  unauthenticated: 'The request didn’t include the tunnel’s username and password.',
  forbidden: 'The tunnel doesn’t allow the caller’s IP address, or the request was for a service worker.',
  upgrade_unsupported: 'Tunnels don’t support WebSocket connections.',
};

/** Says in a sentence why a request got no response from the local server. `error` is a code such as tunnel_offline. */
export function describeFailure(error: string): string {
  return Object.hasOwn(SENTENCES, error) ? (SENTENCES[error] ?? '') : `The request failed: ${error}.`;
}
