import type { Role } from '@/lib/audit/types';
import { boolean, enumOf, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const role = enumOf<Role>('Role');

/** Finds the live account of an address. $1 organization, $2 folded address. */
export const findInvitee = statement(
  `SELECT u.id, m.user_id IS NOT NULL AS is_member
   FROM users u LEFT JOIN memberships m ON m.user_id = u.id AND m.organization_id = $1
   WHERE u.email = $2 AND u.erased_at IS NULL`,
  { id: uuid, is_member: boolean },
);

/** Finds what the mail says about the organization and its live inviter. $1 organization, $2 inviter. */
export const findNames = statement(
  `SELECT o.name, u.email, u.email_verified_at IS NOT NULL AS is_verified
   FROM organizations o JOIN users u ON u.id = $2 AND u.erased_at IS NULL WHERE o.id = $1`,
  { name: text, email: text, is_verified: boolean },
);

/**
 * Stores an invitation. $1 id, $2 organization, $3 folded address, $4 role, $5 hash of the token, $6 inviter, $7 lifetime
 * in days.
 */
export const insertInvitation = statement(
  `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by_id, expires_at)
   VALUES ($1, $2, $3, $4::"Role", $5, $6, now() + make_interval(days => $7))`,
);

/** Sets the hash of the token in a link. $1 organization, $2 invitation, $3 hash, $4 who made the link. */
export const setLinkHash = statement(
  'UPDATE invitations SET link_hash = $3, link_created_by_id = $4 WHERE organization_id = $1 AND id = $2',
);

/** Deletes the invitations to an address that were not accepted, also expired ones. $1 organization, $2 address. */
export const deleteEarlier = statement(
  `DELETE FROM invitations WHERE organization_id = $1 AND email = $2 AND accepted_at IS NULL
   RETURNING id, role, expires_at > now() AS is_live`,
  { id: uuid, role, is_live: boolean },
);

/** Deletes a person's invitations for other roles than these. $1 organization, $2 inviter, $3 roles that stay. */
export const deleteOfInviter = statement(
  `DELETE FROM invitations
   WHERE organization_id = $1 AND invited_by_id = $2 AND accepted_at IS NULL AND role <> ALL ($3::"Role"[])
   RETURNING id, role`,
  { id: uuid, role },
);

/**
 * Ends the links to pending invitations for other roles than these that a person has made. Older versions do not store who made a
 * link: those end as well. $1 organization, $2 person, $3 roles that stay.
 */
export const endLinksOf = statement(
  `UPDATE invitations SET link_hash = NULL, link_created_by_id = NULL
   WHERE organization_id = $1 AND (link_created_by_id = $2 OR link_created_by_id IS NULL) AND link_hash IS NOT NULL
     AND accepted_at IS NULL AND role <> ALL ($3::"Role"[])
   RETURNING id, role`,
  { id: uuid, role },
);

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

const PENDING_SQL = `
  SELECT i.id, i.email, i.role, i.created_at AS "createdAt", i.expires_at AS "expiresAt",
    u.id AS inviter_id, u.name AS inviter_name, u.email AS inviter_email
  FROM invitations i LEFT JOIN users u ON u.id = i.invited_by_id AND u.erased_at IS NULL
  WHERE i.organization_id = $1 AND i.accepted_at IS NULL AND i.expires_at > now()`;

const PENDING = {
  id: uuid,
  email: text,
  role,
  createdAt: timestamp,
  expiresAt: timestamp,
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
