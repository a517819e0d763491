import type { CSSProperties } from 'react';
import { cn } from '@/components/ui/cn';
import { accentColors, type Scheme } from '@/lib/portal/accent-color-policy';

interface PreviewProps {
  name: string;
  /** As #rrggbb; null for that of the service. */
  accent: string | null;
  logoPath: string | null;
}

/** The portal in both schemes, with what is typed. It shows nothing that a screen reader needs. */
export function PortalPreview(props: PreviewProps) {
  return (
    <figure aria-label="Preview of the portal" className="grid content-start gap-3">
      <Picture {...props} scheme="light" />
      <Picture {...props} scheme="dark" />
      <figcaption className="text-muted text-sm">
        Light or dark is decided by the page around the portal, or else by the reader’s system.
      </figcaption>
    </figure>
  );
}

const ENDPOINTS = ['https://hooks.globex.example/orders', 'https://crm.globex.example/in'];

function Picture({ name, accent, logoPath, scheme }: PreviewProps & { scheme: Scheme }) {
  return (
    <div
      aria-hidden="true"
      className={cn(scheme, 'select-none overflow-hidden rounded-lg border bg-background p-4 text-text')}
      style={accent === null ? undefined : (accentColors(accent, scheme) as CSSProperties)}
    >
      <div className="flex min-w-0 items-center gap-2.5">
        {logoPath === null ? null : (
          // biome-ignore lint/performance/noImgElement: no picture is resized
          <img src={logoPath} alt="" className="h-6 max-w-24 object-contain" />
        )}
        <span className="truncate font-semibold text-base">{name}</span>
      </div>
      <div className="mt-4 flex items-center justify-between gap-3">
        <span className="font-semibold text-sm">Endpoints</span>
        <span className="rounded-md bg-accent px-2.5 py-1 font-medium text-on-accent text-xs">Add endpoint</span>
      </div>
      <div className="mt-2.5 divide-y rounded-lg border bg-surface text-xs">
        {ENDPOINTS.map((url, index) => (
          <div key={url} className="flex min-w-0 items-center justify-between gap-3 px-3 py-2">
            <span className="truncate font-medium text-accent-text">{url}</span>
            <span
              className={cn(
                'shrink-0 rounded-full px-2 py-0.5',
                index === 0 ? 'bg-success-subtle text-success-text' : 'bg-accent-subtle text-accent-text',
              )}
            >
              {index === 0 ? 'Healthy' : 'New'}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}
