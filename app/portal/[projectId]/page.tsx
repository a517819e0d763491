import { readFile } from 'node:fs/promises';
import type { Metadata } from 'next';
import { PortalPage } from '@/components/portal/portal-page';
import { signatureSamples } from '@/components/portal/signature-samples';

export const metadata: Metadata = { title: { absolute: 'Webhooks' }, description: 'Your webhooks.' };

/** The same for every project: the web process sends it with the origins that may frame it (lib/http/documents.ts). */
export const dynamic = 'force-static';
export const dynamicParams = false;

export function generateStaticParams() {
  return [{ projectId: 'any' }];
}

export default async function Page() {
  return <PortalPage samples={signatureSamples(await readFile('docs/guides/verifying-signatures.md', 'utf8'))} />;
}
