'use client';

import { Check, Copy, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button';
import { cn } from './cn';

const STATUS_TEXT = { idle: '', copied: 'Copied', failed: 'Could not copy' } as const;
const ICON = { idle: Copy, copied: Check, failed: X } as const;

interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'children'> {
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

/** A value to copy into another page, with its name there. */
export function CopyValue({ label, value, className }: { label: string; value: string; className?: string }) {
  return (
    <div className={cn('grid min-w-0 gap-1', className)}>
      <span className="text-muted text-xs">{label}</span>
      <span className="flex min-h-9 min-w-0 items-center justify-between gap-2 rounded-md border bg-sunken py-0.75 pr-0.75 pl-3">
        <code className="min-w-0 break-all font-mono text-xs leading-5">{value}</code>
        <CopyButton text={value} label={`Copy ${label}`} />
      </span>
    </div>
  );
}

/**
 * Copies text to the clipboard. Returns false when the browser refuses.
 *
 * `navigator.clipboard` is missing on plain http (a deployment on a private network), where only `execCommand` works.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused, for example without focus: `execCommand` may still work.
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside the open dialog, since its focus trap would remove the selection.
  const host = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  host.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

const SHOWN_MS = 2000;

type CopyState = 'idle' | 'copied' | 'failed';

/** Copies text, and holds the result for two seconds. */
function useCopied(): { state: CopyState; copy: (text: string) => Promise<boolean> } {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  return {
    state,
    copy: async (text) => {
      const copied = await copyText(text);
      setState(copied ? 'copied' : 'failed');
      return copied;
    },
  };
}
