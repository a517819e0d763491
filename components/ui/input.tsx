import type { ComponentProps } from 'react';
import { cn } from './cn';

/** The style of text controls. 16 px on phones, since iOS zooms into smaller text on focus. */
export const controlStyle =
  'w-full min-w-0 rounded-md border border-border-strong bg-surface text-text placeholder:text-muted placeholder:opacity-80 aria-invalid:border-danger-text disabled:bg-sunken text-sm max-sm:text-[1rem]';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(controlStyle, 'h-9 px-3', className)} {...rest} />;
}
