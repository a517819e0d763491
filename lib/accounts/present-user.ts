import type { RowOf } from '@/lib/platform/sql/statement';
import type { findProfile } from './accounts-sql';
import type { User } from './schema';

/** Converts a user row to the API's form for the person themselves. */
export function presentUser(row: RowOf<typeof findProfile.columns>): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    emailVerified: row.email_verified_at !== null,
    hasPassword: row.has_password,
    timeZone: row.times_in_utc ? 'UTC' : 'LOCAL',
  };
}
