import { expectCleanInEveryView } from './support/accessible';
import { callApi, makeWorkspace, type Workspace } from './support/api';
import { expect, test } from './support/fixtures';
import { mockProblem } from './support/mock-problem';
import { runSql } from './support/run-sql';
import { makePerson, makeProject, signInAs } from './support/team';

/** Writes 30 days of statistics with a daily rhythm: the endpoint fails for four hours, ten hours ago. */
async function writeHistory({ projectId, endpointId }: Workspace): Promise<void> {
  await runSql(
    `WITH hour AS (
       SELECT starts_at, n, (400 + 320 * sin((n % 24) * pi() / 12))::int AS busy,
              CASE WHEN n BETWEEN 7 AND 10 THEN 60 ELSE n % 5 END AS failing
       FROM (SELECT date_trunc('hour', now()) - n * interval '1 hour' AS starts_at, n FROM generate_series(0, 719) n) h
     ), place AS (
       SELECT h.*, p.period, p.subject_id, p.part, p.starts_at AS at FROM hour h
       CROSS JOIN LATERAL (VALUES
         ('HOUR', $1::uuid, 1.0, h.starts_at), ('HOUR', $2::uuid, 0.5, h.starts_at)) p(period, subject_id, part, starts_at)
       UNION ALL
       SELECT h.*, 'MINUTE', $1::uuid, 1.0 / 60, h.starts_at + m * interval '1 minute'
       FROM hour h, generate_series(0, 59) m WHERE h.n < 48 AND h.starts_at + m * interval '1 minute' < now()
     )
     INSERT INTO stats (project_id, period, subject_id, starts_at, events, incoming_verified, incoming_unsigned, incoming_rejected,
                        succeeded, server_errors, timeouts, deliveries_failed, durations, latencies)
     SELECT $1::uuid, period::"StatPeriod", subject_id, at, (busy * part)::int, (busy * part / 3)::int, 0,
            (failing * part / 9)::int, ceil(busy * part)::int, (failing * part)::int, (failing * part / 4)::int,
            (failing * part / 8)::int,
            array_fill(0, ARRAY[20]) || ARRAY[(busy * part)::int, (busy * part / 2)::int + 1, n % 7, (busy * part / 30)::int],
            array_fill(0, ARRAY[22]) || ARRAY[(busy * part)::int, (busy * part / 2)::int + 1, n % 9, (busy * part / 20)::int]
     FROM place ON CONFLICT DO NOTHING`,
    [projectId, endpointId],
  );
}

const chart = (page: import('@playwright/test').Page, name: string) => page.getByRole('region', { name, exact: true });

test('a project opens on its overview, whose figures link to their rows and whose charts are also tables', async ({
  page,
  receiver,
  baseURL,
}) => {
  const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
  const { projectId, key } = workspace;
  const body = { type: 'order.paid', data: {} };
  await callApi(baseURL ?? '', 'POST', '/events', { key, body });
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
  baseURL,
}) => {
  const base = baseURL ?? '';
  const workspace = await makeWorkspace(base, receiver.url);
  const { projectId, endpointId, token } = workspace;
  await writeHistory(workspace);
  const change = { description: 'Billing: books every payment', enabled: false };
  await callApi(base, 'PATCH', `/projects/${projectId}/endpoints/${endpointId}`, { token, body: change });
  await signInAs(page, workspace);
  await page.goto(`/projects/${projectId}/overview`);
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await expect(page.getByText(receiver.url, { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: change.description }).click();
  await expect(page).toHaveURL(new RegExp(`/endpoints/${endpointId}$`));
  await expect(page.getByText('Paused', { exact: true }).first()).toBeVisible();
});

test('is clean for axe in both themes and on a phone, as are endpoints with their health', async ({
  page,
  receiver,
  baseURL,
}) => {
  const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
  await callApi(baseURL ?? '', 'POST', '/events', { key: workspace.key, body: { type: 'order.paid', data: {} } });
  await writeHistory(workspace);
  await signInAs(page, workspace);
  const { projectId, endpointId } = workspace;
  await page.goto(`/projects/${projectId}/overview`);
  await expect(page.getByRole('slider', { name: 'Latency' })).toBeVisible();
  await expect(page.getByText('API keys expiring in 30 days')).toBeVisible();
  await expectCleanInEveryView(page);
  await page.getByRole('button', { name: 'Show Outcomes as table' }).click();
  await expectCleanInEveryView(page);
  await page.goto(`/projects/${projectId}/endpoints`);
  await expect(page.getByText(/p95 \d/)).toBeVisible();
  await expectCleanInEveryView(page);
  await page.goto(`/projects/${projectId}/endpoints/${endpointId}`);
  await expect(page.getByRole('img', { name: /^Last 24 hours/ })).toBeVisible();
  await expectCleanInEveryView(page);
});

test('an empty project leads to the setup guide, a failure shows its request, and another’s project stays hidden', async ({
  page,
  receiver,
  baseURL,
}) => {
  const person = await makePerson(baseURL ?? '', 'Ada Lovelace');
  const project = await makeProject(baseURL ?? '', person, 'Empty');
  const foreign = await makeWorkspace(baseURL ?? '', receiver.url);
  await signInAs(page, person);
  await page.goto(`/projects/${project.id}/overview`);
  await expect(page.getByRole('link', { name: 'Open the setup guide' })).toHaveAttribute(
    'href',
    `/?project=${project.id}`,
  );
  await page.route('**/stats**', (route) => route.fulfill(mockProblem('forbidden', 'Not now.')));
  await page.reload();
  await expect(page.getByText('We couldn’t load the overview.')).toBeVisible();
  await expect(page.getByText('req-7')).toBeVisible();
  await page.unroute('**/stats**');
  await page.goto(`/projects/${foreign.projectId}/overview`);
  await expect(page.getByRole('heading', { name: 'Project not found', level: 1 })).toBeVisible();
});
