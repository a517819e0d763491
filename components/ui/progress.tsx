import { cn } from './cn';

/** A bar that fills from 0 to 100 percent. */
export function Progress({
  label,
  percent,
  tone = 'accent',
}: {
  /** Names the bar for screen readers. */
  label: string;
  percent: number;
  tone?: 'accent' | 'danger';
}) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1.5 overflow-hidden rounded-full bg-sunken dark:bg-border"
    >
      <div
        className={cn('h-full rounded-full transition-[width]', tone === 'danger' ? 'bg-danger' : 'bg-accent')}
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}
