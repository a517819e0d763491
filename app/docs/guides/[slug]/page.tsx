import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { loadGuides } from '@/app/docs/content';
import { GuidePage } from '@/components/docs/markdown/guide-page';

export const dynamic = 'force-static';
export const dynamicParams = false;

export async function generateStaticParams() {
  return (await loadGuides()).map(({ slug }) => ({ slug }));
}

interface Props {
  params: Promise<{ slug: string }>;
}

async function findGuide({ params }: Props) {
  const { slug } = await params;
  return (await loadGuides()).find((each) => each.slug === slug)?.guide ?? notFound();
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  return { title: (await findGuide(props)).title };
}

export default async function Page(props: Props) {
  return <GuidePage guide={await findGuide(props)} />;
}
