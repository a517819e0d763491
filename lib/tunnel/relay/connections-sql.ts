import { nothing, text, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';
import { ROW_LIFETIME_SECONDS } from './limits';

/** The channel on which web processes tell each other that the connection of a tunnel has changed. Payloads hold ids only. */
export const SIGNAL_CHANNEL = 'tunnel_signal';

const signalOf = (type: string) =>
  `pg_notify('${SIGNAL_CHANNEL}', json_build_object('type', '${type}', 'tunnelId', tunnel_id)::text)`;

/**
 * Assigns a connection to its tunnel, unless another client's connection is alive. When two run at once, one wins. $1
 * tunnel, $2 project, $3 connection, $4 URL of this process, $5 name and $6 hash of the client, $7 whether to replace
 * another client.
 */
export const claimTunnel = statement(
  `WITH claimed AS (
     INSERT INTO tunnel_connections AS held
       (tunnel_id, project_id, connection_id, peer_url, client_name, client_hash)
     SELECT id, project_id, $3, $4, $5, $6 FROM tunnels WHERE id = $1 AND project_id = $2
     ON CONFLICT (tunnel_id) DO UPDATE
       SET connection_id = excluded.connection_id, peer_url = excluded.peer_url, client_name = excluded.client_name,
           client_hash = excluded.client_hash, connected_at = now(), heartbeat_at = now()
       WHERE $7::boolean OR held.client_hash = excluded.client_hash
         OR held.heartbeat_at <= now() - interval '${ROW_LIFETIME_SECONDS} s'
     RETURNING tunnel_id
   )
   SELECT tunnel_id, ${signalOf('claimed')} AS signal FROM claimed`,
  { tunnel_id: uuid, signal: nothing },
);

/** Removes the row of a connection, unless another has replaced it. $1 tunnel, $2 connection. */
export const releaseTunnel = statement(
  `WITH released AS (DELETE FROM tunnel_connections WHERE tunnel_id = $1 AND connection_id = $2 RETURNING tunnel_id)
   SELECT ${signalOf('released')} AS signal FROM released`,
  { signal: nothing },
);

/** Renews the rows of connections, and returns the connections that still have one. $1 tunnels, $2 their connections. */
export const renewConnections = statement(
  `UPDATE tunnel_connections held SET heartbeat_at = now()
   FROM unnest($1::uuid[], $2::uuid[]) AS mine (tunnel_id, connection_id)
   WHERE held.tunnel_id = mine.tunnel_id AND held.connection_id = mine.connection_id
   RETURNING held.connection_id`,
  { connection_id: uuid },
);

/** Finds the connection of a tunnel, alive or not. $1 tunnel. */
export const findConnection = statement('SELECT connection_id FROM tunnel_connections WHERE tunnel_id = $1', {
  connection_id: uuid,
});

/** Finds the live connection of a tunnel. $1 tunnel. */
export const findHolder = statement(
  `SELECT project_id, connection_id, peer_url FROM tunnel_connections
   WHERE tunnel_id = $1 AND heartbeat_at > now() - interval '${ROW_LIFETIME_SECONDS} s'`,
  { project_id: uuid, connection_id: uuid, peer_url: text },
  { name: 'tunnel-holder' },
);

/** Sends a signal to every web process. $1 JSON text with ids only. */
export const sendTunnelSignal = statement(`SELECT pg_notify('${SIGNAL_CHANNEL}', $1)`);
