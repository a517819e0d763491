import fs from 'node:fs';
import type { Page } from '@playwright/test';
import { callApi, makeWorkspace, type Workspace } from './support/api';
import { fetchChecked } from './support/check-response';
import { expect, test } from './support/fixtures';
import { mockProblem } from './support/mock-problem';
import { makePages, openLoaded } from './support/pages';
import { expectRefused } from './support/refused';
import { makeSource } from './support/sources';
import { addMember, makePerson, makeProject, signInAs } from './support/team';
import { logRequest, makeTunnel } from './support/tunnels';

const ID = '0197b6a0-0000-7000-8000-000000000000';

/** The tests wait for what a page shows, not for its last script. */
const AT_ONCE = { waitUntil: 'commit' } as const;

/**
 * What each page of a signed-in person waits for, by its route: the end of the API's path, and how the list or resource is
 * called. Null for a page that redirects or asks for something first.
 */
const DATA: Record<string, { path: RegExp; what: string } | null> = {
  '/': null,
  '/projects/[projectId]': null,
  '/account': { path: /\/auth\/me$/, what: 'your account' },
  '/account/sessions': { path: /\/sessions$/, what: 'sessions' },
  '/device': null,
  '/orgs/[orgId]/audit': { path: /\/audit-log$/, what: 'audit log' },
  '/orgs/[orgId]/members': { path: /\/members$/, what: 'members' },
  '/orgs/[orgId]/settings': { path: /\/auth\/me$/, what: 'organization' },
  '/projects/[projectId]/overview': { path: /\/stats$/, what: 'overview' },
  '/projects/[projectId]/events': { path: /\/events$/, what: 'events' },
  '/projects/[projectId]/events/[eventId]': { path: /\/events\/[^/]+$/, what: 'event' },
  '/projects/[projectId]/deliveries': { path: /\/deliveries$/, what: 'deliveries' },
  '/projects/[projectId]/deliveries/[deliveryId]': { path: /\/deliveries\/[^/]+$/, what: 'delivery' },
  '/projects/[projectId]/endpoints': { path: /\/endpoints$/, what: 'endpoints' },
  '/projects/[projectId]/endpoints/[endpointId]': { path: /\/endpoints\/[^/]+$/, what: 'endpoint' },
  '/projects/[projectId]/subscriptions': { path: /\/subscriptions$/, what: 'subscriptions' },
  '/projects/[projectId]/keys': { path: /\/api-keys$/, what: 'API keys' },
  '/projects/[projectId]/settings': { path: /\/projects\/[^/]+$/, what: 'project' },
  '/projects/[projectId]/sources': { path: /\/sources$/, what: 'sources' },
  '/projects/[projectId]/sources/[sourceId]': { path: /\/sources\/[^/]+$/, what: 'source' },
  '/projects/[projectId]/incoming-events': { path: /\/incoming-events$/, what: 'incoming events' },
  '/projects/[projectId]/incoming-events/[incomingEventId]': {
    path: /\/incoming-events\/[^/]+$/,
    what: 'incoming event',
  },
  '/projects/[projectId]/tunnels': { path: /\/tunnels$/, what: 'tunnels' },
  '/projects/[projectId]/tunnels/[tunnelId]': { path: /\/tunnels\/[^/]+$/, what: 'tunnel' },
  '/projects/[projectId]/tunnels/[tunnelId]/requests/[requestId]': { path: /\/requests\/[^/]+$/, what: 'request' },
  '/retention': { path: /\/orgs\/[^/]+\/retention$/, what: 'retention rules' },
};

/** What an empty page says, by its route. */
const EMPTY: Record<string, RegExp> = {
  '/projects/[projectId]/overview': /Open the setup guide/,
  '/projects/[projectId]/events': /No events yet/,
  '/projects/[projectId]/deliveries': /No deliveries yet/,
  '/projects/[projectId]/endpoints': /No endpoints yet/,
  '/projects/[projectId]/subscriptions': /No subscriptions yet/,
  '/projects/[projectId]/keys': /No API keys yet/,
  '/projects/[projectId]/sources': /No sources yet/,
  '/projects/[projectId]/incoming-events': /No incoming events yet/,
  '/projects/[projectId]/tunnels': /No tunnels yet/,
};

