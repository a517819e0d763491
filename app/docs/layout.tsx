import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { apiSection } from '@/components/docs/api/api-section';
import { SAMPLE_LANGUAGES } from '@/components/docs/api/samples/make-samples';
import { cliSection } from '@/components/docs/cli/cli-section';
import { clientSection } from '@/components/docs/client/client-section';
import { DocsLayout } from '@/components/docs/docs-layout';
import { errorsSection } from '@/components/docs/errors-section';
import { LanguageProvider } from '@/components/docs/reader/language-provider';
import { ReaderProvider } from '@/components/docs/reader/reader-provider';
import { PRESENCE_COOKIE } from '@/lib/auth/session-cookie-policy';
import { config } from '@/lib/platform/config/config';
import { ERRORS } from '@/lib/platform/errors';
import { loadCommands } from './load-commands';
import { loadGuide } from './load-guide';
import { loadReference } from './load-reference';

export default async function Layout({ children }: { children: ReactNode }) {
  const mayHaveSession = (await cookies()).has(PRESENCE_COOKIE);
  const [reference, commandLine, client] = await Promise.all([
    loadReference(),
    loadGuide('docs/guides/command-line.md'),
    loadGuide('lib/client/README.md'),
  ]);
  const sections = [
    apiSection(reference),
    errorsSection(Object.keys(ERRORS)),
    cliSection(commandLine, loadCommands()),
    clientSection(client),
  ];
  return (
    <ReaderProvider baseUrl={config().baseUrl} mayHaveSession={mayHaveSession}>
      <LanguageProvider initial={SAMPLE_LANGUAGES[0]}>
        <DocsLayout sections={sections}>{children}</DocsLayout>
      </LanguageProvider>
    </ReaderProvider>
  );
}
