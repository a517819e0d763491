import * as z from 'zod';
import { personOrKey } from '@/lib/api/callers';
import { route } from '@/lib/http/route';
import { AppError } from '@/lib/platform/errors';
import { CLIENT_HEADER, SUBPROTOCOL } from '@/lib/tunnel/protocol/protocol';
import { getTunnelForClient } from '@/lib/tunnel/records/find-tunnels';
import { tunnelRelay } from '@/lib/tunnel/relay/current-relay';

/** Characters of User-Agent that are kept as the client's name. */
const MAX_NAME_CHARS = 200;

const ConnectQuery = z.strictObject({
  takeover: z
    .enum(['true', 'false'])
    .optional()
    .meta({ openapi: { type: 'boolean' }, description: '`true` disconnects a client that is already connected' }),
});
const ConnectHeaders = z.object({
  [CLIENT_HEADER]: z
    .string()
    .regex(/^[A-Za-z0-9_-]{22,128}$/, 'must be 22 to 128 characters of A-Z a-z 0-9 _ -')
    .optional()
    .meta({ description: 'Identifies the client, so that it can replace its own connection when it reconnects' }),
});

export const connect = route({
  summary: 'Connect a tunnel’s client over a WebSocket.',
  caller: personOrKey('tunnel.manage', 'write'),
  params: ['projectId', 'tunnelId'],
  query: ConnectQuery,
  headers: ConnectHeaders,
  errors: ['tunnel_in_use', 'conflict', 'upgrade_required'],
  response: { status: 426, alternatives: [{ status: 101 }] },
  servedBy: 'node',
  handler: async ({ params }) => {
    await getTunnelForClient(params.projectId, params.tunnelId);
    throw upgradeRequired();
  },
  upgrade: async ({ params, query, headers, request, whileAllowed }) => {
    const relay = tunnelRelay();
    // Also for an offer that is refused: each costs statements.
    await relay?.countAttempt(params.projectId);
    const tunnel = await getTunnelForClient(params.projectId, params.tunnelId);
    const offered = (request.header('sec-websocket-protocol') ?? '').split(',').map((each) => each.trim());
    if (!offered.includes(SUBPROTOCOL) || relay === null) throw upgradeRequired();
    return relay.accept({
      tunnelId: tunnel.id,
      projectId: tunnel.projectId,
      name: (request.client.userAgent ?? 'unknown').slice(0, MAX_NAME_CHARS),
      secret: headers[CLIENT_HEADER] ?? null,
      takeover: query.takeover === 'true',
      whileAllowed,
    });
  },
});

function upgradeRequired(): AppError {
  return new AppError('upgrade_required', `Open a WebSocket with the subprotocol ${SUBPROTOCOL}.`, {
    headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
  });
}
