import { describe, expect, it } from 'vitest';
import { toPublicHeaders } from './response-headers';

const namesAfter = (name: string, isOwnOrigin: boolean) =>
  toPublicHeaders([[name, 'value']], { prefix: '/t/token', isOwnOrigin }).map(([kept]) => kept);

describe.each([
  ['of the dashboard', false],
  ['of tunnels', true],
])('on the origin %s, a response', (_origin, isOwnOrigin) => {
  it.each(['X-Accel-Redirect', 'x-sendfile', 'X-Lighttpd-Send-File', 'X-LiteSpeed-Location', 'X-Reproxy-URL'])(
    'cannot make a proxy in front serve something else with %s',
    (name) => expect(namesAfter(name, isOwnOrigin)).not.toContain(name),
  );

  it.each(['Secure-Session-Registration', 'Sec-Session-Registration', 'Secure-Session-Challenge', 'Use-As-Dictionary'])(
    'cannot make a browser change its requests to the entire origin with %s',
    (name) => expect(namesAfter(name, isOwnOrigin)).not.toContain(name),
  );

  it.each(['X-Accel-Buffering', 'ETag', 'X-Session'])('keeps %s, which is about itself', (name) =>
    expect(namesAfter(name, isOwnOrigin)).toContain(name),
  );
});
