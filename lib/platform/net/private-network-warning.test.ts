import type { NetworkInterfaceInfo } from 'node:os';
import { expect, it } from 'vitest';
import { parseConfig } from '@/lib/platform/config/config';
import { privateNetworkWarning } from './private-network-warning';

const address = (internal: boolean) => ({ address: '192.0.2.1', internal }) as NetworkInterfaceInfo;
const LOOPBACK = { lo: [address(true)] };
const NETWORK = { ...LOOPBACK, eth0: [address(false)] };
const warningOf = (environment: Record<string, string>, interfaces = NETWORK as NodeJS.Dict<NetworkInterfaceInfo[]>) =>
  privateNetworkWarning(parseConfig(environment), interfaces);

it('warns that deliveries may reach private addresses when APP_BASE_URL is unset on a network', () => {
  expect(warningOf({})).toMatch(/APP_BASE_URL.*private addresses.*DELIVERY_ALLOWED_CIDRS/s);
});

it.each([
  ['a public address', { APP_BASE_URL: 'https://events.example.com' }, NETWORK],
  ['a chosen local address', { APP_BASE_URL: 'http://localhost:3000' }, NETWORK],
  ['chosen ranges', { DELIVERY_ALLOWED_CIDRS: '10.0.0.0/8' }, NETWORK],
  ['no ranges', { DELIVERY_ALLOWED_CIDRS: '' }, NETWORK],
  ['no network', {}, LOOPBACK],
] as const)('does not warn with %s', (_, environment, interfaces) => {
  expect(warningOf(environment, interfaces)).toBeNull();
});
