import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { BASE_URL, callApi, PASSWORD } from './api';
import { checkResponse } from './check-response';
import { linkIn, waitForMail } from './mails';
import { runSql } from './run-sql';

/** A person with their own organization. */
export interface Person {
  email: string;
  name: string;
  userId: string;
  token: string;
  organizationId: string;
}

interface SignedIn {
  accessToken: string;
  user: { id: string };
  organization: { id: string };
}

/** Registers a person through the API. */
export async function makePerson(name: string, organizationName?: string): Promise<Person> {
  const email = `${name.toLowerCase().replace(/\W+/g, '-')}-${randomUUID()}@example.com`;
  const { accessToken, user, organization } = await callApi<SignedIn>('POST', '/auth/register', {
    body: { email, password: PASSWORD, name, ...(organizationName ? { organizationName } : {}) },
  });
  return { email, name, userId: user.id, token: accessToken, organizationId: organization.id };
}

/** Invites an address to the person's organization. Returns the path of the emailed link. */
export async function invite(by: Person, email: string, role: string): Promise<string> {
  const path = `/orgs/${by.organizationId}/invitations`;
  await callApi('POST', path, { token: by.token, body: { email, role } });
  const { pathname, search } = new URL(linkIn(await waitForMail(email, /invited/i)));
  return pathname + search;
}

/** Makes a person who has accepted an invitation to the organization of `by`. */
export async function makeMember(by: Person, name: string, role: string): Promise<Person> {
  const person = await makePerson(name);
  const link = await invite(by, person.email, role);
  const token = new URL(link, BASE_URL).searchParams.get('token');
  await callApi('POST', '/auth/accept-invitation', { token: person.token, body: { token } });
  return person;
}

/** Makes an existing person a member of the organization of a project, without an invitation. */
export async function addMember(projectId: string, email: string, role: string): Promise<void> {
  await runSql(
    `INSERT INTO memberships (organization_id, user_id, role)
     SELECT p.organization_id, u.id, $3::"Role" FROM projects p, users u WHERE p.id = $1 AND u.email = $2`,
    [projectId, email, role],
  );
}

/** Makes a project in the person's organization. */
export async function makeProject(by: Person, name: string): Promise<{ id: string }> {
  return callApi('POST', `/orgs/${by.organizationId}/projects`, { token: by.token, body: { name } });
}

/** Gives a browser the session of a person, without the form: the next page that it opens is theirs. */
export async function signInAs(page: Page, { email }: Pick<Person, 'email'>): Promise<void> {
  await openSession(page, '/api/v1/auth/login', { email, password: PASSWORD });
}

/** Registers a person and gives a browser their only session. Returns their address. */
export async function signInAsNew(page: Page): Promise<string> {
  const email = `ada-${randomUUID()}@example.com`;
  await openSession(page, '/api/v1/auth/register', { email, password: PASSWORD, name: 'Ada Lovelace' });
  return email;
}

async function openSession(page: Page, path: string, data: object): Promise<void> {
  const response = await page.context().request.post(path, { data });
  const status = response.status();
  const text = await response.text();
  checkResponse('POST', response.url(), { status, headers: response.headers(), text });
  expect(status, text).toBeLessThan(300);
}
