import { describe, expect, it } from 'vitest';
import { changed } from '@/components/form/changed';
import type { Tunnel } from '@/lib/tunnel/schema';
import { tunnelBodyOf, tunnelValuesOf } from './tunnel-form';
import { describeFailure, replayDisabledReason } from './tunnel-request-page';
import { findTestReceiver } from './use-tunnels';

const tunnel = {
  name: 'laptop',
  basicAuth: { username: 'ada' },
  allowedCidrs: ['192.0.2.7/32', '10.0.0.0/8', '2001:db8::1/128'],
} as Tunnel;
const open = { name: 'laptop', basicAuth: null, allowedCidrs: [] as string[] } as Tunnel;

describe('the form of a tunnel', () => {
  const changeOf = (of: Tunnel, edits: Partial<ReturnType<typeof tunnelValuesOf>>) =>
    changed(tunnelBodyOf({ ...tunnelValuesOf(of), ...edits }), tunnelBodyOf(tunnelValuesOf(of)));

  it('shows single addresses without a prefix, and never a password', () => {
    expect(tunnelValuesOf(tunnel)).toEqual({
      name: 'laptop',
      isProtected: true,
      username: 'ada',
      password: '',
      allowedCidrs: '192.0.2.7\n10.0.0.0/8\n2001:db8::1',
    });
    expect(tunnelValuesOf(undefined)).toEqual({
      name: '',
      isProtected: false,
      username: '',
      password: '',
      allowedCidrs: '',
    });
  });

  it('sends a new name alone, whether the tunnel shows a password or not', () => {
    for (const each of [open, tunnel]) expect(changeOf(each, { name: ' desk ' })).toEqual({ name: 'desk' });
  });

  it('keeps a password that is not typed, and sends a typed one with another username', () => {
    expect(changeOf(tunnel, { password: 'long password' })).toEqual({
      basicAuth: { username: 'ada', password: 'long password' },
    });
    expect(changeOf(tunnel, { username: 'bea' })).toEqual({ basicAuth: { username: 'bea', password: '' } });
  });

  it('removes the password when protection is switched off', () => {
    expect(changeOf(tunnel, { isProtected: false })).toEqual({ basicAuth: null });
  });

  it('reads addresses between spaces, commas and lines', () => {
    expect(changeOf(open, { allowedCidrs: ' 192.0.2.7,\n10.0.0.0/8  ::1 ' })).toEqual({
      allowedCidrs: ['192.0.2.7', '10.0.0.0/8', '::1'],
    });
  });
});

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

describe('the replay of a request', () => {
  const [online, offline] = [true, false].map((isOnline) => ({ online: isOnline, testResponse: null }));
  const whole = { replayObstacle: null };
  const cut = { replayObstacle: 'body_truncated' } as const;

  it('allows the replay of a request that was stored entirely while the tunnel is online', () => {
    expect(replayDisabledReason(whole, online, undefined)).toBeUndefined();
  });

  it('names the most lasting reason first: the role, then the log, then the client', () => {
    expect(replayDisabledReason(cut, offline, 'Your role is too low.')).toBe('Your role is too low.');
    expect(replayDisabledReason(cut, offline, undefined)).toMatch(/^Only the beginning/);
    expect(replayDisabledReason(whole, offline, undefined)).toMatch(/offline/);
  });

  it('does not claim that a tunnel is offline before its state is known', () => {
    expect(replayDisabledReason(whole, undefined, undefined)).toBeUndefined();
  });

  it('allows the replay to a test receiver, which has no client', () => {
    const receiver = { online: false, testResponse: { status: 200, delaySeconds: 0 } };
    expect(replayDisabledReason(whole, receiver, undefined)).toBeUndefined();
  });
});

describe('test receivers', () => {
  const tunnel = (url: string | null, status: number | null) =>
    ({ url, testResponse: status === null ? null : { status, delaySeconds: 0 } }) as Tunnel;
  const receiver = tunnel('http://localhost:3000/t/abc/', 200);

  it('finds the test receiver of an endpoint, with or without a path below its URL', () => {
    for (const url of [
      'http://localhost:3000/t/abc/',
      'http://localhost:3000/t/abc',
      'http://localhost:3000/t/abc/a',
    ]) {
      expect(findTestReceiver([tunnel(null, 200), receiver], url)).toBe(receiver);
    }
  });

  it('finds neither an ordinary tunnel nor one with another URL', () => {
    expect(
      findTestReceiver([tunnel('http://localhost:3000/t/abc/', null)], 'http://localhost:3000/t/abc/'),
    ).toBeUndefined();
    expect(findTestReceiver([receiver], 'http://localhost:3000/t/abd/')).toBeUndefined();
  });
});
