import { describe, expect, it } from 'vitest';
import { signAccessToken } from '@/lib/auth/access-token';
import { makeKey } from '@/lib/keys/key-format';
import { systemClock } from '@/lib/platform/clock';
import { setOnce } from '@/lib/platform/globals';
import { newId } from '@/lib/platform/ids';
import type { HeaderPairs } from '@/lib/platform/net/header-pairs';
import { setTestConfig } from '@/tests/setup/variables';
import { toLocalHeaders } from './request-headers';
import { basicChallenge, toPublicHeaders } from './response-headers';

const rules = (isOwnOrigin: boolean, prefix = '/t/token') => ({ status: 200, prefix, isOwnOrigin, mayRender: true });
/** On the origin of a dashboard that is not local. */
const asFile = { ...rules(false), mayRender: false };
const namesAfter = (name: string, isOwnOrigin: boolean) =>
  toPublicHeaders([[name, 'value']], rules(isOwnOrigin)).map(([kept]) => kept);

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

  it.each([
    'Service-Worker-Allowed',
    'clear-site-data',
    'STRICT-TRANSPORT-SECURITY',
    'Alt-Svc',
    'NEL',
    'Report-To',
    'Reporting-Endpoints',
    'Public-Key-Pins-Report-Only',
    'Accept-CH',
    'Critical-CH',
    'Set-Login',
    'Origin-Trial',
    'Speculation-Rules',
    'Shared-Storage-Write',
    'Observe-Browsing-Topics',
    'Attribution-Reporting-Register-Source',
  ])('cannot set a rule of the origin with %s', (name) => expect(namesAfter(name, isOwnOrigin)).not.toContain(name));
  it.each(['Connection', 'Keep-Alive', 'Transfer-Encoding', 'Trailer', 'Upgrade', 'Proxy-Authenticate', 'TE'])(
    'cannot speak about the connection of the public with %s',
    (name) => expect(namesAfter(name, isOwnOrigin)).not.toContain(name),
  );
  it.each(['X-Accel-Buffering', 'ETag', 'X-Session', 'Link', 'Refresh', 'Cache-Control'])(
    'keeps %s, which is about itself',
    (name) => expect(namesAfter(name, isOwnOrigin)).toContain(name),
  );
});

const valuesOf = (name: string, headers: HeaderPairs) =>
  headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

describe('a response in parts, whose parts have headers of their own', () => {
  it.each([
    'multipart/x-mixed-replace; boundary=x',
    'MULTIPART/X-Mixed-Replace;boundary=x',
    ' multipart/mixed; boundary=x',
    'multipart/byteranges; boundary=x',
    'text/html, multipart/x-mixed-replace; boundary=x',
  ])('is bytes on the origin of the dashboard, where a part could set cookies: %s', (type) => {
    expect(valuesOf('content-type', toPublicHeaders([['Content-Type', type]], rules(false)))).toEqual([
      'application/octet-stream',
    ]);
    expect(valuesOf('content-type', toPublicHeaders([['Content-Type', type]], rules(true)))).toEqual([type]);
  });

  it('is not each that has a type', () => {
    const kept = toPublicHeaders([['Content-Type', 'text/html; charset=utf-8']], rules(false));
    expect(valuesOf('content-type', kept)).toEqual(['text/html; charset=utf-8']);
  });
});

