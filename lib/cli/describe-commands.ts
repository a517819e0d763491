import { dashed, withChoices } from './build-program';
import type { CommandSpec, GroupSpec } from './spec';
import type { CommandDescription, GroupDescription } from './types';

/** Describes commands for the reference: first those without a group, then each group. Leaves out hidden ones. */
export function describeCommands(all: readonly (CommandSpec | GroupSpec)[]): GroupDescription[] {
  const single = all.flatMap((each) => ('commands' in each ? [] : [each]));
  const groups = all.flatMap((each) => ('commands' in each ? [each] : []));
  return [
    { name: null, summary: null, commands: describeAll(single, '') },
    ...groups.map(({ name, summary, commands }) => ({ name, summary, commands: describeAll(commands, `${name} `) })),
  ];
}

function describeAll(commands: readonly (CommandSpec | GroupSpec)[], prefix: string): CommandDescription[] {
  return commands.flatMap((each) => {
    if ('commands' in each) return describeAll(each.commands, `${prefix}${each.name} `);
    return each.isHidden ? [] : [describe(each, prefix)];
  });
}

function describe({ name, summary, details, args = {}, options = {}, examples }: CommandSpec, prefix: string) {
  const shown = Object.entries(args).map(([argument, { description, isOptional, choices }]) => ({
    name: isOptional ? `[${dashed(argument)}]` : `<${dashed(argument)}>`,
    description: withChoices(description, choices),
  }));
  const parts = ['eds', `${prefix}${name}`, ...shown.map((each) => each.name)];
  return {
    name: `${prefix}${name}`,
    usage: [...parts, ...(Object.keys(options).length === 0 ? [] : ['[options]'])].join(' '),
    summary,
    details: details ?? null,
    args: shown,
    options: Object.values(options).map(({ flags, description, choices }) => ({
      flags,
      description: withChoices(description, choices),
    })),
    examples,
  };
}
