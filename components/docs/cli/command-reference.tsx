import { LinkedHeading } from '@/components/docs/heading-link';
import { CodeBlock } from '@/components/ui/code-block';
import type { CommandDescription, GroupDescription } from '@/lib/cli/types';
import { commandId } from './command-id';

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
    ...args.map(({ name: term, description }) => ({ term, description })),
    ...options.map(({ flags: term, description }) => ({ term, description })),
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
        {details === null ? null : <p className="text-muted text-sm">{details}</p>}
        <CodeBlock label="Usage" language="shell" code={usage} />
        {rows.length === 0 ? null : (
          <dl className="divide-y rounded-lg border bg-surface">
            {rows.map(({ term, description }) => (
              <div key={term} className="grid gap-1 px-3 py-2 text-sm sm:grid-cols-[14rem_1fr] sm:gap-4">
                <dt className="wrap-anywhere font-mono text-xs leading-5">{term}</dt>
                <dd className="text-muted">{description}</dd>
              </div>
            ))}
          </dl>
        )}
        <CodeBlock
          label="Examples"
          language="shell"
          code={examples.map(({ line, does }) => `# ${does}\neds ${line}`).join('\n\n')}
        />
      </div>
    </section>
  );
}
