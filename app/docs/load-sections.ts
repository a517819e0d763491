import { apiSection } from '@/components/docs/api/api-section';
import { cliSection } from '@/components/docs/cli/cli-section';
import { clientSection } from '@/components/docs/client/client-section';
import type { DocsSection } from '@/components/docs/docs-sections';
import { errorsSection } from '@/components/docs/errors-section';
import { guidesSection } from '@/components/docs/guides/guides-section';
import { ERRORS } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';
import { loadCommands } from './load-commands';
import { loadGuide } from './load-guide';
import { loadGuides } from './load-guides';
import { loadReference } from './load-reference';

/** Returns the sections of the documentation, in the order of the header. Made once in a process: they never change. */
export function loadSections(): Promise<DocsSection[]> {
  return once('docs sections', () => ({ sections: makeSections() })).sections;
}

async function makeSections(): Promise<DocsSection[]> {
  const [guides, reference, commandLine, client] = await Promise.all([
    loadGuides(),
    loadReference(),
    loadGuide('docs/guides/command-line.md'),
    loadGuide('lib/client/README.md'),
  ]);
  return [
    guidesSection(guides),
    apiSection(reference),
    errorsSection(Object.keys(ERRORS)),
    cliSection(commandLine, loadCommands()),
    clientSection(client),
  ];
}
