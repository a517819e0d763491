import type { PersonCaller } from '@/lib/audit/caller';
import type { Role } from '@/lib/audit/types';
import { organizationOf } from '@/lib/orgs/organization-of';
import type { Member } from '@/lib/orgs/schema';
import { database, type Sql } from '@/lib/platform/db';
import { notFound } from '@/lib/platform/errors';
import { type Listing, type Page, toListing } from '@/lib/platform/pagination';

interface MemberRow {
  /** The cursor of the row. */
  id: string;
  user_id: string;
  email: string;
  name: string | null;
  role: Role;
  created_at: Date;
}

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

/** Lists the members of the caller's organization, newest first. */
export async function listMembers(caller: PersonCaller, page: Page): Promise<Listing<Member>> {
  const { rows } = await database().query<MemberRow>(
    `${MEMBERS_SQL} AND ($2::uuid IS NULL OR ${CURSOR_SQL} < $2) ORDER BY 1 DESC LIMIT $3`,
    [organizationOf(caller), page.cursor ?? null, page.limit + 1],
  );
  return toListing(rows, page.limit, presentMember);
}

/** Returns one member. @throws AppError not_found */
export async function getMember(sql: Sql, organizationId: string, userId: string): Promise<Member> {
  const { rows } = await sql.query<MemberRow>(`${MEMBERS_SQL} AND m.user_id = $2`, [organizationId, userId]);
  if (rows[0] === undefined) throw notFound('member');
  return presentMember(rows[0]);
}

function presentMember(row: MemberRow): Member {
  return {
    userId: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at.toISOString(),
  };
}
