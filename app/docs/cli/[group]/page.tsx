import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { loadCommands } from '@/app/docs/load-commands';
import { CommandReference } from '@/components/docs/cli/command-reference';
import { Prose } from '@/components/docs/prose';
import type { GroupDescription } from '@/lib/cli/types';

export const dynamic = 'force-static';
export const dynamicParams = false;

export function generateStaticParams() {
  return loadCommands().map(({ name }) => ({ group: name ?? 'commands' }));
}

interface Props {
  params: Promise<{ group: string }>;
}

async function findGroup({ params }: Props): Promise<GroupDescription | undefined> {
  const { group } = await params;
  return loadCommands().find(({ name }) => (name ?? 'commands') === group);
}

const titleOf = ({ name }: GroupDescription) => (name === null ? 'General commands' : `eds ${name}`);

export async function generateMetadata(props: Props): Promise<Metadata> {
  const group = await findGroup(props);
  return { title: group === undefined ? 'Not found' : titleOf(group) };
}

export default async function Page(props: Props) {
  const group = await findGroup(props);
  if (group === undefined) notFound();
  return (
    <article className="max-w-3xl">
      <h1 className="font-semibold text-2xl tracking-tight">{titleOf(group)}</h1>
      {group.summary === null ? null : (
        <p className="mt-1 text-muted">
          <Prose>{group.summary}</Prose>
        </p>
      )}
      <CommandReference groups={[group]} />
    </article>
  );
}
