import type { UpdateTunnelBody } from '@/lib/tunnel/schema';
import { hashTunnelPassword } from '@/lib/tunnel/tunnel-password';
import { canonicalCidrs } from './canonical-cidrs';

/** Returns the columns of the given access rules of a tunnel; none for a rule that the body does not name. */
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
