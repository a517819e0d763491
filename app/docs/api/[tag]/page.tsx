import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { loadReference } from '@/app/docs/content';
import { ReferencePageView } from '@/components/docs/api/reference-page';

export const dynamic = 'force-static';
export const dynamicParams = false;

async function loadPages() {
  return (await loadReference()).groups.flatMap(({ pages }) => pages);
}

export async function generateStaticParams() {
  return (await loadPages()).map(({ slug }) => ({ tag: slug }));
}

interface Props {
  params: Promise<{ tag: string }>;
}

async function findPage({ params }: Props) {
  const { tag } = await params;
  return (await loadPages()).find(({ slug }) => slug === tag) ?? notFound();
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: `${(await findPage(props)).title} · API` };
}

export default async function Page(props: Props) {
  return <ReferencePageView page={await findPage(props)} />;
}
