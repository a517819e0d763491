import { ExplainedText } from '@/components/ui/tooltip';
import { describeCron } from './describe-cron';

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
