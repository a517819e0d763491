import { withChoices } from './build-program';
import { dashed } from './routes/names';
import { type CommandSpec, type Commands, visible } from './spec';
import type { CommandDescription, GroupDescription } from './types';

/** Describes commands for the reference: first those without a group, then each group. */
export function describeCommands(all: Commands): GroupDescription[] {
  const entries = Object.entries(all);
  const single = Object.fromEntries(entries.filter(([, each]) => !('commands' in each)));
  const groups = entries.flatMap(([name, each]) => ('commands' in each ? [{ name, ...each }] : []));
  return [
    { name: null, summary: null, commands: describeAll(single, '') },
    ...groups.map(({ name, summary, commands }) => ({ name, summary, commands: describeAll(commands, `${name} `) })),
  ];
}

function describeAll(commands: Commands, prefix: string): CommandDescription[] {
  return Object.entries(commands).flatMap(([name, each]) =>
    'commands' in each ? describeAll(each.commands, `${prefix}${name} `) : [describe(each, `${prefix}${name}`)],
  );
}

function describe({ summary, details, args = {}, options = {}, examples }: CommandSpec, name: string) {
  const shown = Object.entries(args).map(([argument, { description, isOptional, choices }]) => ({
    name: isOptional ? `[${dashed(argument)}]` : `<${dashed(argument)}>`,
    description: withChoices(description, choices),
  }));
  const parts = ['eds', name, ...shown.map((each) => each.name)];
  return {
    name,
    usage: [...parts, ...(Object.keys(options).length === 0 ? [] : ['[options]'])].join(' '),
    summary,
    details: details ?? null,
    args: shown,
    options: visible(options).map(({ flags, description, choices }) => ({
      flags,
      description: withChoices(description, choices),
    })),
    examples: Object.entries(examples).map(([line, does]) => ({ line, does })),
  };
}
