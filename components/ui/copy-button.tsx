'use client';

import { Check, Copy, X } from 'lucide-react';
import { Button, type ButtonProps } from './button';
import { useCopied } from './use-copied';

const STATUS_TEXT = { idle: '', copied: 'Copied', failed: 'Could not copy' } as const;
const ICON = { idle: Copy, copied: Check, failed: X } as const;

export interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'children'> {
  text: string;
  /** What is copied, for screen readers: "Copy request ID". */
  label: string;
  /** Shown beside the icon. */
  children?: string;
  onCopied?: () => void;
}

export function CopyButton({ text, label, children, onCopied, ...rest }: CopyButtonProps) {
  const { state, copy } = useCopied();
  const Icon = ICON[state];
  const copyAndTell = async () => {
    if (await copy(text)) onCopied?.();
  };
  return (
    <>
      <Button
        variant="ghost"
        size={children === undefined ? 'iconSm' : 'sm'}
        title={label}
        {...rest}
        aria-label={children === undefined ? label : undefined}
        onClick={() => void copyAndTell()}
      >
        <Icon aria-hidden="true" />
        {children === undefined ? null : state === 'copied' ? 'Copied' : children}
      </Button>
      <span role="status" className="sr-only">
        {STATUS_TEXT[state]}
      </span>
    </>
  );
}
