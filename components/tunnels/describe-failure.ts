const SENTENCES: Record<string, string> = {
  tunnel_offline: 'No client was connected to the tunnel.',
  tunnel_timeout: 'The local server did not respond within 30 seconds.',
  tunnel_busy: 'Too many requests were in flight in this tunnel.',
  payload_too_large: 'The body was larger than 10 MB.',
  unauthenticated: 'The request did not have the username and password of the tunnel.',
  forbidden: 'The tunnel does not allow the address of the request, or the request was for a service worker.',
  upgrade_unsupported: 'WebSocket connections do not pass through a tunnel.',
};

/** Says in a sentence why a request got no response from the local server. `error` is a code such as tunnel_offline. */
export function describeFailure(error: string): string {
  return Object.hasOwn(SENTENCES, error) ? (SENTENCES[error] ?? '') : `The request failed: ${error}.`;
}
