import { expect, it } from 'vitest';
import { printResources } from '@/scripts/package/print-resources';

it('the methods of the client are those of the routes', async () => {
  await expect(printResources()).toMatchFileSnapshot('../../lib/client/generated/resources.ts');
});
