'use client';

import { cloneElement, type HTMLAttributes, type ReactElement, type ReactNode, useId } from 'react';
import { createPortal } from 'react-dom';
import { TooltipBubble } from './tooltip-bubble';
import { useTooltip } from './use-tooltip';

/** Shows `content` beside its child on hover and focus. The child must be focusable for keyboard users. */
export function Tooltip({
  content,
  children,
}: {
  content: ReactNode;
  /** An element, or a component that passes these attributes to one. */
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}) {
  const id = useId();
  const { anchor, handlers, bubbleHandlers } = useTooltip(children.props);
  const described = [children.props['aria-describedby'], anchor === null ? undefined : id].filter(Boolean).join(' ');
  return (
    <>
      {cloneElement(children, { ...handlers, 'aria-describedby': described || undefined })}
      {anchor === null
        ? null
        : createPortal(
            <TooltipBubble id={id} anchor={anchor} {...bubbleHandlers}>
              {content}
            </TooltipBubble>,
            document.body,
          )}
    </>
  );
}
