import type { Role } from '@/lib/audit/types';
import {
  bigint,
  boolean,
  bytes,
  enumOf,
  enumsOf,
  integer,
  nullable,
  text,
  timestamp,
  uuid,
  uuids,
} from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const role = enumOf<Role>('Role');
const roles = enumsOf<Role>('Role');

/** Finds the live account of a folded address. */
export const findInvitee = statement(
  `SELECT u.id, m.user_id IS NOT NULL AS is_member
   FROM users u LEFT JOIN memberships m ON m.user_id = u.id AND m.organization_id = $organization
   WHERE u.email = $email AND u.erased_at IS NULL`,
  { params: { organization: uuid, email: text }, columns: { id: uuid, is_member: boolean } },
);

/** Finds what the mail says about the organization and its live inviter. */
export const findNames = statement(
  `SELECT o.name, u.email, u.email_verified_at IS NOT NULL AS is_verified
   FROM organizations o JOIN users u ON u.id = $inviter AND u.erased_at IS NULL WHERE o.id = $organization`,
  { params: { inviter: uuid, organization: uuid }, columns: { name: text, email: text, is_verified: boolean } },
);

/** Stores an invitation for a folded address. */
export const insertInvitation = statement(
  `INSERT INTO invitations (id, organization_id, email, role, token_hash, invited_by_id, expires_at)
   VALUES ($id, $organization, $email, $role::"Role", $tokenHash, $inviter, now() + make_interval(days => $lifetimeDays))`,
  {
    params: { id: uuid, organization: uuid, email: text, role, tokenHash: bytes, inviter: uuid, lifetimeDays: integer },
  },
);

/** Sets the hash of the token in a link, and who made the link. */
export const setLinkHash = statement(
  'UPDATE invitations SET link_hash = $linkHash, link_created_by_id = $creator WHERE organization_id = $organization AND id = $invitation',
  { params: { linkHash: bytes, creator: uuid, organization: uuid, invitation: uuid } },
);

/** Deletes the invitations to an address that were not accepted, also expired ones. */
export const deleteEarlier = statement(
  `DELETE FROM invitations WHERE organization_id = $organization AND email = $email AND accepted_at IS NULL
   RETURNING id, role, expires_at > now() AS is_live`,
  { params: { organization: uuid, email: text }, columns: { id: uuid, role, is_live: boolean } },
);

/** Deletes a person's invitations for other roles than these. */
export const deleteOfInviter = statement(
  `DELETE FROM invitations
   WHERE organization_id = ANY($organizations::uuid[]) AND invited_by_id = $inviter AND accepted_at IS NULL
     AND role <> ALL ($keptRoles::"Role"[])
   RETURNING id, organization_id, role`,
  {
    params: { organizations: uuids, inviter: uuid, keptRoles: roles },
    columns: { id: uuid, organization_id: uuid, role },
  },
);

/**
 * Ends the links to pending invitations for other roles than these that a person has made. Older versions do not store who made a
 * link: those end as well.
 */
export const endLinksOf = statement(
  `UPDATE invitations SET link_hash = NULL, link_created_by_id = NULL
   WHERE organization_id = ANY($organizations::uuid[]) AND (link_created_by_id = $creator OR link_created_by_id IS NULL)
     AND link_hash IS NOT NULL AND accepted_at IS NULL AND role <> ALL ($keptRoles::"Role"[])
   RETURNING id, organization_id, role`,
  {
    params: { organizations: uuids, creator: uuid, keptRoles: roles },
    columns: { id: uuid, organization_id: uuid, role },
  },
);

/** Finds the organization of an invitation by its emailed or copied token and the address that it is for. */
export const findInvitingOrganization = statement(
  'SELECT organization_id FROM invitations WHERE (token_hash = $tokenHash OR link_hash = $tokenHash) AND email = $email',
  { params: { tokenHash: bytes, email: text }, columns: { organization_id: uuid } },
);

