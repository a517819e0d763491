import type { Tunnel } from '@/lib/tunnel/schema';
import { createTunnel } from './use-tunnels';

/** Creates a test receiver that answers 200. */
export function createTestReceiver(projectId: string): Promise<Tunnel> {
  return createTunnel(projectId, { name: 'Test receiver', testResponse: { status: 200, delaySeconds: 0 } });
}

/** Returns the test receiver that an endpoint delivers to; undefined when it delivers elsewhere. */
export function findTestReceiver(tunnels: readonly Tunnel[], endpointUrl: string): Tunnel | undefined {
  return tunnels.find(
    ({ url, testResponse }) => testResponse !== null && url !== null && endpointUrl.startsWith(url.replace(/\/$/, '')),
  );
}
