import { ArrowDownRight, ArrowRight, ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '@/components/ui/cn';
import { Link } from '@/components/ui/link';
import type { Change } from './format-figures';

const ARROWS = { up: ArrowUpRight, down: ArrowDownRight, same: ArrowRight };

/** A headline figure, which links to what it counts. */
export function FigureTile({
  label,
  value,
  change,
  goodWhen,
  note,
  href,
}: {
  label: string;
  /** Null: nothing to measure. */
  value: string | null;
  change: Change | null;
  /** Which direction is an improvement; neither is for a plain number. */
  goodWhen?: 'up' | 'down';
  note: ReactNode;
  href: string;
}) {
  return (
    <div className="relative min-w-0 bg-surface p-4 transition-colors hover:bg-sunken/60 sm:p-5">
      <dt className="text-muted text-sm">
        <Link
          href={href}
          prefetch={false}
          className="rounded-sm after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent-text focus-visible:after:-outline-offset-2"
        >
          {label}
        </Link>
      </dt>
      <dd className="mt-1">
        <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
          <span className="font-semibold text-2xl tabular-nums tracking-tight">{value ?? '–'}</span>
          {change === null ? null : <ChangeMark change={change} goodWhen={goodWhen} />}
        </span>
        <span className="mt-1 block text-muted text-xs">{note}</span>
      </dd>
    </div>
  );
}

function ChangeMark({ change, goodWhen }: { change: Change; goodWhen: 'up' | 'down' | undefined }) {
  const Arrow = ARROWS[change.direction];
  const isJudged = goodWhen !== undefined && change.direction !== 'same';
  return (
    <span
      title="Compared with the previous period"
      className={cn(
        'inline-flex items-center gap-0.5 font-medium text-xs tabular-nums',
        !isJudged ? 'text-muted' : change.direction === goodWhen ? 'text-success-text' : 'text-danger-text',
      )}
    >
      <Arrow aria-hidden="true" className="size-3.5" />
      {change.text}
      <span className="sr-only"> compared with the previous period</span>
    </span>
  );
}
