import type { GroupDescription } from '@/lib/cli/types';
import type { Reference } from './api/make-reference';
import { TOPICS } from './api/topics';
import type { DocsEntry, DocsPage, DocsSection } from './docs-sections';
import { GUIDE_GROUPS, GUIDES_PATH } from './guides/guide-groups';
import type { Guide } from './markdown/parse-guide';

/** A guide with its name in URLs. */
export interface NamedGuide {
  slug: string;
  guide: Guide;
}

interface Content {
  guides: readonly NamedGuide[];
  reference: Reference;
  errorCodes: readonly string[];
  commandLine: Guide;
  commands: readonly GroupDescription[];
  client: Guide;
}

/** Returns the sections of the documentation with their navigation, in the order of the header. */
export function makeSections({ guides, reference, errorCodes, commandLine, commands, client }: Content): DocsSection[] {
  const methods = { name: 'Methods', title: 'Methods of the TypeScript client', href: '/docs/client#methods' };
  return [
    section('Guides', { title: 'All guides', href: GUIDES_PATH, entries: [] }, guideGroups(guides)),
    section('API', { title: 'Overview', href: '/docs/api', entries: topicEntries() }, referenceGroups(reference)),
    section('Errors', {
      title: 'Error codes',
      href: '/docs/errors',
      entries: errorCodes.map((code) => ({ name: code, title: code, href: `/docs/errors#${code}` })),
    }),
    section('Command line', { title: 'Overview', href: '/docs/cli', entries: guideEntries(commandLine, '/docs/cli') }, [
      { title: 'Commands', pages: commands.map(commandPage) },
    ]),
    section('TypeScript client', {
      title: 'Overview',
      href: '/docs/client',
      entries: [...guideEntries(client, '/docs/client'), methods],
    }),
  ];
}

/** A section with its first page before all groups. */
function section(title: string, first: DocsPage, groups: DocsSection['groups'] = []): DocsSection {
  return { title, href: first.href, groups: [{ title: null, pages: [first] }, ...groups] };
}

function guideGroups(guides: readonly NamedGuide[]): DocsSection['groups'] {
  const pageOf = ({ slug, guide }: NamedGuide) => {
    const href = `${GUIDES_PATH}/${slug}`;
    return { title: guide.title, href, entries: guideEntries(guide, href) };
  };
  return GUIDE_GROUPS.map(({ title, slugs }) => ({
    title,
    pages: guides.filter(({ slug }) => slugs.includes(slug)).map(pageOf),
  }));
}

function topicEntries(): DocsEntry[] {
  return TOPICS.map(({ id, title }) => ({ name: title, title, href: `/docs/api#${id}` }));
}

function referenceGroups({ groups }: Reference): DocsSection['groups'] {
  return groups.map(({ title, pages }) => ({
    title,
    pages: pages.map(({ slug, title: page, operations }) => ({
      title: page,
      href: `/docs/api/${slug}`,
      entries: operations.map(({ id, anchor, name, title: summary, method, path }) => ({
        name,
        title: summary,
        href: `/docs/api/${slug}#${anchor}`,
        call: { id, method, path },
      })),
    })),
  }));
}

function commandPage({ name, commands }: GroupDescription): DocsPage {
  const href = `/docs/cli/${name ?? 'commands'}`;
  const entries = commands.map((command) => ({
    name: command.name,
    title: `eds ${command.name}: ${command.summary}`,
    href: `${href}#${commandId(command.name)}`,
  }));
  return { title: groupTitle(name), href, entries };
}

/** Returns the title of the page of a group of commands. */
export function groupTitle(name: string | null): string {
  return name === null ? 'General commands' : `eds ${name}`;
}

/** Returns the id of the section of a command, such as `events-send`. */
export function commandId(name: string): string {
  return name.replaceAll(' ', '-');
}

/** Returns the headings of a guide for the navigation and the search. */
function guideEntries({ parts }: Guide, href: string): DocsEntry[] {
  const all = parts.flatMap((part) => [part, ...part.languages]);
  return all.map(({ id, title }) => ({ name: title, title, href: `${href}#${id}` }));
}
