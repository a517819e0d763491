/** The guides of `docs/guides` by group, in the order of the navigation. */
export const GUIDE_GROUPS: readonly { title: string; slugs: readonly string[] }[] = [
  { title: 'Start', slugs: ['quick-start', 'concepts'] },
  {
    title: 'Send',
    slugs: [
      'sending',
      'event-types',
      'customers',
      'portal',
      'idempotency',
      'retries',
      'missed-events',
      'alerts',
      'verifying-signatures',
      'endpoint-options',
      'filters',
      'keys',
      'moving-from-svix',
      'moving-from-convoy',
    ],
  },
  { title: 'Receive', slugs: ['incoming', 'tunnels'] },
  { title: 'People and data', slugs: ['roles', 'identity-provider', 'retention', 'export-and-erasure', 'security'] },
  {
    title: 'Deploy',
    slugs: [
      'self-hosting',
      'configuration',
      'containers',
      'kubernetes',
      'database',
      'sizing',
      'cells',
      'several-machines',
    ],
  },
  { title: 'Operate', slugs: ['observability', 'runbook', 'upgrading', 'backup'] },
];

/** The path of all guides. */
export const GUIDES_PATH = '/docs/guides';

/** Where each reader starts, in the order in which they need it. */
export const START_LINKS: readonly { role: string; links: readonly { title: string; href: string }[] }[] = [
  {
    role: 'I send events',
    links: [
      { title: 'Deliver your first event', href: `${GUIDES_PATH}/quick-start#deliver-your-first-event` },
      { title: 'Send from your code', href: `${GUIDES_PATH}/sending#the-request` },
      { title: 'Send to one of your customers', href: `${GUIDES_PATH}/customers` },
      { title: 'Show your customers their webhooks', href: `${GUIDES_PATH}/portal` },
      { title: 'Move from Svix', href: `${GUIDES_PATH}/moving-from-svix` },
      { title: 'Send again without duplicates', href: `${GUIDES_PATH}/idempotency#send-a-key` },
      { title: 'See why a delivery failed', href: `${GUIDES_PATH}/retries#why-did-it-fail` },
    ],
  },
  {
    role: 'I receive them',
    links: [
      { title: 'Receive webhooks locally', href: `${GUIDES_PATH}/tunnels#receive-webhooks-locally` },
      { title: 'Verify the signature', href: `${GUIDES_PATH}/verifying-signatures` },
      { title: 'Know what counts as success', href: `${GUIDES_PATH}/retries#what-counts-as-success` },
      { title: 'Skip duplicates', href: `${GUIDES_PATH}/idempotency#on-the-receiving-side` },
    ],
  },
  {
    role: 'I build against the API',
    links: [
      { title: 'Create an API key', href: `${GUIDES_PATH}/keys#create-a-key` },
      { title: 'Read the API reference', href: '/docs/api' },
      { title: 'Use the TypeScript client', href: '/docs/client' },
      { title: 'Handle errors', href: '/docs/errors' },
    ],
  },
  {
    role: 'I operate it',
    links: [
      { title: 'Install the service', href: `${GUIDES_PATH}/self-hosting` },
      { title: 'Configure it', href: `${GUIDES_PATH}/configuration` },
      { title: 'Watch it', href: `${GUIDES_PATH}/observability` },
      { title: 'Back it up', href: `${GUIDES_PATH}/backup` },
    ],
  },
];

/** Documents that have a page elsewhere, by their path in the repository. */
const PAGES: Record<string, string> = {
  'docs/guides/command-line.md': '/docs/cli',
  'docs/api.md': '/docs/api',
  'lib/client/README.md': '/docs/client',
};

/**
 * Returns where a relative link of a guide leads on the site.
 * @param href as in the Markdown, relative to `docs/guides`
 * @returns the path of a page, or the path of a file in the repository that has no page
 */
export function resolveGuideLink(href: string): { page: string } | { file: string } {
  const { pathname, hash } = new URL(href, 'file:///docs/guides/');
  const file = pathname.slice(1);
  const slug = /^docs\/guides\/([\w-]+)\.md$/.exec(file)?.[1];
  const page = PAGES[file] ?? (slug === undefined ? undefined : `${GUIDES_PATH}/${slug}`);
  return page === undefined ? { file } : { page: page + hash };
}
