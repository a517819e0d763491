import { makeWorkspace } from '@/e2e/support/api';
import { expect, test } from '@/e2e/support/fixtures';
import { makePages, openLoaded } from '@/e2e/support/pages';
import { makePerson, signInAs } from '@/e2e/support/team';

/** A detail of each kind, a list, and a page of the organization: other pages load like one of these. */
const TRIED = /\/(?:events|deliveries|endpoints)\/[^/]+$|\/keys$|\/audit$/;

test('an owner’s links open for the owner, and show a stranger nothing but “not found”', async ({
  page,
  newContext,
  receiver,
  baseURL,
}) => {
  const owner = await makeWorkspace(baseURL ?? '', receiver.url);
  const links = (await makePages(baseURL ?? '', owner)).filter((path) => TRIED.test(path));
  expect(links).toHaveLength(5);

  await signInAs(page, owner);
  for (const path of links) {
    await openLoaded(page, path);
    await expect(page.getByRole('heading', { name: /not found$/ }), path).toHaveCount(0);
  }

  const stranger = await makePerson(baseURL ?? '', 'Mallory');
  const theirs = await (await newContext({ baseURL: baseURL ?? '' })).newPage();
  const statuses = new Set<number>();
  theirs.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (/^\/api\/v1\/(?:projects|orgs)\//.test(pathname) && !pathname.includes(stranger.organizationId)) {
      statuses.add(response.status());
    }
  });
  await signInAs(theirs, stranger);
  for (const path of links) {
    await theirs.goto(path);
    await expect(theirs.getByRole('heading', { name: /not found$/, level: 1 }), path).toBeVisible();
    await expect(theirs.getByText('Web shop'), path).toHaveCount(0);
  }
  expect([...statuses]).toEqual([404]);
});
