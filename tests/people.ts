import { expect } from 'vitest';
import type { Role } from '@/lib/audit/types';
import type { SignedIn } from '@/lib/auth/schema';
import type { Project } from '@/lib/orgs/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { call, type TestResponse } from './api-request';

export const PASSWORD = 'correct horse battery';

/** A signed-in person. */
export interface TestPerson {
  userId: string;
  email: string;
  accessToken: string;
  refreshToken: string;
  /** Their own organization, created at registration. */
  organizationId: string;
}

/** Returns an unused address. */
export function freshEmail(): string {
  return `${newId()}@example.com`;
}

/** Registers a person and signs them in. */
export async function registerPerson(fields: Record<string, unknown> = {}): Promise<TestPerson> {
  const body = { email: freshEmail(), password: PASSWORD, ...fields };
  return toPerson(await call<SignedIn>('POST', '/api/v1/auth/register', { body }));
}

/** Signs a registered person in again, which starts another session. */
export async function signInAgain(person: TestPerson, password = PASSWORD): Promise<TestPerson> {
  const body = { email: person.email, password };
  return toPerson(await call<SignedIn>('POST', '/api/v1/auth/login', { body }));
}

/** Registers another person and makes them a member of an organization. */
export async function registerMember(organizationId: string, role: Role): Promise<TestPerson> {
  const person = await registerPerson();
  await database().query('INSERT INTO memberships (organization_id, user_id, role) VALUES ($1, $2, $3::"Role")', [
    organizationId,
    person.userId,
    role,
  ]);
  return person;
}

/** Creates a project in the person's own organization. */
export async function makeProject(person: TestPerson, name = 'Shop'): Promise<Project> {
  const path = `/api/v1/orgs/${person.organizationId}/projects`;
  const made = await call<Project>('POST', path, { bearer: person.accessToken, body: { name } });
  expect(made.status).toBe(201);
  return made.json;
}

/** Returns the refresh token in the cookie of a response; undefined without one. */
export function refreshTokenOf(answer: Pick<TestResponse<unknown>, 'cookies'>): string | undefined {
  return answer.cookies
    .map((cookie) => /^refresh_token=([^;]*)/.exec(cookie)?.[1])
    .find((value) => value !== undefined);
}

function toPerson(answer: TestResponse<SignedIn>): TestPerson {
  expect([200, 201]).toContain(answer.status);
  const { user, organization, accessToken } = answer.json;
  return {
    userId: user.id,
    email: user.email,
    accessToken,
    refreshToken: refreshTokenOf(answer) ?? '',
    organizationId: organization?.id ?? '',
  };
}
