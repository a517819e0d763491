import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import { START_LINKS } from '@/components/docs/guides/guide-groups';
import { findEntries, type SearchIndex } from '@/components/docs/search/search-index';
import { openApiDocument } from '@/lib/api/openapi/document';
import { tagOf } from '@/lib/http/entity-tag';
import { once } from '@/lib/platform/globals';
import { loadIndex } from './content';

let index: SearchIndex;

beforeAll(async () => {
  // The build writes the file that this reads.
  const content = Buffer.from(JSON.stringify(openApiDocument()));
  once('openapi-document', () => ({
    read: Promise.resolve({ content, gzip: gzipSync(content), tag: tagOf(content) }),
  }));
  index = await loadIndex();
});

it.each([
  ['signature not matching', '/docs/guides/verifying-signatures#when-a-signature-doesnt-match'],
  ['receive webhooks locally', '/docs/guides/tunnels#receive-webhooks-locally'],
  ['how do I rotate an api key', '/docs/guides/keys#rotate-a-key'],
  ['why was my key rejected', '/docs/guides/keys#why-a-key-was-rejected'],
  ['retry schedule', '/docs/guides/retries#the-schedule'],
  ['endpoint was disabled', '/docs/guides/retries#when-an-endpoint-is-disabled'],
  ['invite a colleague', '/docs/guides/roles#invite-people'],
  ['idempotency key', '/docs/guides/idempotency#send-a-key'],
  ['restore a backup', '/docs/guides/backup#after-a-restore'],
  ['verfy signature in pyton', '/docs/guides/verifying-signatures#python'],
])('among the first three for “%s” is %s', (question, href) => {
  expect(findEntries(index, question, 3).map((entry) => entry.href)).toContain(href);
});

it.each(START_LINKS)('every link for “$role” leads to a part that exists', ({ links }) => {
  expect(links.filter(({ href }) => !index.has(href))).toEqual([]);
});
