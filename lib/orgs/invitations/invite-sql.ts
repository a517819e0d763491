import type { Role } from '@/lib/audit/types';
import { boolean, enumOf, text, uuid } from '@/lib/platform/sql/column';
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
