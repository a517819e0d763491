import type { DocsSection } from '@/components/docs/docs-sections';
import { guideEntries } from '@/components/docs/markdown/guide-entries';
import type { Guide } from '@/components/docs/markdown/parse-guide';
import type { GroupDescription } from '@/lib/cli/types';
import { commandId } from './command-id';

const CLI_PATH = '/docs/cli';

/** Returns the navigation of the command line. */
export function cliSection(guide: Guide, groups: readonly GroupDescription[]): DocsSection {
  const pages = groups.map(({ name, commands }) => {
    const href = `${CLI_PATH}/${name ?? 'commands'}`;
    const entries = commands.map((command) => ({
      name: command.name,
      title: `eds ${command.name}: ${command.summary}`,
      href: `${href}#${commandId(command.name)}`,
    }));
    return { title: name === null ? 'General commands' : `eds ${name}`, href, entries };
  });
  return {
    title: 'Command line',
    href: CLI_PATH,
    groups: [
      { title: null, pages: [{ title: 'Overview', href: CLI_PATH, entries: guideEntries(guide, CLI_PATH) }] },
      { title: 'Commands', pages },
    ],
  };
}
