// Moves an organization to a cell, with short waits: for tests that kill it.
import { moveOrganization } from '@/lib/lifecycle/move-organization';
import { readCells } from '@/lib/platform/cells/cells';
import { loadConfigOrExit } from '@/lib/platform/config/config';
import { REQUIRED_OF } from '@/lib/platform/config/parts';
import { closeDatabase } from '@/lib/platform/db';

loadConfigOrExit(REQUIRED_OF.worker);
await readCells();
const [organization = '', cell = ''] = process.argv.slice(2);
await moveOrganization(organization, cell, { pauseMs: 300, fenceMs: 300 });
await closeDatabase();
