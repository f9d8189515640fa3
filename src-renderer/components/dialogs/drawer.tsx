import { useLocalStorage } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useEffectEvent } from 'react';
import { anyLayerOpen } from '../../core/any-layer-open.ts';
import { FailureBoundary } from '../failure-boundary.tsx';
import css from './drawer.module.css';
import { useFocusReturn } from './use-focus-return.ts';

type DrawerProps = {
  readonly name: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Pixels. */
const narrowest = 360;
const widest = 640;
const usual = 400;
const keyStep = 16;

const within = (width: number): number => Math.round(Math.min(widest, Math.max(narrowest, width)));

/** One thing of a list, beside the list and not over it. Esc closes it; its edge can be dragged, or moved with arrows. */
export function Drawer({ name, onClose, children }: DrawerProps) {
  useFocusReturn();
  const [width, setWidth] = useLocalStorage({
    key: 'console.drawer',
    defaultValue: usual,
    getInitialValueInEffect: false,
  });
  const onEscape = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || anyLayerOpen()) return;
    if (event.target instanceof Element && event.target.closest('input, textarea, select') !== null) return;
    onClose();
  });
  useEffect(() => {
    // Before anybody else, so that a layer which closes on this very press is still seen to be open.
    window.addEventListener('keydown', onEscape, true);
    return () => window.removeEventListener('keydown', onEscape, true);
  }, []);
  const onDrag = (event: PointerEvent<HTMLHRElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId))
      setWidth(within(document.documentElement.clientWidth - event.clientX));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft') setWidth(within(width + keyStep));
    else if (event.key === 'ArrowRight') setWidth(within(width - keyStep));
    else return;
    event.preventDefault();
  };
  return (
    <aside className={css.drawer} style={{ width: within(width) }} aria-label={name}>
      <hr
        className={css.edge}
        aria-orientation="vertical"
        aria-label="Width of the panel"
        aria-valuenow={within(width)}
        aria-valuemin={narrowest}
        aria-valuemax={widest}
        tabIndex={0}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={onDrag}
        onKeyDown={onKeyDown}
        onDoubleClick={() => setWidth(usual)}
      />
      <div className={css.content}>
        <FailureBoundary part="This panel">{children}</FailureBoundary>
      </div>
    </aside>
  );
}
