import { type ComponentProps, useEffect, useImperativeHandle, useRef } from 'react';
import { cn } from './cn';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** Whether it stands for several boxes, and only some of them are checked. */
  indeterminate?: boolean;
}

const MARK =
  'pointer-events-none absolute inset-0 hidden size-4 text-on-accent forced-colors:hidden peer-disabled:text-muted';

/** A checkbox. It takes the attributes of an input; `className` places the box. */
export function Checkbox({ indeterminate = false, className, ref, ...rest }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => box.current as HTMLInputElement);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = indeterminate;
  }, [indeterminate]);
  return (
    <span className={cn('relative inline-block size-4 shrink-0', className)}>
      <input
        {...rest}
        ref={box}
        type="checkbox"
        // With forced colors the box of the browser has the colors that the person chose.
        className="peer m-0 block size-4 appearance-none rounded-sm border border-border-strong bg-surface transition-colors checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:border-border disabled:bg-sunken forced-colors:appearance-auto"
      />
      <svg
        viewBox="0 0 16 16"
        fill="none"
        aria-hidden="true"
        className={cn(MARK, 'peer-checked:block peer-indeterminate:hidden')}
      >
        <path
          d="m4 8.2 2.7 2.7L12 5.3"
          stroke="currentColor"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <svg viewBox="0 0 16 16" fill="none" aria-hidden="true" className={cn(MARK, 'peer-indeterminate:block')}>
        <path d="M4.5 8h7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
    </span>
  );
}
