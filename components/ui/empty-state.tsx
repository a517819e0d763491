import type { ReactNode } from 'react';
import { CodeBlock } from './code-block';
import type { CodeLanguage } from './highlight-code';

export interface EmptyStateProps {
  title: string;
  sentence: ReactNode;
  action?: ReactNode;
  code?: { label: string; code: string; language?: CodeLanguage };
}

/** Explains an empty list with a sentence, and optionally a button and sample code. */
export function EmptyState({ title, sentence, action, code }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-2xl flex-col items-center px-4 py-12 text-center">
      <h2 className="font-semibold text-lg">{title}</h2>
      <p className="mt-1 max-w-md text-balance text-muted text-sm">{sentence}</p>
      {action ? <div className="mt-4">{action}</div> : null}
      {code ? (
        <CodeBlock
          className="mt-6 w-full max-w-full text-left"
          label={code.label}
          language={code.language ?? 'shell'}
          code={code.code}
        />
      ) : null}
    </div>
  );
}
