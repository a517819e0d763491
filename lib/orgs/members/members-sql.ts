import type { Role } from '@/lib/audit/types';
import { boolean, enumOf, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/*
 * A cursor holds a UUID, and no id of a membership tells when it began. This one combines the milliseconds of that
 * time with the random end of the person's id. It depends on the row alone, so a cursor stays valid after its member
 * is removed.
 */
const CURSOR_SQL = `(lpad(to_hex((extract(epoch FROM m.created_at) * 1000)::bigint), 12, '0')
  || right(replace(m.user_id::text, '-', ''), 20))::uuid`;

const MEMBERS_SQL = `
  SELECT ${CURSOR_SQL} AS id, m.user_id, u.email, u.name, m.role, m.created_at
  FROM memberships m JOIN users u ON u.id = m.user_id AND u.erased_at IS NULL
  WHERE m.organization_id = $1`;

const MEMBER = {
  /** The cursor of the row. */
  id: uuid,
  user_id: uuid,
  email: text,
  name: nullable(text),
  role: enumOf<Role>('Role'),
  created_at: timestamp,
};

/** Lists a page of the members of an organization, newest first. $1 organization, $2 cursor or null, $3 rows. */
export const listMemberRows = statement(
  `${MEMBERS_SQL} AND ($2::uuid IS NULL OR ${CURSOR_SQL} < $2) ORDER BY 1 DESC LIMIT $3`,
  MEMBER,
);

/** Finds a member of an organization. $1 organization, $2 user. */
export const findMember = statement(`${MEMBERS_SQL} AND m.user_id = $2`, MEMBER);

/** Finds whether an organization has other owners and members than a person. $1 organization, $2 user. */
export const findOwnership = statement(
  `SELECT o.name,
     EXISTS (SELECT FROM memberships m
             WHERE m.organization_id = o.id AND m.user_id <> $2 AND m.role = 'OWNER') AS has_other_owner,
     EXISTS (SELECT FROM memberships m WHERE m.organization_id = o.id AND m.user_id <> $2) AS has_other_member
   FROM organizations o WHERE o.id = $1`,
  { name: text, has_other_owner: boolean, has_other_member: boolean },
);
