import { OPERATIONS, RESOURCES } from '@/lib/cli/generated/operations';
import type { CommandSpec, Commands, GroupSpec, OperationName } from '@/lib/cli/spec';
import { commandOf } from './names';
import { route } from './route-command';

/** Returns every command that runs something, in groups and groups of groups. */
export function leavesOf(commands: Commands): CommandSpec[] {
  return Object.values(commands).flatMap((each) => ('commands' in each ? leavesOf(each.commands) : [each]));
}

/**
 * Adds a command for each operation that has none, so that a new route needs no file here. It is in the group of its resource, after
 * the commands that are there; a resource without a group gets one.
 */
export function completeCommands(own: Commands): Commands {
  const reached = new Set(leavesOf(own).flatMap(({ operations = [] }) => operations));
  const all: Record<string, CommandSpec | GroupSpec> = { ...own };
  for (const operation of Object.keys(OPERATIONS) as OperationName[]) {
    if (reached.has(operation)) continue;
    const [group, name] = commandOf(operation);
    const found = all[group];
    const { commands = {}, ...words } =
      found !== undefined && 'commands' in found ? found : { summary: RESOURCES[operation.split('.')[0] ?? ''] ?? '' };
    all[group] = { ...words, commands: { ...commands, [name]: route(operation) } };
  }
  return all;
}
