import type { DocsSection } from '@/components/docs/docs-sections';
import { guideEntries } from '@/components/docs/markdown/guide-entries';
import type { Guide } from '@/components/docs/markdown/parse-guide';

const CLIENT_PATH = '/docs/client';

/** Returns the navigation of the TypeScript client. */
export function clientSection(guide: Guide): DocsSection {
  const methods = { name: 'Methods', title: 'Methods of the TypeScript client', href: `${CLIENT_PATH}#methods` };
  return {
    title: 'TypeScript client',
    href: CLIENT_PATH,
    groups: [
      {
        title: null,
        pages: [{ title: 'Overview', href: CLIENT_PATH, entries: [...guideEntries(guide, CLIENT_PATH), methods] }],
      },
    ],
  };
}
