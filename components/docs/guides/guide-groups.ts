/** The guides of `docs/guides` by group, in the order of the navigation. */
export const GUIDE_GROUPS: readonly { title: string; slugs: readonly string[] }[] = [
  { title: 'Start', slugs: ['quick-start', 'concepts'] },
  { title: 'Send', slugs: ['sending', 'idempotency', 'retries', 'verifying-signatures', 'keys'] },
  { title: 'Receive', slugs: ['incoming', 'tunnels'] },
  { title: 'People and data', slugs: ['roles', 'identity-provider', 'retention', 'export-and-erasure', 'security'] },
  { title: 'Deploy', slugs: ['self-hosting', 'configuration', 'containers', 'kubernetes', 'database', 'sizing'] },
  { title: 'Operate', slugs: ['observability', 'runbook', 'upgrading', 'backup'] },
];

/** The path of all guides. */
export const GUIDES_PATH = '/docs/guides';

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
