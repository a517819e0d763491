'use client';

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { usePortal } from './use-portal';

const MARGIN_PX = 16;

/**
 * A modal dialog. In a frame that is longer than the screen it opens where the person looks, and the page around scrolls it.
 * It is open while it is rendered, unless the session has ended, and returns the focus when it closes.
 */
export function PortalDialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const id = useId();
  const element = useRef<HTMLDialogElement>(null);
  const { isEnded } = usePortal();
  useLayoutEffect(() => {
    const dialog = element.current;
    if (dialog === null || isEnded) return;
    let isWanted = true;
    if (document.documentElement.dataset.framed === undefined) dialog.showModal();
    else void readVisiblePart().then((part) => isWanted && showIn(part, dialog));
    return () => {
      isWanted = false;
      dialog.close();
      document.body.style.minHeight = '';
    };
  }, [isEnded]);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md animate-enter overflow-y-auto rounded-xl bg-surface p-6 text-text shadow-floating backdrop:bg-overlay in-data-framed:absolute in-data-framed:max-h-none"
    >
      <h2 id={id} className="font-semibold text-lg">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

/** Shows a dialog in the middle of what the person sees. A page that is shorter than it gets longer while it is open. */
function showIn({ top, height }: VisiblePart, dialog: HTMLDialogElement): void {
  const moveTo = (y: number) => {
    dialog.style.inset = `${y}px 0 auto`;
  };
  dialog.style.marginBlock = '0';
  // It gets the focus, and the browser scrolls to what has it.
  moveTo(top + MARGIN_PX);
  dialog.showModal();
  const lastY = document.body.offsetHeight - dialog.offsetHeight - MARGIN_PX;
  const y = Math.max(MARGIN_PX, Math.min(top + (height - dialog.offsetHeight) / 2, lastY));
  moveTo(y);
  document.body.style.minHeight = `${y + dialog.offsetHeight + MARGIN_PX}px`;
}

/** The buttons at the end of a dialog or a form; the primary one is last. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-wrap justify-end gap-2">{children}</div>;
}

/** In CSS pixels, from the top of this page. */
interface VisiblePart {
  top: number;
  height: number;
}

/**
 * Returns the part of this page that the person sees, in its own coordinates. A frame that is as high as its content cannot know it by
 * its size: the page around it scrolls.
 */
function readVisiblePart(): Promise<VisiblePart> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver(([entry]) => {
      observer.disconnect();
      const { top = 0, height = window.innerHeight } = entry?.intersectionRect ?? {};
      resolve({ top, height });
    });
    observer.observe(document.documentElement);
  });
}
