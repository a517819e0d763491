import { COMMANDS } from '@/lib/cli/commands';
import { describeCommands } from '@/lib/cli/describe-commands';

/** The words of every command that runs something, such as `admin orgs list`. */
export const LEAF_COMMANDS = describeCommands(COMMANDS)
  .flatMap(({ commands }) => commands.map(({ name }) => name))
  .filter(
    // It would erase the person of the other commands; routes/route-command.db.test.ts runs it.
    (name) => name !== 'account delete',
  );
