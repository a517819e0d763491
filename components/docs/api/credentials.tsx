import { Globe, KeyRound, type LucideIcon, ShieldCheck, UserRound } from 'lucide-react';
import { Link } from '@/components/ui/link';
import type { Caller } from './reference-types';

const ICONS: Record<Caller['kind'], LucideIcon> = { key: KeyRound, person: UserRound, operator: ShieldCheck };

/** Says who may call an operation, and what they must be allowed. */
export function Credentials({ callers }: { callers: readonly Caller[] }) {
  return (
    <ul aria-label="Who may call this" className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
      {callers.map((caller) => (
        <Credential key={caller.kind} icon={ICONS[caller.kind]}>
          {describeCaller(caller)}
        </Credential>
      ))}
      {callers.length === 0 ? <Credential icon={Globe}>Anyone, without a credential</Credential> : null}
    </ul>
  );
}

function Credential({ icon: Icon, children }: { icon: LucideIcon; children: string }) {
  return (
    <li className="flex items-center gap-1.5">
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <Link href="/docs/api#authentication" className="hover:text-text hover:underline">
        {children}
      </Link>
    </li>
  );
}

const ROLES: Record<string, string> = {
  VIEWER: 'Access token of any member',
  DEVELOPER: 'Access token of a developer or higher',
  ADMIN: 'Access token of an admin or owner',
  OWNER: 'Access token of an owner',
};

/** Returns the credential in words: "API key with READ_WRITE". */
export function describeCaller(caller: Caller): string {
  if (caller.kind === 'operator') return 'Operator token';
  if (caller.kind === 'person') return ROLES[caller.role ?? ''] ?? 'Access token';
  return caller.scope === null ? 'API key' : `API key with ${caller.scope}`;
}
