import { bytes, integer, nullable, text, texts, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Joins the owners of a tunnel `t`, none of which may be deleted. */
const LIVE_OWNERS_SQL = `
  JOIN projects p ON p.id = t.project_id AND p.deleted_at IS NULL
  JOIN organizations o ON o.id = p.organization_id AND o.deleted_at IS NULL`;

const PUBLIC_COLUMNS = {
  id: uuid,
  project_id: uuid,
  username: nullable(text),
  password_hash: nullable(bytes),
  cidrs: nullable(texts),
  test_status: nullable(integer),
  test_delay_seconds: nullable(integer),
};

const PUBLIC_FIELDS = `
  t.id, t.project_id, t.basic_auth_username AS username, t.basic_auth_hash AS password_hash, t.allowed_cidrs AS cidrs,
  t.test_status, t.test_delay_seconds`;
const PUBLIC_SOURCE = `FROM tunnels t ${LIVE_OWNERS_SQL}`;

/** Finds tunnels by the hashes of their URLs' tokens. $1 hashes. */
export const findTunnelsByTokens = statement(
  `SELECT t.token_hash, ${PUBLIC_FIELDS} ${PUBLIC_SOURCE} WHERE t.token_hash = ANY($1::bytea[])`,
  { token_hash: bytes, ...PUBLIC_COLUMNS },
  { name: 'find-tunnels-by-tokens' },
);

/** Finds a tunnel of a project. $1 project, $2 tunnel. */
export const findTunnelOfProject = statement(
  `SELECT ${PUBLIC_FIELDS} ${PUBLIC_SOURCE} WHERE t.id = $2 AND t.project_id = $1`,
  PUBLIC_COLUMNS,
  { name: 'find-tunnel-of-project' },
);

/** Sets when the client of a tunnel was last seen, at most once every 5 s. $1 project, $2 tunnel. */
export const setLastSeen = statement(
  `UPDATE tunnels SET last_seen_at = now()
   WHERE id = $2 AND project_id = $1 AND (last_seen_at IS NULL OR last_seen_at < now() - interval '5 seconds')`,
);

/** Selects the tunnels among $2 of project $1 that have a connected client, whose web process renews `heartbeat_at`. */
export const selectOnline = statement(
  `SELECT tunnel_id FROM tunnel_connections
   WHERE project_id = $1 AND tunnel_id = ANY($2::uuid[]) AND heartbeat_at > now() - interval '30 seconds'`,
  { tunnel_id: uuid },
);
