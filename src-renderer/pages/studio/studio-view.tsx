import { Button } from '@mantine/core';
import type { RefObject } from 'react';
import { Banner } from '../../components/banner.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Waiting } from '../../components/skeleton.tsx';
import { WithCode } from '../../components/with-code.tsx';
import type { FrameAddress } from './frame-address.ts';
import { StudioFrame } from './studio-frame.tsx';
import type { StudioTrouble } from './studio-trouble.ts';
import css from './studio-view.module.css';

type StudioViewProps = {
  readonly framePage: FrameAddress;
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly trouble: StudioTrouble | undefined;
  /** True once the platform was asked, whatever it said. */
  readonly known: boolean;
  /** True once the frame shows the studio. */
  readonly opened: boolean;
  readonly onLoaded: (status: number | undefined) => void;
  readonly onRetry: () => void;
  readonly retrying: boolean;
};

/**
 * The frame, or why there is none. A frame that is open stays open when the studio stops answering: what is written in
 * it is the person's, and the trouble is told above it.
 */
export function StudioView({
  framePage,
  frame,
  trouble,
  known,
  opened,
  onLoaded,
  onRetry,
  retrying,
}: StudioViewProps) {
  if (trouble !== undefined && (!opened || trouble.kind === 'nobody')) {
    return (
      <div className={css.trouble}>
        <FailurePanel
          {...trouble}
          actions={
            trouble.kind === 'key_missing' ? (
              <PageLink to={{ tab: 'settings', section: 'setUp' }} look="filled">
                Set up the studio
              </PageLink>
            ) : trouble.kind === 'nobody' ? undefined : (
              <Button variant="filled" onClick={onRetry} loading={retrying}>
                Retry
              </Button>
            )
          }
        >
          {trouble.paragraphs.map((sentence) => (
            <p key={sentence}>
              <WithCode>{sentence}</WithCode>
            </p>
          ))}
        </FailurePanel>
      </div>
    );
  }
  if (!known) {
    return (
      <div className={css.trouble}>
        <Waiting label="Checking whether the studio answers" />
      </div>
    );
  }
  return (
    <div className={css.room}>
      {trouble !== undefined && (
        <div className={css.notice}>
          <Banner look="failing" urgent icon={<Glyph state="failing" />} title={`${trouble.title}.`}>
            The page below stays as it is. {trouble.raw}
          </Banner>
        </div>
      )}
      <StudioFrame key={framePage.generation} src={framePage.src} frame={frame} onLoaded={onLoaded} />
    </div>
  );
}
