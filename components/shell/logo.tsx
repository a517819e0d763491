import { cn } from '@/components/ui/cn';

/** The logo: one event delivered to many endpoints. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={cn('size-6', className)}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g fill="none" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" strokeLinejoin="round">
        <path d="M9.5 16H23M9.5 16c5 0 5.5-6.5 13-6.5M9.5 16c5 0 5.5 6.5 13 6.5" />
      </g>
      <circle cx="9" cy="16" r="3" fill="#fff" />
    </svg>
  );
}

export const PRODUCT_NAME = 'Event Delivery';

/** The logo beside the name of the product. */
export function Brand({ className }: { className?: string }) {
  return (
    <span className={cn('flex items-center gap-2 font-semibold text-base', className)}>
      <LogoMark />
      {PRODUCT_NAME}
    </span>
  );
}
