'use client';

import { type KeyboardEvent, useRef } from 'react';
import { findTyped, nextOption, TYPED_TOGETHER_MS } from './next-option';

interface SelectKeys {
  options: readonly { disabled: boolean; text: string }[];
  isOpen: boolean;
  active: number;
  open: () => void;
  close: () => void;
  activate: (index: number) => void;
  choose: (index: number) => void;
}

/** Handles the keys of a select-only combobox (WAI-ARIA): the focus stays on its button. */
export function useSelectKeys({ options, isOpen, active, open, close, activate, choose }: SelectKeys) {
  const typed = useRef({ text: '', atMs: 0 });
  const type = (event: KeyboardEvent): void => {
    const isTogether = event.timeStamp - typed.current.atMs < TYPED_TOGETHER_MS;
    typed.current = { text: (isTogether ? typed.current.text : '') + event.key, atMs: event.timeStamp };
    const found = findTyped(options, active, typed.current.text);
    if (!isOpen) open();
    if (found !== null) activate(found);
  };
  return (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = typed.current.text !== '' && event.timeStamp - typed.current.atMs < TYPED_TOGETHER_MS;
    const moved = nextOption(options, active, event.key);
    if (event.key === 'Tab') {
      if (isOpen) choose(active);
      return;
    }
    if (event.key === 'Enter' || (event.key === ' ' && !isTyping)) {
      if (isOpen) choose(active);
      else open();
    } else if (event.key === 'Escape' && isOpen) {
      close();
      // The dialog around it stays open.
      event.stopPropagation();
    } else if (moved !== null) {
      if (isOpen) activate(moved);
      else open();
    } else if (event.key.length === 1) type(event);
    else return;
    event.preventDefault();
  };
}
