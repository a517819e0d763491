/** The ids that paths of pages contain, by name. */
export type PageIds = Record<string, string>;

/**
 * Who sees a page: nobody signed in, a signed-in person, or the operator with the platform's token.
 * Its name is the name of the picture.
 */
interface PagePicture {
  name: string;
  visitor: 'anyone' | 'person' | 'operator';
  /** The path to open, when it is more than the route with its ids. */
  path?: string;
}

const anyone = (name: string, path?: string): PagePicture => ({
  name,
  visitor: 'anyone',
  ...(path === undefined ? {} : { path }),
});
const person = (name: string, path?: string): PagePicture => ({ ...anyone(name, path), visitor: 'person' });

/** The picture of every page, by its route in app/. A page with null redirects, needs a link from an email or of a portal, or shows what the demo lacks. */
export const PAGE_PICTURES: Record<string, PagePicture | null> = {
  '/login': anyone('sign-in'),
  '/register': anyone('register'),
  '/forgot-password': anyone('forgot-password'),
  '/reset-password': anyone('reset-password', '/reset-password?token=x'),
  '/verify-email': null,
  '/accept-invitation': null,
  '/': null,
  '/portal/[projectId]': null,
  '/account': person('account'),
  '/account/sessions': person('sessions'),
  '/device': person('device'),
  '/orgs/[orgId]/audit': person('audit-log'),
  '/orgs/[orgId]/members': person('members'),
  '/orgs/[orgId]/settings': person('organization'),
  '/projects/[projectId]': null,
  '/projects/[projectId]/overview': person('overview'),
  '/projects/[projectId]/events': person('events'),
  '/projects/[projectId]/events/[eventId]': person('event'),
  '/projects/[projectId]/deliveries': person('deliveries'),
  '/projects/[projectId]/deliveries/[deliveryId]': person('delivery'),
  '/projects/[projectId]/endpoints': person('endpoints'),
  '/projects/[projectId]/endpoints/[endpointId]': person('endpoint'),
  '/projects/[projectId]/customers': person('customers'),
  '/projects/[projectId]/customers/[customerId]': person('customer'),
  '/projects/[projectId]/subscriptions': person('subscriptions'),
  '/projects/[projectId]/jobs': person('jobs'),
  '/projects/[projectId]/alerts': person('alerts'),
  '/projects/[projectId]/alerts/[alertId]': null,
  '/projects/[projectId]/event-types': person('event-types'),
  '/projects/[projectId]/event-types/[name]': null,
  '/projects/[projectId]/keys': person('keys'),
  '/projects/[projectId]/keys/[apiKeyId]': person('key'),
  '/projects/[projectId]/settings': person('project-settings'),
  '/projects/[projectId]/settings/portal': person('portal-settings'),
  '/projects/[projectId]/sources': person('sources'),
  '/projects/[projectId]/sources/[sourceId]': person('source'),
  '/projects/[projectId]/incoming-events': person('incoming-events'),
  '/projects/[projectId]/incoming-events/[incomingEventId]': person('incoming-event'),
  '/projects/[projectId]/tunnels': person('tunnels'),
  '/projects/[projectId]/tunnels/[tunnelId]': person('tunnel'),
  '/projects/[projectId]/tunnels/[tunnelId]/requests/[requestId]': person('tunnel-request'),
  '/retention': person('retention'),
  '/operator': { name: 'operator', visitor: 'operator' },
  '/docs': null,
  '/docs/guides': anyone('docs-guides'),
  '/docs/guides/[slug]': anyone('docs-guide', '/docs/guides/verifying-signatures'),
  '/docs/search': anyone('docs-search', '/docs/search?q=retry'),
  '/docs/errors': anyone('docs-errors'),
  '/docs/client': anyone('docs-client'),
  '/docs/cli': anyone('docs-cli'),
  '/docs/cli/[group]': anyone('docs-cli-group', '/docs/cli/events'),
  '/docs/api': anyone('docs-api'),
  '/docs/api/[tag]': anyone('docs-api-events', '/docs/api/events'),
};

/** Returns the path of a page. @throws Error when an id is missing */
export function pathOf(route: string, picture: PagePicture, ids: PageIds): string {
  if (picture.path !== undefined) return picture.path;
  return route.replaceAll(/\[(\w+)\]/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined || id === '') throw new Error(`The demo has nothing for ${name} of ${route}`);
    return id;
  });
}
