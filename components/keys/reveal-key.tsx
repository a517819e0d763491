'use client';

import { Callout } from '@/components/ui/callout';
import { CodeBlock } from '@/components/ui/code-block';
import { CodeTabs } from '@/components/ui/code-tabs';
import { useBaseUrl } from '@/components/ui/use-base-url';
import { curlSample } from './samples';

/** Shows the plaintext of a new key: alone, as a line of .env, and in a request. */
export function RevealKey({
  plaintext,
  projectId,
  readOnly,
  onCopied,
}: {
  plaintext: string;
  projectId: string;
  readOnly: boolean;
  onCopied?: () => void;
}) {
  const baseUrl = useBaseUrl();
  const request = readOnly
    ? `curl ${baseUrl}/api/v1/projects/${projectId}/events -H "X-API-Key: ${plaintext}"`
    : curlSample(baseUrl, plaintext);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Callout tone="warning">Copy the key now. We store only its hash, so we can’t show it again.</Callout>
      <CodeBlock label="Key" code={plaintext} wrap {...(onCopied ? { onCopied } : {})} />
      <CodeTabs
        label="Ways to use the key"
        samples={[
          { name: '.env', language: 'shell', code: `EDS_API_KEY=${plaintext}` },
          { name: 'curl', language: 'shell', code: request },
        ]}
        {...(onCopied ? { onCopied } : {})}
      />
    </div>
  );
}
