import type { RowOf } from '@/lib/platform/sql/statement';
import type { PublicTunnel } from '@/lib/tunnel/types';
import { testResponseOf } from './test-columns';
import type { findTunnelOfProject } from './tunnels-sql';

/** Converts a row to a tunnel as the relay knows it. */
export function toPublicTunnel(row: RowOf<typeof findTunnelOfProject.columns>): PublicTunnel {
  const { id, project_id: projectId, username, password_hash: passwordHash, cidrs } = row;
  const basicAuth = username === null || passwordHash === null ? null : { username, passwordHash };
  const testResponse = testResponseOf({ testStatus: row.test_status, testDelaySeconds: row.test_delay_seconds });
  return { id, projectId, basicAuth, allowedCidrs: cidrs ?? [], testResponse };
}
