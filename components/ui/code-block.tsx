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
        className={cn('flex overflow-auto rounded-lg', !whole && 'max-h-112')}
      >
        <pre
          className={cn(
            'py-3 pr-14 pl-3.5 font-mono text-xs leading-5',
            wrap ? 'wrap-anywhere min-w-0 flex-1 whitespace-pre-wrap' : 'w-max min-w-full shrink-0',
          )}
        >
          <code>
            {tokens.map((token) => {
              const key = offset;
              offset += token.text.length;
              return (
                <span
                  key={key}
                  // An option of a command is not broken after its dashes.
                  className={cn(COLORS[token.kind], wrap && isOption(token, language) && 'whitespace-nowrap')}
                >
                  {token.text}
                </span>
              );
            })}
          </code>
        </pre>
        {wrap ? null : (
          // Covers the padding at the end of the lines. A line that is wider than the block fades out there.
          <span
            aria-hidden="true"
            data-fade="button"
            className="pointer-events-none sticky right-0 -ml-14 w-14 shrink-0"
          />
        )}
      </section>
      <CopyButton
        text={code}
        label={`Copy ${label.toLowerCase()}`}
        variant="secondary"
        className="absolute top-2 right-2"
        {...(onCopied === undefined ? {} : { onCopied })}
      />
    </div>
  );
}

function isOption({ kind }: Token, language: CodeLanguage): boolean {
  return language === 'shell' && kind === 'key';
}
