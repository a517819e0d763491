import type { Role } from '@/lib/audit/types';
import { type Details, type Scan, statementsOf } from '@/lib/platform/sql/bounded-scan';
import { boolean, integer, jsonOf, nullable, text, texts, timestamp, uuid, uuids } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

const PERSON = {
  id: uuid,
  email: text,
  name: nullable(text),
  created_at: timestamp,
  email_verified: boolean,
  has_password: boolean,
  issuers: texts,
  open_sessions: integer,
  organizations: jsonOf<{ id: string; name: string; role: Role }[]>('json'),
};

/** What lists show of people. */
export const PERSON_ROWS: Details<typeof PERSON> = {
  sql: `
  SELECT u.id, u.email, u.name, u.created_at,
    u.email_verified_at IS NOT NULL AS email_verified, u.password_hash IS NOT NULL AS has_password,
    ARRAY(SELECT i.issuer FROM identities i WHERE i.user_id = u.id ORDER BY i.id) AS issuers,
    (SELECT count(*)::int FROM sessions s
     WHERE s.user_id = u.id AND s.closed_at IS NULL AND s.expires_at > clock_timestamp()) AS open_sessions,
    (SELECT coalesce(json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role) ORDER BY o.id), '[]')
     FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.deleted_at IS NULL
     WHERE m.user_id = u.id) AS organizations
  FROM users u WHERE u.id IN (SELECT id FROM found)`,
  columns: PERSON,
};

/** Rows that the operator looks at in one statement. There is one operator. */
const OPERATOR_EXAMINES = 100_000;

/** Returns the scan of the people whose address starts with a text. */
export function personScan(email: string | undefined): Scan {
  return {
    from: 'users x',
    columns: ['x.id', 'x.email', 'x.erased_at'],
    indexes: [[]],
    conditions: [
      ['x.erased_at IS NULL'],
      ...(email === undefined ? [] : [['starts_with(x.email, ?)', email] as const]),
    ],
    maxExamined: OPERATOR_EXAMINES,
  };
}

/** Checked against the database by a test. */
export const CHECKED_STATEMENTS = statementsOf(personScan('a'), PERSON_ROWS);

/** Selects the addresses of those people whose account is not erased. */
export const selectAddresses = statement('SELECT id, email FROM users WHERE id = ANY($users) AND erased_at IS NULL', {
  params: { users: uuids },
  columns: { id: uuid, email: text },
});

/** Locks the row of a person with the lock that a sign-in takes. */
export const lockUser = statement(
  'SELECT id, email FROM users WHERE id = $user AND erased_at IS NULL FOR NO KEY UPDATE',
  { params: { user: uuid }, columns: { id: uuid, email: text } },
);
