import { cn } from '@/components/ui/cn';

/** An HTTP status. Green for success, red for problems. */
export function StatusCode({ status }: { status: number }) {
  return (
    <span className={cn('font-medium font-mono text-xs', status < 400 ? 'text-success-text' : 'text-danger-text')}>
      {status}
    </span>
  );
}
