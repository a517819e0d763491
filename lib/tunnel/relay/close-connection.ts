import { database } from '@/lib/platform/db';
import { sendTunnelSignal } from './close-connection-sql';

/** Makes the web process that holds the client of a deleted tunnel disconnect it. */
export async function closeTunnelConnection(tunnelId: string): Promise<void> {
  await sendTunnelSignal.run(database(), JSON.stringify({ type: 'closed', tunnelId }));
}
