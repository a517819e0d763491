import { database } from '@/lib/platform/db';
import { sendTunnelSignal } from './close-connection-sql';

/** Tells the web process that holds a deleted tunnel's client to disconnect it. */
export async function closeTunnelConnection(tunnelId: string): Promise<void> {
  await sendTunnelSignal.run(database(), JSON.stringify({ type: 'closed', tunnelId }));
}
