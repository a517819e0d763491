import type { Tunnel as TunnelRow } from '@/lib/platform/prisma/generated/client';
import type { Tunnel } from '@/lib/tunnel/schema';
import { testResponseOf } from './test-columns';
import { tunnelUrl } from './tunnel-token';

/** Converts a row to a tunnel of the API. @param online whether its client is connected */
export function presentTunnel(row: TunnelRow, online: boolean): Tunnel {
  return {
    id: row.id,
    name: row.name,
    url: tunnelUrl(row),
    online,
    basicAuth: row.basicAuthUsername === null ? null : { username: row.basicAuthUsername },
    allowedCidrs: row.allowedCidrs,
    testResponse: testResponseOf(row),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
