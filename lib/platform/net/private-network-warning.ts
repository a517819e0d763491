import { networkInterfaces } from 'node:os';
import type { Config } from '@/lib/platform/config/config';

type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * Returns a warning for a deployment on a network that is configured as a local one, so that its deliveries may go to
 * loopback and private addresses; null without a reason to warn.
 */
export function privateNetworkWarning(
  { APP_BASE_URL, DELIVERY_ALLOWED_CIDRS }: Pick<Config, 'APP_BASE_URL' | 'DELIVERY_ALLOWED_CIDRS'>,
  interfaces: Interfaces = networkInterfaces(),
): string | null {
  if (APP_BASE_URL !== undefined || DELIVERY_ALLOWED_CIDRS !== undefined) return null;
  const isOnNetwork = Object.values(interfaces).some((addresses) => addresses?.some(({ internal }) => !internal));
  if (!isOnNetwork) return null;
  return (
    'APP_BASE_URL is unset, and this machine is on a network: deliveries may reach loopback and private addresses. ' +
    'Set APP_BASE_URL, or DELIVERY_ALLOWED_CIDRS= to allow none.'
  );
}
