import { expect, it } from 'vitest';
import { parseConfig } from '@/lib/platform/config/config';
import { tunnelOriginWarning } from './tunnel-origin-warning';

const APP_BASE_URL = 'https://events.example.com';
const warningOf = (environment: Record<string, string>) => tunnelOriginWarning(parseConfig(environment));

it.each([
  ['a deployment without TUNNEL_BASE_URL', { APP_BASE_URL }, /^TUNNEL_BASE_URL is unset: .*on another site/],
  [
    'tunnels on the site of the dashboard',
    { APP_BASE_URL, TUNNEL_BASE_URL: 'https://tunnels.example.com' },
    /both on example\.com: .*another domain/,
  ],
] as const)('warns of %s', (_, environment, warning) => expect(warningOf(environment)).toMatch(warning));

it.each([
  ['tunnels on another site', { APP_BASE_URL, TUNNEL_BASE_URL: 'https://tunnels.example.net' }],
  ['sites below one public suffix', { APP_BASE_URL: 'https://a.github.io', TUNNEL_BASE_URL: 'https://b.github.io' }],
  ['a local dashboard', {}],
  ['a local dashboard with a name', { APP_BASE_URL: 'http://127.0.0.1:3000' }],
])('does not warn of %s', (_, environment) => expect(warningOf(environment)).toBeNull());
