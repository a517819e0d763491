import type { Role } from '@/lib/audit/types';
import { boolean, enumOf, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const role = enumOf<Role>('Role');

const PENDING_SQL = `
  SELECT i.id, i.email, i.role, i.created_at, i.expires_at,
    u.id AS inviter_id, u.name AS inviter_name, u.email AS inviter_email
  FROM invitations i LEFT JOIN users u ON u.id = i.invited_by_id AND u.erased_at IS NULL
  WHERE i.organization_id = $1 AND i.accepted_at IS NULL AND i.expires_at > now()`;

const PENDING = {
  id: uuid,
  email: text,
  role,
  created_at: timestamp,
  expires_at: timestamp,
  /** Null, like the name and the address, when the inviter's account is erased. */
  inviter_id: nullable(uuid),
  inviter_name: nullable(text),
  inviter_email: nullable(text),
};

/** Lists a page of an organization's pending invitations, newest first. $1 organization, $2 cursor or null, $3 rows. */
export const listPending = statement(
  `${PENDING_SQL} AND ($2::uuid IS NULL OR i.id < $2) ORDER BY i.id DESC LIMIT $3`,
  PENDING,
);

/** Finds a pending invitation. $1 organization, $2 invitation. */
export const findPending = statement(`${PENDING_SQL} AND i.id = $2`, PENDING);

/** Finds what a pending invitation is to. $1 hash of its emailed or copied token. */
export const findPreview = statement(
  `SELECT o.name, i.role, i.email,
     EXISTS (SELECT FROM users u WHERE u.email = i.email AND u.erased_at IS NULL) AS has_account
   FROM invitations i JOIN organizations o ON o.id = i.organization_id AND o.deleted_at IS NULL
   WHERE (i.token_hash = $1 OR i.link_hash = $1) AND i.accepted_at IS NULL AND i.expires_at > now()`,
  { name: text, role, email: text, has_account: boolean },
);

/** Counts the pending invitations with a token for an address. $1 hash of the emailed or copied token, $2 folded address. */
export const countPendingOfToken = statement(
  `SELECT count(*)::int AS count FROM invitations i JOIN organizations o ON o.id = i.organization_id AND o.deleted_at IS NULL
   WHERE (i.token_hash = $1 OR i.link_hash = $1) AND i.email = $2 AND i.accepted_at IS NULL AND i.expires_at > now()`,
  { count: integer },
);

/** Counts the pending invitations for an address. $1 folded address. */
export const countPendingFor = statement(
  `SELECT count(*)::int AS count FROM invitations i JOIN organizations o ON o.id = i.organization_id AND o.deleted_at IS NULL
   WHERE i.email = $1 AND i.accepted_at IS NULL AND i.expires_at > now()`,
  { count: integer },
);

/** Counts the members and the pending invitations of an organization. $1 organization. */
export const countMembersAndPending = statement(
  `SELECT (SELECT count(*) FROM memberships WHERE organization_id = $1)::int
     + (SELECT count(*) FROM invitations
        WHERE organization_id = $1 AND accepted_at IS NULL AND expires_at > clock_timestamp())::int AS count`,
  { count: integer },
);
