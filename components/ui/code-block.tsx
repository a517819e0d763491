'use client';

import { cn } from './cn';
import { CopyButton } from './copy-button';
import { type CodeLanguage, highlightCode, type Token } from './highlight-code';

const COLORS: Record<Token['kind'], string> = {
  plain: '',
  string: 'text-code-string',
  key: 'text-code-key',
  number: 'text-code-number',
  comment: 'text-muted',
};

/** Longer code is not highlighted: thousands of spans make a page slow to scroll. */
const MAX_HIGHLIGHTED_CHARACTERS = 20_000;

export interface CodeBlockProps {
  code: string;
  language?: CodeLanguage;
  /** Names the block for screen readers: "Payload". */
  label: string;
  className?: string;
  /** Breaks long lines instead of scrolling sideways. */
  wrap?: boolean;
  /** False where a copy button is beside the block. */
  copyable?: boolean;
  /** Shows all lines, however many there are. */
  whole?: boolean;
  onCopied?: () => void;
}

/** Code with a copy button. It is focusable, so that it can be scrolled by keyboard. */
export function CodeBlock({
  code,
  language = 'text',
  label,
  className,
  wrap = false,
  copyable = true,
  whole = false,
  onCopied,
}: CodeBlockProps) {
  const tokens: Token[] =
    code.length > MAX_HIGHLIGHTED_CHARACTERS ? [{ text: code, kind: 'plain' }] : highlightCode(code, language);
  let offset = 0;
  return (
    <div className={cn('group relative min-w-0 rounded-lg border bg-sunken', className)}>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className={cn('overflow-auto rounded-lg', !whole && 'max-h-112')}
      >
        <pre
          className={cn(
            'w-max min-w-full py-3 pl-3.5 font-mono text-xs leading-5',
            copyable ? 'pr-12' : 'pr-3.5',
            wrap && 'w-auto whitespace-pre-wrap break-all',
          )}
        >
          <code>
            {tokens.map((token) => {
              const key = offset;
              offset += token.text.length;
              return (
                <span key={key} className={COLORS[token.kind]}>
                  {token.text}
                </span>
              );
            })}
          </code>
        </pre>
      </section>
      {copyable ? (
        <>
          <span
            aria-hidden="true"
            data-fade=""
            className="pointer-events-none absolute top-0 right-0 h-11 w-16 rounded-lg"
          />
          <CopyButton
            text={code}
            label={`Copy ${label.toLowerCase()}`}
            variant="secondary"
            className="absolute top-2 right-2"
            {...(onCopied === undefined ? {} : { onCopied })}
          />
        </>
      ) : null}
    </div>
  );
}
