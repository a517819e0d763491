import type { PortalSession } from '@/lib/portal/schema';

/** Shows the name and logo of the company, and the customer. */
export function PortalHeader({ session: { portal, customer } }: { session: PortalSession }) {
  return (
    <header className="flex items-center justify-between gap-6">
      <p className="flex min-w-0 items-center gap-2.5 font-semibold text-base">
        {portal.logoUrl === null ? (
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-lg bg-accent font-semibold text-base text-on-accent"
          >
            {initialOf(portal.name)}
          </span>
        ) : (
          // biome-ignore lint/performance/noImgElement: the logo is served as it is, by a path that never changes
          <img src={portal.logoUrl} alt="" className="h-8 w-auto max-w-32 shrink-0 rounded object-contain" />
        )}
        <span title={portal.name} className="truncate">
          {portal.name}
        </span>
      </p>
      <p title={customer.name ?? customer.uid} className="min-w-0 truncate text-muted text-sm">
        {customer.name ?? customer.uid}
      </p>
    </header>
  );
}

function initialOf(name: string): string {
  return (Array.from(name.trim())[0] ?? '').toUpperCase();
}
