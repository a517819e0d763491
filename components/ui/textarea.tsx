import type { ComponentProps } from 'react';
import { cn } from './cn';
import { controlStyle } from './input';

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={cn(controlStyle, 'min-h-20 px-3 py-2', className)} {...rest} />;
}
