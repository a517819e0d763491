import { ExplainedText } from '@/components/ui/tooltip';

/** When a job runs, in words with the cron expression in a tooltip, or the expression of an unusual schedule. */
export function CronText({ cron }: { cron: string }) {
  const words = describeCron(cron);
  if (words !== null) {
    return <ExplainedText explanation={<code className="font-mono">{cron}</code>}>{words}</ExplainedText>;
  }
  return (
    <span className="whitespace-nowrap">
      <code className="font-mono text-xs">{cron}</code> <span className="text-muted text-xs">UTC</span>
    </span>
  );
}

const DAYS = ['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];

/** Describes the common shapes of cron expressions in UTC: "Daily at 02:00 UTC", "Every 4 hours". Null for all others. */
export function describeCron(cron: string): string | null {
  const [minute = '', hour = '', day, month, weekday = '', ...more] = cron.trim().split(/\s+/);
  if (more.length > 0 || day !== '*' || month !== '*') return null;
  const atMinute = numberBelow(minute, 60);
  const atHour = numberBelow(hour, 24);
  if (weekday !== '*') {
    const days = DAYS[numberBelow(weekday, DAYS.length) ?? -1];
    return days === undefined ? null : withTime(days, atHour, atMinute);
  }
  if (atHour !== null) return withTime('Daily', atHour, atMinute);
  if (hour === '*') {
    const minutes = stepOf(minute, 60);
    if (minutes !== null) return `Every ${counted(minutes, 'minute')}`;
  }
  const hours = stepOf(hour, 24);
  if (hours === null || atMinute === null) return null;
  return `Every ${counted(hours, 'hour')}${atMinute === 0 ? '' : ` at minute ${atMinute}`}`;
}

function numberBelow(field: string, end: number): number | null {
  return /^\d{1,2}$/.test(field) && Number(field) < end ? Number(field) : null;
}

/** Returns the step of "*" or of an interval that divides into `end`, as otherwise the last one is shorter. */
function stepOf(field: string, end: number): number | null {
  const step = Number(field === '*' ? 1 : (/^\*\/(\d{1,2})$/.exec(field)?.[1] ?? 0));
  return step > 0 && end % step === 0 ? step : null;
}

function withTime(days: string, hour: number | null, minute: number | null): string | null {
  if (hour === null || minute === null) return null;
  return `${days} at ${[hour, minute].map((part) => String(part).padStart(2, '0')).join(':')} UTC`;
}

function counted(count: number, noun: string): string {
  return count === 1 ? noun : `${count} ${noun}s`;
}
