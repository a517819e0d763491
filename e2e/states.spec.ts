import fs from 'node:fs';
import type { Page } from '@playwright/test';
import { OPEN } from './support/accessible';
import { expect, test } from './support/fixtures';
import { mockProblem } from './support/mock-problem';
import { makePages, openLoaded } from './support/pages';
import { expectRefused } from './support/refused';
import { addMember, makePerson, makeProject, signInAs } from './support/team';

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
  '/projects/[projectId]/event-types': { path: /\/event-types$/, what: 'event types' },
  '/projects/[projectId]/event-types/[name]': { path: /\/event-types\/[^/]+$/, what: 'event type' },
  '/projects/[projectId]/customers': { path: /\/customers$/, what: 'customers' },
  '/projects/[projectId]/customers/[customerId]': { path: /\/customers\/[^/]+$/, what: 'customer' },
  '/projects/[projectId]/subscriptions': { path: /\/subscriptions$/, what: 'subscriptions' },
  '/projects/[projectId]/keys': { path: /\/api-keys$/, what: 'API keys' },
  '/projects/[projectId]/keys/[apiKeyId]': { path: /\/api-keys\/[^/]+$/, what: 'key' },
  '/projects/[projectId]/alerts': { path: /\/alerts$/, what: 'alerts' },
  '/projects/[projectId]/alerts/[alertId]': { path: /\/alerts\/[^/]+$/, what: 'alert' },
  '/projects/[projectId]/jobs': { path: /\/jobs$/, what: 'jobs' },
  '/projects/[projectId]/settings': { path: /\/projects\/[^/]+$/, what: 'project' },
  '/projects/[projectId]/settings/portal': { path: /\/projects\/[^/]+$/, what: 'portal' },
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
  '/projects/[projectId]/event-types': /No event types yet/,
  '/projects/[projectId]/customers': /No customers yet/,
  '/projects/[projectId]/subscriptions': /No subscriptions yet/,
  '/projects/[projectId]/keys': /No API keys yet/,
  '/projects/[projectId]/alerts': /No alerts yet/,
  '/projects/[projectId]/jobs': /No jobs yet/,
  '/projects/[projectId]/sources': /No sources yet/,
  '/projects/[projectId]/incoming-events': /No incoming events yet/,
  '/projects/[projectId]/tunnels': /No tunnels yet/,
};

/** The buttons of each page that the role of a viewer forbids, and the least role that has them; null for pages without any. */
const FORBIDDEN: Record<string, { buttons: RegExp[]; least: 'developer' | 'admin' | 'owner' } | null> = {
  '/': null,
  '/projects/[projectId]': null,
  '/account': null,
  '/account/sessions': null,
  '/device': null,
  '/orgs/[orgId]/audit': { buttons: [/^Download CSV/], least: 'admin' },
  '/orgs/[orgId]/members': { buttons: [/^Invite member/], least: 'admin' },
  '/orgs/[orgId]/settings': { buttons: [/^Delete organization/], least: 'owner' },
  '/projects/[projectId]/overview': null,
  '/projects/[projectId]/events': null,
  '/projects/[projectId]/events/[eventId]': { buttons: [/^Retry now/], least: 'developer' },
  '/projects/[projectId]/deliveries': { buttons: [/^Retry matching/], least: 'developer' },
  '/projects/[projectId]/deliveries/[deliveryId]': { buttons: [/^Retry now/], least: 'developer' },
  '/projects/[projectId]/endpoints': { buttons: [/^New endpoint/], least: 'developer' },
  '/projects/[projectId]/endpoints/[endpointId]': {
    buttons: [/^Delete/, /^Send test/, /^Show/, /^Add filter/, /^Edit options/, /^Replay events/],
    least: 'developer',
  },
  '/projects/[projectId]/event-types': { buttons: [/^New event type/], least: 'developer' },
  '/projects/[projectId]/event-types/[name]': { buttons: [/^Edit/, /^Delete/, /^Send example/], least: 'developer' },
  '/projects/[projectId]/customers': { buttons: [/^New customer/], least: 'developer' },
  '/projects/[projectId]/customers/[customerId]': {
    buttons: [/^Edit/, /^Delete/, /^Add endpoint/, /^Open portal/],
    least: 'developer',
  },
  '/projects/[projectId]/subscriptions': { buttons: [/^New subscription/], least: 'developer' },
  '/projects/[projectId]/keys': { buttons: [/^New key/], least: 'developer' },
  '/projects/[projectId]/keys/[apiKeyId]': { buttons: [/^Rotate/, /^Revoke/], least: 'developer' },
  '/projects/[projectId]/alerts': { buttons: [/^New alert/], least: 'admin' },
  '/projects/[projectId]/alerts/[alertId]': {
    buttons: [/^Send a test/, /^Mute/, /^Disable/, /^Edit/, /^Delete/],
    least: 'admin',
  },
  '/projects/[projectId]/jobs': null,
  '/projects/[projectId]/settings': { buttons: [/^Save name/, /^Delete project/], least: 'admin' },
  '/projects/[projectId]/settings/portal': { buttons: [/^Save portal/], least: 'admin' },
  '/projects/[projectId]/sources': { buttons: [/^New source/], least: 'developer' },
  '/projects/[projectId]/sources/[sourceId]': {
    buttons: [/^Edit/, /^Delete/, /^Rotate URL/, /^Add destination/],
    least: 'developer',
  },
  '/projects/[projectId]/incoming-events': { buttons: [/^Replay matching/], least: 'developer' },
  '/projects/[projectId]/incoming-events/[incomingEventId]': { buttons: [/^Replay/], least: 'developer' },
  '/projects/[projectId]/tunnels': { buttons: [/^New tunnel/], least: 'developer' },
  '/projects/[projectId]/tunnels/[tunnelId]': { buttons: [/^Edit/, /^Delete/, /^Rotate URL/], least: 'developer' },
  '/projects/[projectId]/tunnels/[tunnelId]/requests/[requestId]': { buttons: [/^Replay/], least: 'developer' },
  '/retention': null,
};

