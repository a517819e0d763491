import { formatBytes } from '@/components/orgs/download/format-bytes';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { formatDuration } from '@/components/ui/format-time';
import { Link } from '@/components/ui/link';
import { NoValue } from '@/components/ui/no-value';
import { Stat, StatList } from '@/components/ui/stat';
import type { TunnelRequestDetail } from '@/lib/tunnel/schema';

/** The title cuts a longer path. */
const MAX_TITLE_LENGTH = 60;

/** The timing and the sizes of a request, and the request that it repeats. */
export function RequestFacts({
  request,
  hrefOf,
}: {
  request: TunnelRequestDetail;
  hrefOf: (requestId: string) => string;
}) {
  const { path, durationMs, requestSize, responseSize, replayOf } = request;
  return (
    <Card>
      {path.length > MAX_TITLE_LENGTH ? <CodeBlock label="Path" code={path} wrap className="mb-4" /> : null}
      <StatList>
        <Stat label="Duration">{durationMs === null ? <NoValue /> : formatDuration(durationMs)}</Stat>
        <Stat label="Request body">{formatBytes(requestSize)}</Stat>
        <Stat label="Response body">{responseSize === null ? <NoValue /> : formatBytes(responseSize)}</Stat>
        {replayOf === null ? null : (
          <Stat label="Replay of">
            <Link href={hrefOf(replayOf)} className="font-medium font-mono text-accent-text text-xs hover:underline">
              …{replayOf.slice(-8)}
            </Link>
          </Stat>
        )}
      </StatList>
    </Card>
  );
}
