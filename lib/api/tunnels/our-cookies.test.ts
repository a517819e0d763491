import { expect, it } from 'vitest';
import { refreshCookie } from '@/lib/api/refresh-cookie';
import { checkCookieNames } from '@/lib/idp/check-cookies';
import { withoutOurCookies } from '@/lib/tunnel/relay/public/our-credentials';
import { setTestConfig } from '@/tests/setup/variables';

it.each(['http://localhost:3000', 'https://app.example'])('no cookie of the dashboard at %s passes', (origin) => {
  setTestConfig({ APP_BASE_URL: origin });
  const [name = ''] = refreshCookie({ token: 'x', maxAgeSeconds: 1 }).split('=');
  const ours = [name, ...checkCookieNames().flatMap((check) => [check, `${check}.slot`])];
  expect(ours).toHaveLength(7);
  for (const cookie of ours) expect(withoutOurCookies(`a=1; ${cookie}=2; b=3`), cookie).toBe('a=1; b=3');
  expect(withoutOurCookies(`${name}=1`)).toBeNull();
});