/** A button of each page that the role of a viewer forbids; null for pages on which a viewer may do everything. */
const FORBIDDEN: Record<string, { button: RegExp; least: 'developer' | 'admin' | 'owner' } | null> = {
  '/': null,
  '/projects/[projectId]': null,
  '/account': null,
  '/account/sessions': null,
  '/device': null,
  '/orgs/[orgId]/audit': { button: /^Download CSV/, least: 'admin' },
  '/orgs/[orgId]/members': { button: /^Invite member/, least: 'admin' },
  '/orgs/[orgId]/settings': { button: /^Delete organization/, least: 'owner' },
  '/projects/[projectId]/overview': null,
  '/projects/[projectId]/events': null,
  '/projects/[projectId]/events/[eventId]': { button: /^Resend/, least: 'developer' },
  '/projects/[projectId]/deliveries': { button: /^Retry matching/, least: 'developer' },
  '/projects/[projectId]/deliveries/[deliveryId]': { button: /^Resend/, least: 'developer' },
  '/projects/[projectId]/endpoints': { button: /^New endpoint/, least: 'developer' },
  '/projects/[projectId]/endpoints/[endpointId]': { button: /^Delete/, least: 'developer' },
  '/projects/[projectId]/subscriptions': { button: /^New subscription/, least: 'developer' },
  '/projects/[projectId]/keys': { button: /^New key/, least: 'developer' },
  '/projects/[projectId]/settings': { button: /^Delete project/, least: 'admin' },
  '/projects/[projectId]/sources': { button: /^New source/, least: 'developer' },
  '/projects/[projectId]/sources/[sourceId]': { button: /^Delete/, least: 'developer' },
  '/projects/[projectId]/incoming-events': { button: /^Replay matching/, least: 'developer' },
  '/projects/[projectId]/incoming-events/[incomingEventId]': { button: /^Replay/, least: 'developer' },
  '/projects/[projectId]/tunnels': { button: /^New tunnel/, least: 'developer' },
  '/projects/[projectId]/tunnels/[tunnelId]': { button: /^Delete/, least: 'developer' },
  '/projects/[projectId]/tunnels/[tunnelId]/requests/[requestId]': { button: /^Replay/, least: 'developer' },
  '/retention': null,
};

const loading = (page: Page) =>
  page
    .getByRole('main')
    .locator('[aria-busy="true"]')
    .or(page.getByRole('status').filter({ hasText: 'Loading' }))
    .first();

/** Returns the path of a route, with the ids of the paths that exist, or an unknown one. */
function pathOf(route: string, existing: readonly string[]): string {
  const pattern = new RegExp(`^${route.replaceAll(/\[\w+\]/g, '[0-9a-f-]{36}')}$`);
  const found = existing.find((path) => pattern.test(path));
  const projectId = /\/projects\/([^/]+)/.exec(existing.join(' '))?.[1] ?? '';
  return found ?? route.replace('[projectId]', projectId).replaceAll(/\[\w+\]/g, ID);
}

/** Makes an incoming event and a request to a tunnel. Returns their pages. */
async function makeReceived(base: string, workspace: Workspace): Promise<string[]> {
  const { token, projectId } = workspace;
  const source = await makeSource(base, workspace, 'NONE');
  const incoming = (await (await fetchChecked(source.url, { method: 'POST', body: 'x' })).json()) as { id: string };
  const tunnel = await makeTunnel(base, workspace, { name: 'Laptop' });
  await logRequest(projectId, tunnel.id, { path: '/hook' });
  const requests = `/projects/${projectId}/tunnels/${tunnel.id}/requests`;
  const { data } = await callApi<{ data: { id: string }[] }>(base, 'GET', requests, { token });
  return [`/projects/${projectId}/incoming-events/${incoming.id}`, `${requests}/${data[0]?.id}`];
}

