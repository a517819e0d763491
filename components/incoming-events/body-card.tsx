'use client';

import { Download } from 'lucide-react';
import { saveDownload, useDownload } from '@/components/orgs/download/use-download';
import { useProjectPath } from '@/components/projects/use-projects';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { CodeBlock } from '@/components/ui/code-block';
import { formatBytes } from '@/components/ui/format-figures';
import { InlineError } from '@/components/ui/inline-error';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/components/ui/tabs';
import type { IncomingEventDetail } from '@/lib/incoming/schema';
import { bodyViewsOf } from './body-views';

/** The body of an incoming event as JSON, text or bytes, with a download. */
export function BodyCard({ event }: { event: IncomingEventDetail }) {
  const download = useDownload();
  const { state } = download;
  const views = bodyViewsOf(event);
  const [first] = views;
  const path = useProjectPath(`incoming-events/${event.id}/body`);
  return (
    <Card
      title="Body"
      description={`${event.contentType ?? 'No content type'} · ${formatBytes(event.size)}`}
      actions={
        <Button size="sm" loading={state.status === 'running'} onClick={() => void download.start(path, saveDownload)}>
          <Download aria-hidden="true" />
          Download
        </Button>
      }
    >
      <InlineError
        what="We couldn’t download the body"
        error={state.status === 'failed' ? state.error : undefined}
        className="mb-3"
      />
      {first === undefined ? (
        <p className="text-muted text-sm">The request had no body.</p>
      ) : (
        <Tabs defaultValue={first.name} className="min-w-0">
          <TabsList aria-label="How the body is shown" className="mb-2">
            {views.map(({ name }) => (
              <TabsTrigger key={name} value={name}>
                {name}
              </TabsTrigger>
            ))}
          </TabsList>
          {views.map(({ name, language, code, note }) => (
            <TabsContent key={name} value={name} tabIndex={-1}>
              <CodeBlock label={`Body as ${name}`} language={language} code={code} wrap={name === 'Text'} />
              {note === null ? null : (
                <p className="mt-2 text-muted text-sm">{note} Download the body to see the rest.</p>
              )}
            </TabsContent>
          ))}
        </Tabs>
      )}
    </Card>
  );
}
