import type { Role } from '@/lib/audit/types';
import { boolean, enumOf, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/** Finds the organization of an invitation. $1 hash of its emailed or copied token, $2 the address it is for. */
export const findInvitingOrganization = statement(
  'SELECT organization_id FROM invitations WHERE (token_hash = $1 OR link_hash = $1) AND email = $2',
  { organization_id: uuid },
);

/** Marks a pending invitation accepted. $1 hash of its emailed or copied token, $2 organization, $3 the address it is for. */
export const acceptPending = statement(
  `UPDATE invitations SET accepted_at = now()
   WHERE (token_hash = $1 OR link_hash = $1) AND organization_id = $2 AND email = $3
     AND accepted_at IS NULL AND expires_at > clock_timestamp()
   RETURNING id, role, token_hash = $1 AS was_emailed`,
  { id: uuid, role: enumOf<Role>('Role'), was_emailed: boolean },
);

/** Stores a membership, or sets the role of an existing one. $1 organization, $2 user, $3 role. */
export const setMembership = statement(
  `INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3::"Role")
   ON CONFLICT (organization_id, user_id) DO UPDATE SET role = EXCLUDED.role`,
);
