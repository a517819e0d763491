import { describe, expect, it } from 'vitest';
import type { Identity } from '@/lib/accounts/schema';
import { database } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { useDatabase } from '@/tests/database/use-database';
import { registerPerson, type TestPerson } from '@/tests/fixtures/people';
import { call } from '@/tests/http/api-request';

useDatabase({ IDP_OAUTH_ISSUER: 'https://id.example.com', IDP_OAUTH_NAME: 'Acme ID' });

const list = (person: TestPerson) =>
  call<{ data: Identity[] }>('GET', '/api/v1/auth/identities', { bearer: person.accessToken });

async function link(person: TestPerson, issuer: string, subject: string): Promise<string> {
  const id = newId();
  await database().query('INSERT INTO identities (id, user_id, issuer, subject) VALUES ($1, $2, $3, $4)', [
    id,
    person.userId,
    issuer,
    subject,
  ]);
  return id;
}

describe('the identities of a person', () => {
  it('are empty for an account with only a password', async () => {
    const response = await list(await registerPerson());
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ data: [] });
  });

  it('name the configured provider as its button does, and any other by its host', async () => {
    const person = await registerPerson();
    const earlier = await link(person, 'https://accounts.former.example/realms/one', 'subject-1');
    const present = await link(person, 'https://id.example.com/', 'subject-2');
    expect((await list(person)).json.data).toEqual([
      { id: earlier, provider: 'accounts.former.example', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      { id: present, provider: 'Acme ID', createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
  });

  it('are shown to that person only, and never with the subject', async () => {
    const [person, other] = [await registerPerson(), await registerPerson()];
    await link(person, 'https://id.example.com', 'subject-of-one');
    expect((await list(other)).json.data).toEqual([]);
    const shown = await list(person);
    expect(shown.json.data).toHaveLength(1);
    expect(shown.text).not.toContain('subject-of-one');
  });
});
