import { cn } from '@/components/ui/cn';

const COLORS: Record<string, string> = {
  GET: 'bg-accent-subtle text-accent-text',
  POST: 'bg-success-subtle text-success-text',
  PATCH: 'bg-warning-subtle text-warning-text',
  DELETE: 'bg-danger-subtle text-danger-text',
};

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
      {/* In a narrow column the longest verb is written short. */}
      {size === 'sm' && method === 'DELETE' ? (
        <abbr title={method} className="no-underline">
          DEL
        </abbr>
      ) : (
        method
      )}
    </span>
  );
}

/** An HTTP status. Green for success, red for problems. */
export function StatusCode({ status }: { status: number }) {
  return (
    <span className={cn('font-medium font-mono text-xs', status < 400 ? 'text-success-text' : 'text-danger-text')}>
      {status}
    </span>
  );
}
