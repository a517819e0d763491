import { database } from '@/lib/platform/db';
import { setLastSeen } from './tunnels-sql';

/** Records that the client of a tunnel is connected. Writes at most once every 5 s. Ignores a deleted tunnel. */
export async function markTunnelSeen(tunnelId: string, projectId: string): Promise<void> {
  await setLastSeen.run(database(), projectId, tunnelId);
}
