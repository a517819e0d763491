import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { loadCommands, loadOutputSamples } from '@/app/docs/content';
import { CommandReference } from '@/components/docs/command-reference';
import { groupTitle } from '@/components/docs/make-sections';

export const dynamic = 'force-static';
export const dynamicParams = false;

export function generateStaticParams() {
  return loadCommands().map(({ name }) => ({ group: name ?? 'commands' }));
}

interface Props {
  params: Promise<{ group: string }>;
}

async function findGroup({ params }: Props) {
  const { group } = await params;
  return loadCommands().find(({ name }) => (name ?? 'commands') === group) ?? notFound();
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: groupTitle((await findGroup(props)).name) };
}

export default async function Page(props: Props) {
  return <CommandReference group={await findGroup(props)} samples={await loadOutputSamples()} />;
}