/** Marks a pending invitation accepted. The token is the emailed or the copied one; the address is the one it is for. */
export const acceptPending = statement(
  `UPDATE invitations SET accepted_at = now()
   WHERE (token_hash = $tokenHash OR link_hash = $tokenHash) AND organization_id = $organization AND email = $email
     AND accepted_at IS NULL AND expires_at > clock_timestamp()
   RETURNING id, role, token_hash = $tokenHash AS was_emailed`,
  { params: { tokenHash: bytes, organization: uuid, email: text }, columns: { id: uuid, role, was_emailed: boolean } },
);

/** Stores a membership, or sets the role of an existing one. */
export const setMembership = statement(
  `INSERT INTO memberships (organization_id, user_id, role) VALUES ($organization, $user, $role::"Role")
   ON CONFLICT (organization_id, user_id) DO UPDATE SET role = EXCLUDED.role`,
  { params: { organization: uuid, user: uuid, role } },
);

const PENDING_SQL = `
  SELECT i.id, i.email, i.role, i.created_at AS "createdAt", i.expires_at AS "expiresAt",
    u.id AS inviter_id, u.name AS inviter_name, u.email AS inviter_email
  FROM invitations i LEFT JOIN users u ON u.id = i.invited_by_id AND u.erased_at IS NULL
  WHERE i.organization_id = $organization AND i.accepted_at IS NULL AND i.expires_at > now()`;

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

/** Lists a page of an organization's pending invitations, newest first. */
export const listPending = statement(
  `${PENDING_SQL} AND ($cursor::uuid IS NULL OR i.id < $cursor) ORDER BY i.id DESC LIMIT $limit`,
  { params: { organization: uuid, cursor: nullable(uuid), limit: bigint }, columns: PENDING },
);

export const findPending = statement(`${PENDING_SQL} AND i.id = $invitation`, {
  params: { organization: uuid, invitation: uuid },
  columns: PENDING,
});

/** Finds what the pending invitation with an emailed or copied token is to. */
export const findPreview = statement(
  `SELECT o.name, i.role, i.email,
     EXISTS (SELECT FROM users u WHERE u.email = i.email AND u.erased_at IS NULL) AS has_account
   FROM invitations i JOIN organizations o ON o.id = i.organization_id AND o.deleted_at IS NULL
   WHERE (i.token_hash = $tokenHash OR i.link_hash = $tokenHash) AND i.accepted_at IS NULL AND i.expires_at > now()`,
  { params: { tokenHash: bytes }, columns: { name: text, role, email: text, has_account: boolean } },
);

/** Counts the pending invitations with an emailed or copied token for a folded address. */
export const countPendingOfToken = statement(
  `SELECT count(*)::int AS count FROM invitations i JOIN organizations o ON o.id = i.organization_id AND o.deleted_at IS NULL
   WHERE (i.token_hash = $tokenHash OR i.link_hash = $tokenHash) AND i.email = $email AND i.accepted_at IS NULL AND i.expires_at > now()`,
  { params: { tokenHash: bytes, email: text }, columns: { count: integer } },
);

/** Counts the pending invitations for a folded address. */
export const countPendingFor = statement(
  `SELECT count(*)::int AS count FROM invitations i JOIN organizations o ON o.id = i.organization_id AND o.deleted_at IS NULL
   WHERE i.email = $email AND i.accepted_at IS NULL AND i.expires_at > now()`,
  { params: { email: text }, columns: { count: integer } },
);

/** Counts the members and the pending invitations of an organization. */
export const countMembersAndPending = statement(
  `SELECT (SELECT count(*) FROM memberships WHERE organization_id = $organization)::int
     + (SELECT count(*) FROM invitations
        WHERE organization_id = $organization AND accepted_at IS NULL AND expires_at > clock_timestamp())::int AS count`,
  { params: { organization: uuid }, columns: { count: integer } },
);
