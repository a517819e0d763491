import { callApi } from './support/api';
import { expect, test } from './support/fixtures';
import { writeHistory } from './support/statistics';
import { signInAs } from './support/team';

const chart = (page: import('@playwright/test').Page, name: string) => page.getByRole('region', { name, exact: true });

test('a project opens on its overview, whose figures link to their rows and whose charts are also tables', async ({
  page,
  workspace,
}) => {
  const { projectId, key } = workspace;
  const body = { type: 'order.paid', data: {} };
  await callApi('POST', '/events', { key, body });
  await signInAs(page, workspace);
  await page.goto('/');
  await expect(page).toHaveURL(`/projects/${projectId}/overview`);
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
  // The worker counts the delivery within seconds, and the page reloads its figures.
  await expect(chart(page, 'Outcomes').getByRole('link', { name: 'Succeeded 1' })).toBeVisible({ timeout: 40_000 });
  await writeHistory(workspace);
  await page.getByRole('button', { name: '7d' }).click();
  await expect(page).toHaveURL(/range=7d/);
  const failed = page.getByRole('link', { name: /^Failed permanently/ });
  await expect(failed).toHaveAttribute(
    'href',
    new RegExp(`/projects/${projectId}/deliveries\\?from=.*&to=.*&status=FAILED`),
  );

  // Keyboard: one tab stop, arrows move, Enter opens the rows of the bucket.
  const slider = page.getByRole('slider', { name: 'Outcomes' });
  await slider.focus();
  await slider.press('ArrowLeft');
  await expect(slider).toHaveAttribute(
    'aria-valuetext',
    /: Succeeded [\d,]+, Failed, retried later \d+, Failed permanently \d+$/,
  );
  await page.getByRole('button', { name: 'Show Outcomes as table' }).click();
  await expect(page.getByRole('table', { name: 'Outcomes' }).getByRole('row')).toHaveCount(57);
  await page.getByRole('button', { name: 'Show Outcomes as chart' }).click();
  await slider.focus();
  await slider.press('Enter');
  await expect(page).toHaveURL(/\/deliveries\?from=/);
  await page.goBack();
  await expect(page.getByRole('button', { name: '7d' })).toHaveAttribute('aria-pressed', 'true');

  await page.getByRole('button', { name: 'Custom' }).click();
  await page.getByLabel('From').fill('2026-01-02T10:00');
  await page.getByLabel('To', { exact: true }).fill('2026-01-01T10:00');
  await page.getByRole('button', { name: 'Show range' }).click();
  await expect(page.getByText('The end must be after the start.')).toBeVisible();
  const local = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel('From').fill(local(4));
  await page.getByLabel('To', { exact: true }).fill(local(2));
  await page.getByRole('button', { name: 'Show range' }).click();
  await expect(page).toHaveURL(/from=.*&to=/);
  await expect(page.getByRole('link', { name: 'Events', exact: true }).first()).toBeVisible();
});

test('where attempts failed, an endpoint has its description and the state that its own page shows', async ({
  page,
  receiver,
  workspace,
}) => {
  const { projectId, endpointId, token } = workspace;
  await writeHistory(workspace);
  const change = { description: 'Billing: books every payment', enabled: false };
  await callApi('PATCH', `/projects/${projectId}/endpoints/${endpointId}`, { token, body: change });
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/overview`);
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await expect(page.getByText(receiver.url, { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: change.description }).click();
  await expect(page).toHaveURL(new RegExp(`/endpoints/${endpointId}$`));
  await expect(page.getByText('Paused', { exact: true }).first()).toBeVisible();
});
