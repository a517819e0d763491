import { cn } from '@/components/ui/cn';
import type { Scale } from './chart-scale';
import type { Series } from './series';

/** Columns of stacked values, the first series at the bottom. The parent gives the height. */
export function StackedBars({
  series,
  scale,
  count,
  active,
}: {
  series: readonly Series[];
  scale: Scale;
  count: number;
  active: number | null;
}) {
  return (
    <div aria-hidden="true" className="absolute inset-0 flex items-stretch gap-[max(1px,0.25%)]">
      {Array.from({ length: count }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
          key={index}
          className={cn(
            'flex min-w-0 flex-1 flex-col-reverse overflow-hidden rounded-t-[3px] transition-opacity duration-100',
            active !== null && active !== index && 'opacity-45',
          )}
        >
          {series.map(({ label, color, values }) => {
            const share = scale.shareOf(values[index] ?? 0);
            return share === 0 ? null : (
              <span
                key={label}
                className="w-full shrink-0"
                // A single failure among thousands must be seen.
                style={{ height: `max(2px, ${share * 100}%)`, background: `var(${color})` }}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}
