import type { CodeSample } from '@/components/ui/code-tabs';

/** What a server runs when one of its customers opens the page: one call. */
export function serverSnippets(baseUrl: string, projectId: string): CodeSample[] {
  return [
    {
      name: 'Node',
      language: 'javascript',
      code: `import { EventDeliveryClient } from 'event-delivery-client';

const client = new EventDeliveryClient({
  baseUrl: '${baseUrl}',
  apiKey: process.env.EDS_API_KEY,
  projectId: '${projectId}',
});

const { url } = await client.customers.createPortalLink('cus_8f2c1');`,
    },
    {
      name: 'curl',
      language: 'shell',
      code: `curl -X POST ${baseUrl}/api/v1/projects/${projectId}/customers/cus_8f2c1/portal-links \\
  -H "X-API-Key: $EDS_API_KEY"`,
    },
  ];
}

/** What the page has: one element. */
export function pageSnippets(portalUrl: string): CodeSample[] {
  return [
    {
      name: 'HTML',
      language: 'text',
      code: `<script src="${portalUrl}/portal/embed.js" async></script>
<eds-portal src="the url of the link"></eds-portal>`,
    },
    {
      name: 'React',
      language: 'javascript',
      code: `import { EdsPortal } from 'event-delivery-client/react';

<EdsPortal src={url} onExpired={fetchAnotherUrl} />`,
    },
  ];
}
