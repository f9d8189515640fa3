import { keyCaps } from '../core/keys.ts';
import css from './key-caps.module.css';

const mac = navigator.userAgent.includes('Mac OS');

/** A binding as key caps. Seen only: the control beside it says the words. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span className={css.caps} aria-hidden="true">
      {keyCaps(keys, mac).map((cap) => (
        <kbd key={cap} className={css.cap}>
          {cap}
        </kbd>
      ))}
    </span>
  );
}
