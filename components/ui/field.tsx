'use client';

import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cn } from './cn';

/** Links a control to its label, hint and error. Spread it on the control. */
interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** A label, control, hint and error, linked for screen readers. */
export function Field({ label, hint, error, optional = false, className, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return (
    <div className={cn('grid grid-cols-1 gap-1.5', className)}>
      <label htmlFor={id} className="font-medium text-sm">
        {label}
        {optional ? <span className="ml-1.5 font-normal text-muted">optional</span> : null}
      </label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {error ? (
        <p id={`${id}-error`} className="flex items-start gap-1.5 text-danger-text text-sm">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
          <span>{error}</span>
        </p>
      ) : null}
      {hint ? (
        <div id={`${id}-hint`} className="text-muted text-sm">
          {hint}
        </div>
      ) : null}
    </div>
  );
}
