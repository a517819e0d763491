import { LinkedHeading } from '@/components/docs/heading-link';
import { Prose } from '@/components/docs/prose';
import { CodeBlock } from '@/components/ui/code-block';
import type { CommandDescription, GroupDescription } from '@/lib/cli/types';
import { commandId } from './command-id';
import { NameList } from './name-list';

/** Every command with its arguments, options and examples. */
export function CommandReference({ groups }: { groups: readonly GroupDescription[] }) {
  return (
    <>
      {groups.flatMap(({ commands }) =>
        commands.map((command) => <CommandSection key={command.name} command={command} />),
      )}
    </>
  );
}

function CommandSection({ command }: { command: CommandDescription }) {
  const { name, usage, summary, details, args, options, examples } = command;
  const rows = [
    ...args.map(({ name, description: meaning }) => ({ name, meaning })),
    ...options.map(({ flags: name, description: meaning }) => ({ name, meaning })),
  ];
  const id = commandId(name);
  return (
    <section
      id={id}
      data-heading=""
      aria-label={`eds ${name}`}
      className="mt-8 scroll-mt-26 border-t pt-8 lg:scroll-mt-16"
    >
      <LinkedHeading id={id}>{`eds ${name}`}</LinkedHeading>
      <div className="mt-2 grid min-w-0 gap-3">
        <p>{summary}</p>
        {details?.split('\n\n').map((paragraph) => (
          <p key={paragraph} className="text-muted text-sm">
            <Prose>{paragraph}</Prose>
          </p>
        ))}
        <CodeBlock label="Usage" language="shell" code={usage} />
        {rows.length === 0 ? null : <NameList values={rows} />}
        <CodeBlock
          label="Examples"
          language="shell"
          code={examples.map(({ line, does }) => `# ${does}\neds ${line}`).join('\n\n')}
        />
      </div>
    </section>
  );
}
