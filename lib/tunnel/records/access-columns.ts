import type { UpdateTunnelBody } from '@/lib/tunnel/schema';
import { hashTunnelPassword } from '@/lib/tunnel/tunnel-password';
import { canonicalCidrs } from './canonical-cidrs';

/** Returns the columns for the access rules in the body, and none for a rule that it omits. */
export function accessColumns(tunnelId: string, { basicAuth, allowedCidrs }: UpdateTunnelBody) {
  return {
    ...(basicAuth === undefined
      ? {}
      : {
          basicAuthUsername: basicAuth?.username ?? null,
          basicAuthHash: basicAuth === null ? null : hashTunnelPassword(tunnelId, basicAuth.password),
        }),
    ...(allowedCidrs === undefined ? {} : { allowedCidrs: canonicalCidrs(allowedCidrs) }),
  };
}
