import { type RefObject, useState } from 'react';
import { Bone, Waiting } from '../../components/skeleton.tsx';
import css from './studio-frame.module.css';

type StudioFrameProps = {
  readonly src: string;
  readonly frame: RefObject<HTMLIFrameElement | null>;
  /** The frame has loaded; the status of its page, when the browser tells it. */
  readonly onLoaded: (status: number | undefined) => void;
};

/** The studio in its frame, under a skeleton until it has loaded. Give it a new `key` with every new `src`. */
export function StudioFrame({ src, frame, onLoaded }: StudioFrameProps) {
  const [loaded, setLoaded] = useState(false);
  return (
    <div className={css.room}>
      <iframe
        ref={frame}
        className={css.frame}
        src={src}
        title="Studio"
        // Its own origin is ours, which would have the microphone by default: nobody was asked for it.
        allow="clipboard-write; microphone 'none'"
        onLoad={() => {
          setLoaded(true);
          onLoaded(pageStatus(frame.current));
        }}
      />
      {!loaded && (
        <div className={css.skeleton}>
          <div className={css.talk} aria-hidden="true">
            <Bone width="38%" />
            <Bone width="86%" />
            <Bone width="64%" />
            <span className={css.gap} />
            <Bone width="24%" />
            <Bone width="92%" />
            <Bone width="71%" />
          </div>
          <div className={css.composer}>
            <Waiting label="Opening the studio" />
          </div>
        </div>
      )}
    </div>
  );
}

/** The HTTP status of the page in a frame of our own origin: a refusal is a page too, and would be shown raw. */
function pageStatus(frame: HTMLIFrameElement | null): number | undefined {
  try {
    const [navigation] = frame?.contentWindow?.performance.getEntriesByType('navigation') ?? [];
    return navigation instanceof Object && 'responseStatus' in navigation
      ? Number(navigation.responseStatus)
      : undefined;
  } catch {
    // The frame went to another origin: not ours to look into.
    return undefined;
  }
}
