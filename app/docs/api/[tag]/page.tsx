import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { loadReference } from '@/app/docs/load-reference';
import { findPage } from '@/components/docs/api/make-reference';
import { ReferencePageView } from '@/components/docs/api/reference-page';

export const dynamic = 'force-static';
export const dynamicParams = false;

export async function generateStaticParams() {
  return (await loadReference()).groups.flatMap(({ pages }) => pages.map(({ slug }) => ({ tag: slug })));
}

interface Props {
  params: Promise<{ tag: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = findPage(await loadReference(), (await params).tag);
  return { title: page === undefined ? 'Not found' : `${page.title} · API` };
}

export default async function Page({ params }: Props) {
  const page = findPage(await loadReference(), (await params).tag);
  if (page === undefined) notFound();
  return <ReferencePageView page={page} />;
}
