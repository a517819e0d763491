import type { Pool } from 'undici';

/** The owner of an organization, with the headers that authorize requests. */
export interface BenchOwner {
  organizationId: string;
  headers: { authorization: string };
}

/** Registers a person with a new organization. */
export async function registerOwner(pool: Pool, email: string): Promise<BenchOwner> {
  const response = await pool.request({
    method: 'POST',
    path: '/api/v1/auth/register',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: 'correct horse battery' }),
  });
  const signedIn = (await response.body.json()) as { accessToken: string; organization: { id: string } };
  return { organizationId: signedIn.organization.id, headers: { authorization: `Bearer ${signedIn.accessToken}` } };
}
