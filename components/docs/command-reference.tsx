import { CodeBlock } from '@/components/ui/code-block';
import type { CommandDescription, GroupDescription } from '@/lib/cli/types';
import { LinkedSection } from './linked-section';
import { commandId, groupTitle } from './make-sections';
import { Prose } from './prose';

interface CommandReferenceProps {
  group: GroupDescription;
  /** What commands print, by their names. */
  samples: ReadonlyMap<string, string>;
}

/** The page of a group: every command with its arguments, options and examples. */
export function CommandReference({ group: { name, summary, commands }, samples }: CommandReferenceProps) {
  return (
    <article className="max-w-3xl">
      <h1 className="font-semibold text-2xl tracking-tight">{groupTitle(name)}</h1>
      {summary === null ? null : (
        <p className="mt-1 text-muted">
          <Prose>{summary}</Prose>
        </p>
      )}
      {commands.map((command) => (
        <CommandSection key={command.name} command={command} sample={samples.get(command.name)} />
      ))}
    </article>
  );
}

function CommandSection({ command, sample }: { command: CommandDescription; sample: string | undefined }) {
  const { name, usage, summary, details, args, options, examples } = command;
  const rows = [
    ...args.map(({ name, description: meaning }) => ({ name, meaning })),
    ...options.map(({ flags: name, description: meaning }) => ({ name, meaning })),
  ];
  return (
    <LinkedSection id={commandId(name)} title={`eds ${name}`} className="border-t pt-8">
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
      {sample === undefined ? null : <CodeBlock label="Output" language="text" code={sample} />}
    </LinkedSection>
  );
}

interface NamedValue {
  name: string;
  /** As in the help of the command line: in lower case, with code in backticks. */
  meaning: string;
}

/** Names, such as options, with what each means. */
export function NameList({ values }: { values: readonly NamedValue[] }) {
  return (
    <dl className="divide-y rounded-lg border bg-surface">
      {values.map(({ name, meaning }) => (
        <div key={name} className="grid gap-1 px-3 py-2 text-sm sm:grid-cols-[14rem_1fr] sm:gap-4">
          <dt className="wrap-anywhere font-mono text-xs leading-5">{name}</dt>
          <dd className="wrap-anywhere text-muted">
            <Prose>{`${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}`}</Prose>
          </dd>
        </div>
      ))}
    </dl>
  );
}
