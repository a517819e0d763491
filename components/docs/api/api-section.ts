import type { DocsSection } from '@/components/docs/docs-sections';
import { TOPICS } from './guide/topics';
import type { Reference } from './reference-types';

export const API_PATH = '/docs/api';

/** Returns the navigation of the API reference. */
export function apiSection({ groups }: Reference): DocsSection {
  const topics = Object.entries(TOPICS).map(([id, title]) => ({ name: title, title, href: `${API_PATH}#${id}` }));
  return {
    title: 'API',
    href: API_PATH,
    groups: [
      { title: null, pages: [{ title: 'Overview', href: API_PATH, entries: topics }] },
      ...groups.map(({ title, pages }) => ({
        title,
        pages: pages.map(({ slug, title: page, operations }) => ({
          title: page,
          href: `${API_PATH}/${slug}`,
          entries: operations.map(({ id, anchor, name, title: summary, method, path }) => ({
            name,
            title: summary,
            href: `${API_PATH}/${slug}#${anchor}`,
            call: { id, method, path },
          })),
        })),
      })),
    ],
  };
}
