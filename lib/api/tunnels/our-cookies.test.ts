import { expect, it } from 'vitest';
import { sessionCookies } from '@/lib/api/refresh-cookie';
import { checkCookieNames } from '@/lib/idp/check-cookies';
import { withoutOurCookies } from '@/lib/tunnel/relay/public/request-headers';
import { setTestConfig } from '@/tests/setup/variables';

it.each(['http://localhost:3000', 'https://app.example'])('no cookie of the dashboard at %s passes', (origin) => {
  setTestConfig({ APP_BASE_URL: origin });
  const names = sessionCookies({ token: 'x', maxAgeSeconds: 1 }).map((cookie) => cookie.split('=')[0] ?? '');
  const ours = [...names, ...checkCookieNames().flatMap((check) => [check, `${check}.slot`])];
  expect(ours).toHaveLength(8);
  for (const cookie of ours) expect(withoutOurCookies(`a=1; ${cookie}=2; b=3`), cookie).toBe('a=1; b=3');
  expect(withoutOurCookies(`${names[0]}=1; ${names[1]}=1`)).toBeNull();
});
