import delivery from '@/docs/images/delivery.png';
import endpoints from '@/docs/images/endpoints.png';
import overview from '@/docs/images/overview.png';

/** The pictures of `docs/images`, as links of `docs/guides` name them. */
export const GUIDE_IMAGES = {
  '../images/delivery.png': delivery,
  '../images/endpoints.png': endpoints,
  '../images/overview.png': overview,
};

/** A picture of a guide. @throws Error for one that the build does not include */
export function GuideImage({ href, alt }: { href: string; alt: string }) {
  const image = GUIDE_IMAGES[href as keyof typeof GUIDE_IMAGES];
  if (image === undefined) throw new Error(`GUIDE_IMAGES lacks ${href}.`);
  const { src, width, height } = image;
  // biome-ignore lint/performance/noImgElement: the pictures are not resized on the fly
  return <img src={src} alt={alt} width={width} height={height} loading="lazy" className="rounded-lg border" />;
}