/** The items of the menus of rows that the role of a viewer forbids, by the page and the button of the menu. */
const FORBIDDEN_ITEMS = [
  { route: '/projects/[projectId]/customers', menu: /^Actions for /, items: ['Edit', 'Delete'] },
  { route: '/projects/[projectId]/keys', menu: 'Actions for server', items: ['Rotate', 'Revoke'] },
  {
    route: '/projects/[projectId]/sources/[sourceId]',
    menu: /^Actions for http/,
    items: ['Edit', 'Signing secret', 'Resume', 'Recover since…', 'Delete'],
  },
];

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

test('the tables have every page of a signed-in person', () => {
  const files = fs.readdirSync('app/(dashboard)', { recursive: true, encoding: 'utf8' });
  const pages = files
    .filter((file) => /(?:^|\/)page\.tsx$/.test(file))
    .map((file) => `/${file.replace(/\/?page\.tsx$/, '')}`);
  expect(Object.keys(DATA).sort()).toEqual([...pages, '/device'].sort());
  expect(Object.keys(FORBIDDEN).sort()).toEqual(Object.keys(DATA).sort());
});

test('every page shows that it loads, then why it cannot, and its data on another try', async ({ page, workspace }) => {
  const existing = await makePages(workspace);
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

test('every list of a new project says that it is empty, and what to do', async ({ page }) => {
  const person = await makePerson('Ada Lovelace');
  const { id } = await makeProject(person, 'Empty');
  await signInAs(page, person);
  for (const [route, text] of Object.entries(EMPTY)) {
    await page.goto(route.replace('[projectId]', id), AT_ONCE);
    await expect(page.getByRole('main').getByText(text).first(), route).toBeVisible();
  }
});

test('every page tells a viewer which role its controls need', async ({ page, workspace }) => {
  const existing = await makePages(workspace);
  const viewer = await makePerson('Vera Viewer');
  await addMember(workspace.projectId, viewer.email, 'VIEWER');
  await signInAs(page, viewer);
  for (const [route, forbidden] of Object.entries(FORBIDDEN)) {
    if (forbidden === null) continue;
    await openLoaded(page, pathOf(route, existing));
    const or = forbidden.least === 'owner' ? '' : ' or higher';
    for (const name of forbidden.buttons) {
      const button = page.getByRole('main').getByRole('button', { name }).first();
      await expectRefused(button, `Your role here is viewer; this needs ${forbidden.least}${or}.`);
      await button.press('Enter');
      await expect(page.locator(OPEN)).toHaveCount(0);
    }
    for (const { menu, items } of FORBIDDEN_ITEMS.filter((each) => each.route === route)) {
      await page.getByRole('button', { name: menu }).click();
      for (const name of items) {
        const item = page.getByRole('menuitem', { name });
        await expect(item).toHaveAttribute('aria-disabled', 'true');
        await expect(item).toContainText('Your role here is viewer; this needs developer or higher.');
      }
      await page.keyboard.press('Escape');
    }
    if (route.endsWith('/settings')) await expect(page.getByLabel('Name')).not.toBeEditable();
    if (route.endsWith('/[sourceId]')) await expect(page.getByText('The URL is hidden.')).toBeVisible();
  }
});
