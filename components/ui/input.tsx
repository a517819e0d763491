'use client';

import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { cn } from './cn';

/** The style of text controls. 16 px on phones, since iOS zooms into smaller text on focus. */
export const controlStyle =
  'w-full min-w-0 rounded-md border border-border-strong bg-surface text-text placeholder:text-muted placeholder:opacity-80 aria-invalid:border-danger-text disabled:bg-sunken text-sm max-sm:text-[1rem]';

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input className={cn(controlStyle, 'h-9 px-3', className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={cn(controlStyle, 'min-h-20 px-3 py-2', className)} {...rest} />;
}

/** A password field with a button that shows the password. Pasting and password managers work as usual. */
export function PasswordInput({ className, ...rest }: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        {...rest}
        type={shown ? 'text' : 'password'}
        spellCheck={false}
        autoCapitalize="none"
        className={cn('pr-10', className)}
      />
      <button
        type="button"
        aria-pressed={shown}
        aria-label="Show password"
        onClick={() => setShown(!shown)}
        className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-md text-muted hover:text-text"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}
