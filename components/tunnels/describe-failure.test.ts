import { expect, it } from 'vitest';
import { describeFailure } from './describe-failure';

it.each([
  ['tunnel_offline', 'No client was connected to the tunnel.'],
  ['tunnel_timeout', 'The local server did not respond within 30 seconds.'],
  ['invalid_request', 'The sender closed the connection before it got a response.'],
  ['unauthenticated', 'The request didn’t include the tunnel’s username and password.'],
  ['connection_reset', 'The request failed: connection_reset.'],
  ['constructor', 'The request failed: constructor.'],
])('describes %s in a sentence', (error, sentence) => {
  expect(describeFailure(error)).toBe(sentence);
});
