import { expect, it } from 'vitest';
import { useDatabase } from '@/tests/database/use-database';
import { invite } from '@/tests/fixtures/members';
import { freshEmail, registerPerson } from '@/tests/fixtures/people';

// What web gets from npm start when the worker has a MAIL_URL.
useDatabase({ MAIL_ENABLED: 'true' });

it('creating an invitation says that it is emailed by a worker with a MAIL_URL, which web does not know', async () => {
  const owner = await registerPerson();
  expect((await invite(owner, owner.organizationId, freshEmail())).json).toMatchObject({ isEmailed: true });
});
