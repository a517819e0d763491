'use client';

import { CodeBlock } from './code-block';
import type { CodeLanguage } from './highlight-code';
import { Tabs, TabsContent, TabsList, TabsTrigger } from './tabs';

export interface CodeSample {
  name: string;
  language: CodeLanguage;
  code: string;
}

/** The same sample in several languages, one tab each. */
export function CodeTabs({
  samples,
  label,
  onCopied,
}: {
  samples: readonly CodeSample[];
  label: string;
  onCopied?: () => void;
}) {
  const first = samples[0];
  if (first === undefined) return null;
  return (
    <Tabs defaultValue={first.name} className="min-w-0">
      <TabsList aria-label={label} className="mb-2">
        {samples.map((sample) => (
          <TabsTrigger key={sample.name} value={sample.name}>
            {sample.name}
          </TabsTrigger>
        ))}
      </TabsList>
      {samples.map((sample) => (
        <TabsContent key={sample.name} value={sample.name} tabIndex={-1}>
          <CodeBlock
            code={sample.code}
            language={sample.language}
            label={`${label} (${sample.name})`}
            {...(onCopied ? { onCopied } : {})}
          />
        </TabsContent>
      ))}
    </Tabs>
  );
}
