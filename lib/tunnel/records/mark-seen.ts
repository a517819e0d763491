import { database } from '@/lib/platform/db';
import { setLastSeen } from './tunnels-sql';

/** Records that the client of a tunnel is connected. Writes at most once in 5 s; a deleted tunnel is ignored. */
export async function markTunnelSeen(tunnelId: string, projectId: string): Promise<void> {
  await setLastSeen.run(database(), projectId, tunnelId);
}
