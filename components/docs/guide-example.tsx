'use client';

import { useReader } from '@/components/docs/reader';
import { CodeBlock } from '@/components/ui/code-block';
import type { CodeLanguage } from '@/components/ui/highlight-code';

/** Code with BASE_URL, PROJECT_ID and ORG_ID, which become those of the reader. All three are safe within quotes. Longer names, such as APP_BASE_URL, stay. */
export function GuideExample({ label, code, language }: { label: string; code: string; language: CodeLanguage }) {
  const { baseUrl, projectId, organizationId } = useReader();
  const filled = code
    .replaceAll(/\bBASE_URL\b/g, baseUrl)
    .replaceAll(/\bPROJECT_ID\b/g, projectId ?? 'PROJECT_ID')
    .replaceAll(/\bORG_ID\b/g, organizationId ?? 'ORG_ID');
  return <CodeBlock whole code={filled} language={language} label={label} />;
}
