import { Fragment } from 'react';
import type { Scale } from './chart-scale';
import type { Series } from './series';

/** Lines over buckets. On a scale from zero the first series also has an area. The parent gives the size; strokes do not scale. */
export function LinePlot({
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
  const x = (index: number) => ((index + 0.5) / count) * 100;
  const y = (value: number) => 100 - scale.shareOf(value) * 100;
  return (
    <div aria-hidden="true" className="absolute inset-0">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible">
        <title>Chart</title>
        {series.map(({ label, color, values }, nth) => (
          <Fragment key={label}>
            {stretches(values).map((stretch) => {
              const points = stretch.map(({ index, value }) => `${x(index)},${y(value)}`).join(' L');
              const [first, last] = [stretch[0], stretch.at(-1)];
              return (
                <Fragment key={first?.index}>
                  {nth === 0 && scale.ticks[0] === 0 && stretch.length > 1 ? (
                    <path
                      d={`M${x(first?.index ?? 0)},100 L${points} L${x(last?.index ?? 0)},100 Z`}
                      fill={`var(${color})`}
                      opacity={0.12}
                    />
                  ) : null}
                  <path
                    d={`M${points}${stretch.length === 1 ? ` L${points}` : ''}`}
                    fill="none"
                    stroke={`var(${color})`}
                    strokeWidth={stretch.length === 1 ? 5 : 1.75}
                    strokeLinejoin="round"
                    strokeLinecap="round"
                    vectorEffect="non-scaling-stroke"
                  />
                </Fragment>
              );
            })}
          </Fragment>
        ))}
      </svg>
      {active === null ? null : (
        <>
          <span className="absolute inset-y-0 w-px bg-border-strong/60" style={{ left: `${x(active)}%` }} />
          {series.map(({ label, color, values }) => {
            const value = values[active];
            return value === null || value === undefined ? null : (
              <span
                key={label}
                className="absolute size-2 -translate-x-1/2 -translate-y-1/2 rounded-full ring-2 ring-surface"
                style={{ left: `${x(active)}%`, top: `${y(value)}%`, background: `var(${color})` }}
              />
            );
          })}
        </>
      )}
    </div>
  );
}

/** Splits values where they are missing. */
function stretches(values: Series['values']): { index: number; value: number }[][] {
  const result: { index: number; value: number }[][] = [];
  let current: { index: number; value: number }[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) current = [];
    else {
      if (current.length === 0) result.push(current);
      current.push({ index, value });
    }
  }
  return result;
}
