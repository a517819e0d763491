'use client';

import { type BodyView, bodyViewsOf } from '@/components/incoming-events/body-views';
import { CodeBlock } from '@/components/ui/code-block';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';

const NAMES: Record<BodyView['name'], string> = { JSON: 'Pretty', Text: 'Raw', Hex: 'Hex' };

/** A body as text, never rendered: JSON pretty and raw, other text raw, other bytes in hexadecimal. */
export function BodyViewer({
  label,
  body,
  bodyBase64 = null,
}: {
  label: string;
  body: string | null;
  bodyBase64?: string | null;
}) {
  const size = body === null ? Math.floor(((bodyBase64?.length ?? 0) * 3) / 4) : new TextEncoder().encode(body).length;
  const all = bodyViewsOf({ body, bodyBase64, size });
  // Text needs no dump of its bytes here.
  const views = all.length > 1 ? all.filter(({ name }) => name !== 'Hex') : all;
  const [first] = views;
  if (first === undefined) return <p className="text-muted text-sm">Empty.</p>;
  if (views.length === 1) return <View label={label} view={first} />;
  return (
    <Tabs defaultValue={first.name} className="min-w-0">
      <TabsList aria-label={`How the ${label.toLowerCase()} is shown`} className="mb-2">
        {views.map(({ name }) => (
          <TabsTrigger key={name} value={name}>
            {NAMES[name]}
          </TabsTrigger>
        ))}
      </TabsList>
      {views.map((view) => (
        <TabsContent key={view.name} value={view.name} tabIndex={-1}>
          <View label={label} view={view} />
        </TabsContent>
      ))}
    </Tabs>
  );
}

function View({ label, view: { name, language, code, note } }: { label: string; view: BodyView }) {
  return (
    <>
      <CodeBlock label={label} language={language} code={code} wrap={name === 'Text'} />
      {note === null ? null : <p className="mt-2 text-muted text-sm">{note}</p>}
    </>
  );
}
