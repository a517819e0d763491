import { byteStrings, bytes, integer, nullable, text, texts, uuid, uuids } from '@/lib/platform/sql/column';
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

/** Finds tunnels by the hashes of their URLs' tokens. */
export const findTunnelsByTokens = statement(
  `SELECT t.token_hash, ${PUBLIC_FIELDS} ${PUBLIC_SOURCE} WHERE t.token_hash = ANY($tokenHashes::bytea[])`,
  {
    params: { tokenHashes: byteStrings },
    columns: { token_hash: bytes, ...PUBLIC_COLUMNS },
    name: 'find-tunnels-by-tokens',
  },
);

export const findTunnelOfProject = statement(
  `SELECT ${PUBLIC_FIELDS} ${PUBLIC_SOURCE} WHERE t.id = $tunnel AND t.project_id = $project`,
  { params: { tunnel: uuid, project: uuid }, columns: PUBLIC_COLUMNS, name: 'find-tunnel-of-project' },
);

/** Sets when the client of a tunnel was last seen, at most once every 5 s. */
export const setLastSeen = statement(
  `UPDATE tunnels SET last_seen_at = now()
   FROM unnest($tunnels::uuid[], $projects::uuid[]) AS seen (id, project_id)
   WHERE tunnels.id = seen.id AND tunnels.project_id = seen.project_id
     AND (last_seen_at IS NULL OR last_seen_at < now() - interval '5 seconds')`,
  { params: { tunnels: uuids, projects: uuids } },
);

/** Selects those of the tunnels that have a connected client, whose web process renews `heartbeat_at`. */
export const selectOnline = statement(
  `SELECT tunnel_id FROM tunnel_connections
   WHERE project_id = $project AND tunnel_id = ANY($tunnels::uuid[]) AND heartbeat_at > now() - interval '30 seconds'`,
  { params: { project: uuid, tunnels: uuids }, columns: { tunnel_id: uuid } },
);
