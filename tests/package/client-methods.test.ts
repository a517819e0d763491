import { expect, it } from 'vitest';
import { printOperations } from '@/scripts/package/print-operations';
import { printResources } from '@/scripts/package/print-resources';

it('the methods of the client are those of the routes', async () => {
  await expect(printResources()).toMatchFileSnapshot('../../lib/client/generated/resources.ts');
});

it('the operations that commands are made from are those of the routes', async () => {
  await expect(printOperations()).toMatchFileSnapshot('../../lib/cli/generated/operations.ts');
});
