'use client';

import { cva, type VariantProps } from 'class-variance-authority';
import * as Slot from 'radix-ui/slot';
import type { ComponentProps, HTMLAttributes, MouseEvent } from 'react';
import { cn } from './cn';
import { Tooltip } from './tooltip';

const buttonStyle = cva(
  'relative inline-flex shrink-0 select-none items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors aria-disabled:cursor-not-allowed aria-disabled:opacity-60 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent shadow-raised hover:bg-accent-hover',
        secondary: 'border bg-surface text-text shadow-raised hover:bg-sunken',
        ghost: 'text-text hover:bg-sunken',
        danger: 'bg-danger text-white shadow-raised hover:bg-danger-hover',
        quietDanger: 'border bg-surface text-danger-text shadow-raised hover:bg-danger-subtle',
      },
      size: {
        sm: 'h-7 px-2.5 text-xs',
        md: 'h-8 px-3 text-sm',
        lg: 'h-10 px-4 text-base',
        icon: 'size-8',
        iconSm: 'size-7',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled'>, VariantProps<typeof buttonStyle> {
  /** Keeps its width, shows a spinner and ignores clicks. */
  loading?: boolean;
  /** Why the button is disabled. It stays focusable, so that the reason can be read. */
  disabledReason?: string | undefined;
  asChild?: boolean;
}

/** A button. It has no `disabled`: a disabled button always says why. */
export function Button({
  className,
  variant,
  size,
  loading = false,
  disabledReason,
  asChild = false,
  onClick,
  children,
  type = 'button',
  ...rest
}: ButtonProps) {
  const blocked = loading || disabledReason !== undefined;
  const classes = cn(buttonStyle({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={classes} {...(rest as HTMLAttributes<HTMLElement>)}>
        {children}
      </Slot.Root>
    );
  }
  const stopOrClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked) event.preventDefault();
    else onClick?.(event);
  };
  const button = (
    <button
      type={type}
      className={classes}
      aria-disabled={blocked || undefined}
      aria-busy={loading || undefined}
      onClick={stopOrClick}
      {...rest}
    >
      {loading ? (
        <>
          <Spinner className="absolute" />
          <span className="inline-flex items-center gap-1.5 opacity-0">{children}</span>
        </>
      ) : (
        children
      )}
    </button>
  );
  return <Tooltip content={disabledReason}>{button}</Tooltip>;
}

/** A decorative spinner. The text beside it says what is loading. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={cn('size-4 animate-spin', className)}>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path d="M14 8a6 6 0 0 0-6-6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
