'use client';

import { useMemo } from 'react';
import { useReader } from '@/components/docs/reader';
import { CodeBlock } from '@/components/ui/code-block';
import { CopyButton } from '@/components/ui/copy-button';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import { makeSamples, type SampleRequest } from './samples';

/** A request in several languages, with the reader's base URL and ids. */
export function RequestExample({ request }: { request: SampleRequest }) {
  const { baseUrl, projectId, organizationId, language, chooseLanguage } = useReader();
  const samples = useMemo(
    () => makeSamples(request, { baseUrl, ids: { projectId, orgId: organizationId, organizationId } }),
    [request, baseUrl, projectId, organizationId],
  );
  const shown = samples.find(({ name }) => name === language) ?? samples[0];
  if (shown === undefined) {
    return (
      <p className="rounded-lg border bg-surface px-4 py-3 text-muted text-sm">
        This is a WebSocket, which a client of the tunnel protocol opens.
      </p>
    );
  }
  return (
    <Tabs value={shown.name} onValueChange={chooseLanguage} className="min-w-0">
      <div className="mb-2 flex items-center justify-between gap-2">
        <TabsList aria-label="Example request">
          {samples.map(({ name }) => (
            <TabsTrigger key={name} value={name}>
              {name}
            </TabsTrigger>
          ))}
        </TabsList>
        <CopyButton text={shown.code} label={`Copy example request (${shown.name})`} />
      </div>
      {samples.map((sample) => (
        <TabsContent key={sample.name} value={sample.name} tabIndex={-1}>
          <CodeBlock
            code={sample.code}
            language={sample.language}
            label={`Example request (${sample.name})`}
            copyable={false}
          />
        </TabsContent>
      ))}
    </Tabs>
  );
}
