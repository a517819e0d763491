import { cn } from '@/components/ui/cn';
import { CopyButton } from '@/components/ui/copy-button';

/** A value to copy into another page, with its name there. */
export function CopyValue({ label, value, className }: { label: string; value: string; className?: string }) {
  return (
    <div className={cn('grid min-w-0 gap-1', className)}>
      <span className="text-muted text-xs">{label}</span>
      <span className="flex min-h-9 min-w-0 items-center justify-between gap-2 rounded-md border bg-sunken py-0.75 pr-0.75 pl-3">
        <code className="min-w-0 break-all font-mono text-xs leading-5">{value}</code>
        <CopyButton text={value} label={`Copy ${label}`} />
      </span>
    </div>
  );
}
