'use client';

import { KeyRound, Pause, Pencil, PenLine, Play, Send, ShieldCheck, Trash2 } from 'lucide-react';
import { describeError } from '@/components/auth-session/api-error';
import { EndpointState } from '@/components/endpoints/endpoint-state';
import { describeRetrySeconds } from '@/components/endpoints/retry-schedule';
import { MenuItem, MenuSeparator, RowMenu } from '@/components/ui/dropdown-menu';
import { Link } from '@/components/ui/link';
import { RelativeTime } from '@/components/ui/relative-time';
import { toast } from '@/components/ui/toast';
import type { Destination } from '@/lib/incoming/schema';
import { describeAuth } from './auth-values';
import type { OpenDestinationDialog } from './destination-dialogs';

/** One destination: its URL, health, authentication and signing, with a menu. */
export function DestinationRow({
  projectId,
  destination,
  disabledReason,
  secretDisabledReason,
  open,
  resume,
}: {
  projectId: string;
  destination: Destination;
  disabledReason: string | undefined;
  secretDisabledReason: string | undefined;
  open: (dialog: OpenDestinationDialog) => void;
  resume: () => Promise<unknown>;
}) {
  const { url, description, enabled, failingSince, disabledReason: disabledBecause } = destination;
  const item = { disabledReason };
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <code className="min-w-0 break-all font-medium font-mono text-sm">{url}</code>
          <EndpointState endpoint={destination} />
        </div>
        {description === null ? null : <p className="break-words text-sm">{description}</p>}
        <WhyDisabled destination={destination} />
        <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-muted text-xs [&_svg]:size-3.5 [&_svg]:shrink-0 [&>li]:inline-flex [&>li]:min-w-0 [&>li]:items-center [&>li]:gap-1.5">
          {enabled && failingSince !== null ? (
            <li className="text-warning-text">
              <span>
                Failing since <RelativeTime at={failingSince} />
              </span>
            </li>
          ) : null}
          <li className={destination.auth?.type === 'UNREADABLE' ? 'text-danger-text' : ''}>
            <KeyRound aria-hidden="true" />
            <span className="min-w-0 break-all">{describeAuth(destination.auth)}</span>
          </li>
          <li>
            <ShieldCheck aria-hidden="true" />
            {destination.hasSecret ? 'Signed' : 'Unsigned'}
          </li>
          <li>Retries {describeRetrySeconds(destination.retrySeconds).toLowerCase()}</li>
          <li>
            <Link
              href={`/projects/${projectId}/deliveries?destinationId=${destination.id}`}
              className="rounded-sm font-medium text-accent-text hover:underline"
            >
              View deliveries
            </Link>
          </li>
        </ul>
      </div>
      <RowMenu of={url}>
        <MenuItem {...item} onSelect={() => open({ kind: 'edit', destination })}>
          <Pencil aria-hidden="true" />
          Edit
        </MenuItem>
        <MenuItem disabledReason={secretDisabledReason} onSelect={() => open({ kind: 'secret', destination })}>
          <PenLine aria-hidden="true" />
          Signing secret
        </MenuItem>
        {enabled ? (
          <MenuItem {...item} onSelect={() => open({ kind: 'pause', destination })}>
            <Pause aria-hidden="true" />
            Pause
          </MenuItem>
        ) : (
          <MenuItem
            {...item}
            onSelect={() => void resume().catch((error: unknown) => toast.error(describeError(error).detail))}
          >
            <Play aria-hidden="true" />
            {disabledBecause === null ? 'Resume' : 'Enable'}
          </MenuItem>
        )}
        <MenuItem asChild>
          <Link href={`/projects/${projectId}/deliveries?destinationId=${destination.id}`}>
            <Send aria-hidden="true" />
            View deliveries
          </Link>
        </MenuItem>
        <MenuSeparator />
        <MenuItem {...item} tone="danger" onSelect={() => open({ kind: 'remove', destination })}>
          <Trash2 aria-hidden="true" />
          Delete
        </MenuItem>
      </RowMenu>
    </li>
  );
}

/** Says since when and why a destination gets no deliveries. Renders nothing while it is enabled. */
function WhyDisabled({ destination }: { destination: Destination }) {
  const { enabled, disabledReason, disabledAt, pauseReason } = destination;
  if (enabled) return null;
  const since = disabledAt === null ? null : <RelativeTime at={disabledAt} className="whitespace-normal" />;
  if (disabledReason !== null) {
    return (
      <p className="text-danger-text text-sm">
        Disabled automatically {since}: {disabledReason}
      </p>
    );
  }
  return (
    <p className="break-words text-muted text-sm">
      Paused {since}
      {pauseReason === null ? '.' : `: ${pauseReason}`}
    </p>
  );
}
