import { cn } from '@/components/ui/cn';

const COLORS: Record<string, string> = {
  GET: 'bg-accent-subtle text-accent-text',
  POST: 'bg-success-subtle text-success-text',
  PATCH: 'bg-warning-subtle text-warning-text',
  DELETE: 'bg-danger-subtle text-danger-text',
};

/** In a narrow column the longest verb is written short. */
const SHORT: Record<string, string> = { DELETE: 'DEL' };

/** The HTTP method of a call. `size` is `sm` for lists. */
export function MethodBadge({ method, size = 'sm' }: { method: string; size?: 'sm' | 'md' }) {
  return (
    <span
      className={cn(
        'inline-flex shrink-0 items-center justify-center rounded font-medium font-mono',
        size === 'sm' ? 'h-4.5 w-10 text-[0.625rem]' : 'h-5.5 px-1.5 text-xs',
        COLORS[method] ?? 'bg-sunken text-muted',
      )}
    >
      {size === 'sm' && SHORT[method] !== undefined ? (
        <abbr title={method} className="no-underline">
          {SHORT[method]}
        </abbr>
      ) : (
        method
      )}
    </span>
  );
}