test('the tables have every page of a signed-in person', () => {
  const files = fs.readdirSync('app/(dashboard)', { recursive: true, encoding: 'utf8' });
  const pages = files
    .filter((file) => /(?:^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`);
  expect(Object.keys(DATA).sort()).toEqual([...pages, '/device'].sort());
  expect(Object.keys(FORBIDDEN).sort()).toEqual(Object.keys(DATA).sort());
});

test('every page shows that it loads, then why it cannot, and its data on another try', async ({
  page,
  receiver,
  baseURL,
}) => {
  const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
  const existing = await makePages(baseURL ?? '', workspace);
  await signInAs(page, workspace);
  for (const [route, data] of Object.entries(DATA)) {
    if (data === null) continue;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isData = (url: URL) => url.pathname.startsWith('/api/v1/') && data.path.test(url.pathname);
    await page.route(isData, async (request) => {
      await released;
      await request.fulfill(mockProblem('rate_limited', 'Not now.'));
    });
    await page.goto(pathOf(route, existing), AT_ONCE);
    await expect(loading(page), `${route} is loading`).toBeAttached();
    release();
    const failure = page.getByRole('alert').filter({ hasText: new RegExp(`load (?:the )?${data.what}\\.`, 'i') });
    await expect(failure, route).toContainText('Not now.');
    await expect(failure, route).toContainText('req-7');
    await page.unroute(isData);
    await failure.getByRole('button', { name: 'Try again' }).click();
    await expect(failure, route).toHaveCount(0);
    await expect(page.getByRole('heading', { level: 1 }).first(), route).toBeVisible();
  }
});

test('every list of a new project says that it is empty, and what to do', async ({ page, baseURL }) => {
  const person = await makePerson(baseURL ?? '', 'Ada Lovelace');
  const { id } = await makeProject(baseURL ?? '', person, 'Empty');
  await signInAs(page, person);
  for (const [route, text] of Object.entries(EMPTY)) {
    await page.goto(route.replace('[projectId]', id), AT_ONCE);
    await expect(page.getByRole('main').getByText(text).first(), route).toBeVisible();
  }
});

test('every page of a project or an organization is not found for a stranger', async ({ page, receiver, baseURL }) => {
  const workspace = await makeWorkspace(baseURL ?? '', receiver.url);
  const existing = await makePages(baseURL ?? '', workspace);
  await signInAs(page, await makePerson(baseURL ?? '', 'Mallory'));
  for (const route of Object.keys(DATA).filter((each) => DATA[each] && /^\/(?:projects|orgs)\//.test(each))) {
    await page.goto(pathOf(route, existing), AT_ONCE);
    await expect(page.getByRole('heading', { name: /not found$/, level: 1 }), route).toBeVisible();
    await expect(page.getByText('Web shop'), route).toHaveCount(0);
  }
});

test('every page tells a viewer which role its controls need', async ({ page, receiver, baseURL }) => {
  const base = baseURL ?? '';
  const workspace = await makeWorkspace(base, receiver.url);
  const existing = [...(await makePages(base, workspace)), ...(await makeReceived(base, workspace))];
  const viewer = await makePerson(base, 'Vera Viewer');
  await addMember(workspace.projectId, viewer.email, 'VIEWER');
  await signInAs(page, viewer);
  for (const [route, forbidden] of Object.entries(FORBIDDEN)) {
    if (forbidden === null) continue;
    await openLoaded(page, pathOf(route, existing));
    const button = page.getByRole('main').getByRole('button', { name: forbidden.button }).first();
    await expect(button, route).toBeVisible();
    const or = forbidden.least === 'owner' ? '' : ' or higher';
    await expectRefused(button, `Your role here is viewer; this needs ${forbidden.least}${or}.`);
  }
});
