import { bytes, nullable, text, uuid, uuids } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { ROW_LIFETIME_SECONDS } from './limits';

/** The channel that tells web processes that the connection of a tunnel, or who may enter it, has changed. Payloads hold ids only. */
export const SIGNAL_CHANNEL = 'tunnel_signal';

/** The types of signals about the client of a tunnel. All others are about the tunnel itself: visits to it are checked again. */
export const CLIENT_SIGNALS: readonly string[] = ['claimed', 'released'];

const signalOf = (type: string) =>
  `pg_notify('${SIGNAL_CHANNEL}', json_build_object('type', '${type}', 'tunnelId', tunnel_id)::text)::text`;

/** The end of the lifetime of a row, before the time of another one. Citus takes immutable functions only. */
const IS_OVER = `held.heartbeat_at <= (excluded.heartbeat_at AT TIME ZONE 'UTC' - interval '${ROW_LIFETIME_SECONDS} s') AT TIME ZONE 'UTC'`;

const claim = (condition: string) =>
  statement(
    `WITH found AS MATERIALIZED (SELECT id, project_id FROM tunnels WHERE id = $tunnel AND project_id = $project
   ), claimed AS (
     INSERT INTO tunnel_connections AS held
       (tunnel_id, project_id, connection_id, peer_url, client_name, client_hash, connected_at, heartbeat_at)
     SELECT id, project_id, $connection, $peerUrl, $clientName, $clientHash, now(), now() FROM found
     ON CONFLICT (tunnel_id) DO UPDATE
       SET connection_id = excluded.connection_id, peer_url = excluded.peer_url, client_name = excluded.client_name,
           client_hash = excluded.client_hash, connected_at = excluded.connected_at, heartbeat_at = excluded.heartbeat_at
       ${condition}
     RETURNING tunnel_id
   )
   SELECT tunnel_id, ${signalOf('claimed')} AS signal FROM claimed`,
    {
      params: {
        connection: uuid,
        peerUrl: text,
        clientName: text,
        clientHash: nullable(bytes),
        tunnel: uuid,
        project: uuid,
      },
      columns: { tunnel_id: uuid, signal: text },
    },
  );

/**
 * Assigns a connection to its tunnel, unless another client's connection is alive. When two run at once, one wins.
 * `peerUrl` is that of this process.
 */
export const claimTunnel = claim(`WHERE held.client_hash = excluded.client_hash OR ${IS_OVER}`);

/** Assigns a connection to its tunnel, and replaces another client. */
export const takeTunnel = claim('');

const MINE = `unnest($tunnels::uuid[], $connections::uuid[]) AS mine (tunnel_id, connection_id)
   WHERE held.tunnel_id = mine.tunnel_id AND held.connection_id = mine.connection_id`;

/** Removes the rows of connections, unless others have replaced them. Returns the tunnels. */
export const releaseTunnels = statement(`DELETE FROM tunnel_connections held USING ${MINE} RETURNING held.tunnel_id`, {
  params: { tunnels: uuids, connections: uuids },
  columns: { tunnel_id: uuid },
});

/** Tells web processes of the tunnels that were released. */
export const notifyReleased = statement(
  `SELECT ${signalOf('released')} AS signal FROM unnest($tunnels::uuid[]) AS released (tunnel_id)`,
  { params: { tunnels: uuids }, columns: { signal: text } },
);

/** Renews the rows of connections, and returns the connections that still have one. */
export const renewConnections = statement(
  `UPDATE tunnel_connections held SET heartbeat_at = now() FROM ${MINE} RETURNING held.connection_id`,
  { params: { tunnels: uuids, connections: uuids }, columns: { connection_id: uuid } },
);

/** Finds the connection of a tunnel, alive or not. */
export const findConnection = statement('SELECT connection_id FROM tunnel_connections WHERE tunnel_id = $tunnel', {
  params: { tunnel: uuid },
  columns: { connection_id: uuid },
});

/** Finds the live connection of a tunnel. */
export const findHolder = statement(
  `SELECT project_id, connection_id, peer_url FROM tunnel_connections
   WHERE tunnel_id = $tunnel AND heartbeat_at > now() - interval '${ROW_LIFETIME_SECONDS} s'`,
  {
    params: { tunnel: uuid },
    columns: { project_id: uuid, connection_id: uuid, peer_url: text },
    name: 'tunnel-holder',
  },
);

/** Sends a signal to every web process: JSON text with ids only. */
export const sendTunnelSignal = statement(`SELECT pg_notify('${SIGNAL_CHANNEL}', $signal)`, {
  params: { signal: text },
});
