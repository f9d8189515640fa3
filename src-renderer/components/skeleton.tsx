import { useEffect, useState } from 'react';
import { formatDuration } from './format-time.ts';
import { Glyph } from './glyph.tsx';
import css from './skeleton.module.css';

/** A grey bar where words will be. */
export function Bone({ width }: { readonly width: number | string }) {
  return <span className={css.bone} style={{ width }} />;
}

/** Rows in the shape of a two-line list. */
export function SkeletonRows({ rows }: { readonly rows: number }) {
  return (
    <div aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className={css.row}>
          <span className={css.dot} />
          <Bone width={`${72 - ((index * 17) % 30)}%`} />
          <span />
          <Bone width={`${48 - ((index * 11) % 20)}%`} />
        </div>
      ))}
    </div>
  );
}

/** Says what is being waited for, once it has taken a second. */
export function Waiting({ label }: { readonly label: string }) {
  const [started] = useState(Date.now);
  const [now, setNow] = useState(started);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className={css.waiting} role="status">
      {now - started >= 1000 && (
        <>
          <Glyph state="working" />
          {label}
          <span className={css.took}>{formatDuration(now - started)}</span>
        </>
      )}
    </p>
  );
}
