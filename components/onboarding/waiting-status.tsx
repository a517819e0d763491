import { StatusDot } from '@/components/ui/status-dot';

/** Says what the page waits for; announced once to screen readers. */
export function WaitingStatus({ children }: { children: string }) {
  return (
    <p role="status" className="inline-flex items-center gap-2.5 font-medium text-sm">
      <StatusDot tone="accent" live />
      {children}
    </p>
  );
}
