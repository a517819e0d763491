import { readdir, readFile } from 'node:fs/promises';
import { clientCallsOf } from '@/components/docs/api/client-calls';
import type { ApiDocument } from '@/components/docs/api/document-types';
import { makeReference, type Reference } from '@/components/docs/api/make-reference';
import type { DocsSection } from '@/components/docs/docs-sections';
import { GUIDE_GROUPS, GUIDES_PATH } from '@/components/docs/guides/guide-groups';
import { makeSections, type NamedGuide } from '@/components/docs/make-sections';
import { type Guide, parseGuide } from '@/components/docs/markdown/parse-guide';
import { guideText, type PartText } from '@/components/docs/search/excerpt';
import { listSearchEntries, makeIndex, type SearchIndex } from '@/components/docs/search/search-index';
import { readDocument } from '@/lib/api/openapi/document-file';
import { COMMANDS } from '@/lib/cli/commands';
import { describeCommands } from '@/lib/cli/describe-commands';
import type { GroupDescription } from '@/lib/cli/types';
import { createResources } from '@/lib/client/generated/resources';
import { ERRORS } from '@/lib/platform/errors';
import { once } from '@/lib/platform/globals';

const COMMAND_LINE = 'docs/guides/command-line.md';

/** Returns what the reference of the command line shows. */
export function loadCommands(): GroupDescription[] {
  return describeCommands(COMMANDS);
}

const SAMPLES = 'lib/cli/output-samples';

/** Reads what commands print, by the name of the command. Their tests write the files. */
export async function loadOutputSamples(): Promise<ReadonlyMap<string, string>> {
  const files = await readdir(SAMPLES);
  const samples = files.map(async (file): Promise<[string, string]> => {
    const name = file.replace(/\.txt$/, '').replaceAll('.', ' ');
    return [name, (await readFile(`${SAMPLES}/${file}`, 'utf8')).trimEnd()];
  });
  return new Map(await Promise.all(samples));
}

/** Reads a guide of the repository, once in a process. @param file path from the root */
export function loadGuide(file: string): Promise<Guide> {
  return once(`guide ${file}`, () => ({ guide: readFile(file, 'utf8').then(parseGuide) })).guide;
}

/** Returns the guides of `docs/guides` in the order of the navigation. */
export function loadGuides(): Promise<NamedGuide[]> {
  const slugs = GUIDE_GROUPS.flatMap((group) => group.slugs);
  return Promise.all(slugs.map(async (slug) => ({ slug, guide: await loadGuide(`docs/guides/${slug}.md`) })));
}

/** Returns the pages of the API reference, made once in a process. */
export function loadReference(): Promise<Reference> {
  return once('api-reference', () => ({
    reference: readDocument().then(({ content }) =>
      makeReference(JSON.parse(content.toString()) as ApiDocument, clientCallsOf(createResources)),
    ),
  })).reference;
}

/** Returns the sections of the documentation. Made once in a process: they never change. */
export function loadSections(): Promise<DocsSection[]> {
  return once('docs sections', () => ({ sections: readSections() })).sections;
}

async function readSections(): Promise<DocsSection[]> {
  const [guides, reference, commandLine, client] = await Promise.all([
    loadGuides(),
    loadReference(),
    loadGuide(COMMAND_LINE),
    loadGuide('lib/client/README.md'),
  ]);
  return makeSections({
    guides,
    reference,
    errorCodes: Object.keys(ERRORS),
    commandLine,
    commands: loadCommands(),
    client,
  });
}

/** Returns the index of the search. Made once in a process: anyone may search, as often as they like. */
export function loadIndex(): Promise<SearchIndex> {
  return once('docs index', () => ({ index: readSearched() })).index;
}

async function readSearched(): Promise<SearchIndex> {
  const [sections, texts] = await Promise.all([loadSections(), loadTexts()]);
  return makeIndex(listSearchEntries(sections), new Map([...texts].map(([href, { text }]) => [href, text])));
}

/** Returns the text of the guides by the paths of their parts. Made once in a process. */
export function loadTexts(): Promise<ReadonlyMap<string, PartText>> {
  return once('docs texts', () => ({ texts: readTexts() })).texts;
}

async function readTexts(): Promise<ReadonlyMap<string, PartText>> {
  const [guides, commandLine] = await Promise.all([loadGuides(), loadGuide(COMMAND_LINE)]);
  const texts = guides.flatMap(({ slug, guide }) => guideText(guide, `${GUIDES_PATH}/${slug}`));
  return new Map([...texts, ...guideText(commandLine, '/docs/cli')].map((text) => [text.href, text]));
}
