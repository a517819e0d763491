import type { User } from './schema';

/** The columns of a user that the person themselves may see. */
export const USER_COLUMNS = 'u.id, u.email, u.name, u.email_verified_at, u.password_hash IS NOT NULL AS has_password';

export interface UserRow {
  id: string;
  email: string;
  name: string | null;
  email_verified_at: Date | null;
  has_password: boolean;
}

/** Converts a user row to the API's form for the person themselves. */
export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    emailVerified: row.email_verified_at !== null,
    hasPassword: row.has_password,
  };
}
