import { makeWorkspace } from '@/e2e/support/api';
import { expect, test } from '@/e2e/support/fixtures';
import { makePages, openLoaded } from '@/e2e/support/pages';
import { expectRefused } from '@/e2e/support/refused';
import { addMember, makePerson, signInAs } from '@/e2e/support/team';

const REASON = 'Your role here is viewer; this needs developer or higher.';

test('a viewer reads a failed delivery, and sees why it cannot be retried', async ({ page, receiver }) => {
  receiver.status = 503;
  const workspace = await makeWorkspace(receiver.url);
  const links = await makePages(workspace);
  const viewer = await makePerson('Vera Viewer');
  await addMember(workspace.projectId, viewer.email, 'VIEWER');
  const linkTo = (list: string) => links.find((path) => path.includes(`/${list}/`)) ?? '';
  await signInAs(page, viewer);
  await openLoaded(page, linkTo('deliveries'));
  await expect(page.getByText('503').first()).toBeVisible();
  await expectRefused(page.getByRole('button', { name: /^Retry/ }).first(), REASON);
});
