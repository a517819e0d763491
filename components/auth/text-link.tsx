import type { ComponentProps } from 'react';
import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';

/** A link in a sentence. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link className={cn('font-medium text-accent-text underline-offset-4 hover:underline', className)} {...rest} />
  );
}