describe('on the origin of a dashboard that is not local, a browser', () => {
  const headersOf = (...headers: HeaderPairs) => toPublicHeaders(headers, asFile);

  it.each([
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'application/pdf',
    'application/json',
    'text/plain',
  ])('saves %s instead of showing it, and other clients get the type', (type) => {
    const headers = headersOf(['Content-Type', type], ['Content-Disposition', 'inline; filename="invoice.exe"']);
    expect(valuesOf('content-disposition', headers)).toEqual(['attachment; filename="response.txt"']);
    expect(valuesOf('content-type', headers)).toEqual([type]);
    expect(valuesOf('x-content-type-options', headers)).toEqual(['nosniff']);
    expect(valuesOf('content-security-policy', headers)).toEqual([
      "default-src 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    ]);
  });

  it.each([
    'text/javascript',
    'application/x-JavaScript; charset=utf-8',
    'text/ecmascript',
    'text/jscript',
    'text/css',
  ])('gets no script or style sheet that the dashboard’s policy would allow: %s', (type) => {
    expect(valuesOf('content-type', headersOf(['Content-Type', type]))).toEqual(['text/plain']);
    expect(valuesOf('content-type', toPublicHeaders([['Content-Type', type]], rules(true)))).toEqual([type]);
  });

  it.each(['Refresh', 'Link'])('is not told to load something else with %s', (name) => {
    expect(valuesOf(name.toLowerCase(), headersOf([name, '0; url=/login']))).toEqual([]);
  });

  it('follows a redirect', () => {
    expect(valuesOf('location', headersOf(['Location', '/there']))).toEqual(['/t/token/there']);
  });
});

describe('on the origin of tunnels', () => {
  const challengeOf = (value: string, prefix: string) =>
    valuesOf('www-authenticate', toPublicHeaders([['WWW-Authenticate', value]], rules(true, prefix)))[0];

  it('a request for a password has a realm of its tunnel, so a browser does not answer it with that of another', () => {
    const mine = challengeOf('Basic realm="staging"', '/t/mine');
    expect(mine).toMatch(/^Basic realm="tunnel [0-9a-f]{16}", charset="UTF-8"$/);
    for (const theirs of [
      mine ?? '',
      'Basic realm="staging"',
      'BASIC realm=staging',
      '\tbasic realm="staging"',
      `Bearer x, ${mine}`,
      'Digest realm="x",Basic realm="staging"',
      'Basic',
    ]) {
      expect(challengeOf(theirs, '/t/theirs'), theirs).not.toBe(mine);
      expect(challengeOf(theirs, '/t/theirs'), theirs).toBe(basicChallenge('/t/theirs'));
    }
  });

  it.each(['Bearer realm="basics"', 'Bearer', 'DPoP algs="ES256"'])('%s stays', (value) => {
    expect(challengeOf(value, '/t/mine')).toBe(value);
  });

  it.each(['Digest realm="a", nonce="b"', 'DIGEST\trealm=a', 'Bearer, Digest realm="a"', 'NTLM', 'Negotiate TlRM'])(
    'a browser is not asked with %s, which it would answer with what it knows of another tunnel',
    (value) => expect(challengeOf(value, '/t/mine')).toBeUndefined(),
  );

  it.each([
    ['a=b', 'a=b; Path=/t/token/'],
    ['a=b; path=/x; DOMAIN=.example; Secure', 'a=b; Secure; Path=/t/token/x'],
    ['a=b; Path=/x; Path=/', 'a=b; Path=/t/token/x'],
    ['a=b; Path = /', 'a=b; Path=/t/token/'],
    ['a=b;\tpAtH\t=\t/', 'a=b; Path=/t/token/'],
    ['a=b; Path="/"', 'a=b; Path=/t/token/'],
    ['a=b; Path', 'a=b; Path=/t/token/'],
    ['a=b;;; Domain', 'a=b;;; Path=/t/token/'],
    ['; Path=/', '; Path=/t/token/'],
    ['=a; Path=//evil', '=a; Path=/t/token//evil'],
    ['__Host-a=b; Secure; Path=/', '__Host-a=b; Secure; Path=/t/token/'],
  ])('the cookie %s is confined to its tunnel', (cookie, confined) => {
    expect(valuesOf('set-cookie', toPublicHeaders([['Set-Cookie', cookie]], rules(true)))).toEqual([confined]);
  });

  it.each([
    ['as long as browsers obey is kept', 1_015, `/${'x'.repeat(1_015)}`],
    ['that browsers ignore becomes that of its tunnel', 1_016, '/'],
  ])('a path of a cookie %s', (_title, length, path) => {
    const cookie = `a=b; Path=/${'x'.repeat(length)}`;
    expect(valuesOf('set-cookie', toPublicHeaders([['Set-Cookie', cookie]], rules(true)))).toEqual([
      `a=b; Path=/t/token${path}`,
    ]);
  });
});

it.each([
  ['/there', '/t/token/there'],
  ['//evil.example/', '//evil.example/'],
  ['/\\evil.example/', '/\\evil.example/'],
  ['https://evil.example/', 'https://evil.example/'],
  ['there', 'there'],
])('a redirect to %s goes to %s', (location, target) => {
  expect(valuesOf('location', toPublicHeaders([['Location', location]], rules(false)))).toEqual([target]);
});

it.each([
  ['one cookie', [['Set-Cookie', `a=b${';'.repeat(32_000)}`]]],
  ['200 cookies', Array(200).fill(['Set-Cookie', `a=b${'; x'.repeat(50)}`])],
  ['a cookie with many paths', [['Set-Cookie', `a=b${'; path=/x'.repeat(3_500)}`]]],
  ['a cookie of spaces', [['Set-Cookie', `a=b; path${' '.repeat(32_000)}x`]]],
])('the headers of a response take at most two milliseconds: %s', (_what, headers) => {
  const takenMs = Array.from({ length: 20 }, () => {
    const startedMs = performance.now();
    toPublicHeaders(headers as HeaderPairs, rules(true));
    return performance.now() - startedMs;
  });
  expect(Math.min(...takenMs)).toBeLessThan(2);
});

describe('what the local server tells caches', () => {
  const told: HeaderPairs = [
    ['Cache-Control', 'public, s-maxage=600'],
    ['Expires', 'Thu, 31 Dec 2099 00:00:00 GMT'],
    ['CDN-Cache-Control', 'max-age=600'],
    ['Cloudflare-CDN-Cache-Control', 'max-age=600'],
    ['Surrogate-Control', 'max-age=600'],
    ['X-Accel-Expires', '600'],
    ['ETag', '"1"'],
  ];

  it('reaches them through an open tunnel', () => {
    expect(toPublicHeaders(told, rules(true))).toEqual(told);
  });

  it.each([
    ['no shared one keeps', told, 'private, no-cache'],
    ['none keeps', [...told, ['cache-control', 'No-Store']] as HeaderPairs, 'no-store'],
  ])('is replaced for a protected tunnel, of which %s a response', (_who, headers, control) => {
    expect(toPublicHeaders(headers, { ...rules(true), isProtected: true })).toEqual([
      ['ETag', '"1"'],
      ['Cache-Control', control],
    ]);
  });
});

describe('the headers of a request', () => {
  const RULES = {
    clientAddress: '203.0.113.9',
    publicUrl: new URL('https://tunnels.example.com'),
    isOwnOrigin: true,
    hasBasicAuth: false,
  };
  const namesOf = (headers: HeaderPairs) => toLocalHeaders(headers, RULES).map(([name]) => name);
  const SET_HERE = ['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto'];

  it.each(['X-EDS-Source-Id', 'x-eds-incoming-event-id', 'X-EDS-Via'])(
    'the header %s of a forward reaches the local server, as it reaches any destination',
    (name) => {
      expect(namesOf([[name, 'value']])).toEqual([name, ...SET_HERE]);
    },
  );

  it.each(['X-EDS-Proof', 'x_eds_client_address', 'X-Forwarded-For', 'X_Forwarded_Host', 'Tunnel-Peer-Key'])(
    'the header %s of a visitor does not',
    (name) => {
      expect(namesOf([[name, 'value']])).toEqual(SET_HERE);
    },
  );

  it.each([
    ['refresh_token=1; a=b;c=d', 'a=b;c=d'],
    ['a=b; __Host-refresh_token=1; c=d', 'a=b; c=d'],
    ['a=b;EDS_x=1', 'a=b'],
    ['a=b; refresh_token = 1', 'a=b'],
    ['a=b; refresh_token', 'a=b'],
    ['a=b; refresh_tokens=1; my_eds_=2', 'a=b; refresh_tokens=1; my_eds_=2'],
    ['__Secure-next-auth.session-token=1;\tnext-auth.csrf-token=2', null],
  ])('of the cookies %s the local server gets %s', (cookies, kept) => {
    const headers = toLocalHeaders([['Cookie', cookies]], RULES).filter(([name]) => name === 'Cookie');
    expect(headers).toEqual(kept === null ? [] : [['Cookie', kept]]);
  });

  it.each([
    ['an API key', () => makeKey()],
    [
      'an access token',
      async () => {
        setTestConfig();
        setOnce('signing-keys', undefined);
        const subject = { userId: newId(), sessionId: newId(), organizationId: null, role: null };
        return (await signAccessToken(subject, systemClock)).token;
      },
    ],
    ['a token of a portal', () => `ptok_${'a'.repeat(65)}`],
    ['a link to a portal', () => `plink_${'-'.repeat(65)}`],
  ])('never contain %s of this service, whatever the name', async (_what, make) => {
    const credential = await make();
    const sent = ['', 'Bearer ', 'key=', 'https://x.example/?k='].map((before): [string, string] => [
      'X-Any',
      before + credential,
    ]);
    const headers = toLocalHeaders([...sent, ['Cookie', `a=b; mine=${credential}; c=d`]], RULES);
    expect(JSON.stringify(headers)).not.toContain(credential);
    expect(headers.map(([, value]) => value)).toEqual(
      expect.arrayContaining(['[redacted]', 'Bearer [redacted]', 'a=b; mine=[redacted]; c=d']),
    );
  });

  it.each([
    ['a key with a wrong checksum', `eds_${'a'.repeat(49)}`],
    [
      'a JWT of another issuer',
      `${Buffer.from(`{"alg":"EdDSA","kid":"${'k'.repeat(43)}"}`).toString('base64url')}.e30.c2ln`,
    ],
    ['a longer word', `x${'eds_'}${'a'.repeat(80)}`],
  ])('contain %s as it was sent', (_what, value) => {
    expect(valuesOf('x-any', toLocalHeaders([['X-Any', value]], RULES))).toEqual([value]);
  });

  it('8,000 cookies take at most a millisecond', () => {
    const takenMs = Array.from({ length: 20 }, () => {
      const startedMs = performance.now();
      toLocalHeaders([['Cookie', 'a=b;'.repeat(8_000)]], RULES);
      return performance.now() - startedMs;
    });
    expect(Math.min(...takenMs)).toBeLessThan(1);
  });
});
