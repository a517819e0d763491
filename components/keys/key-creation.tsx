import { RelativeTime } from '@/components/ui/relative-time';
import type { ApiKey } from '@/lib/keys/schema';

/** When and by whom a key was created. */
export function KeyCreation({ apiKey }: { apiKey: ApiKey }) {
  const { createdBy } = apiKey;
  return (
    <span className="min-w-0">
      <RelativeTime at={apiKey.createdAt} inRow />
      {createdBy === null ? null : (
        <span className="block max-w-40 truncate text-muted text-xs" title={createdBy.email ?? undefined}>
          by {createdBy.name ?? createdBy.email ?? 'a former member'}
        </span>
      )}
    </span>
  );
}
