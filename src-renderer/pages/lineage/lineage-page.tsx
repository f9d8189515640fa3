import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef } from 'react';
import { type LineageImage, lineageSteps } from '#shared/api/delivery.ts';
import type { PageAddress } from '#shared/page-address.ts';
import { counted } from '#shared/text.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { Page } from '../../components/page/page.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { RepoChip } from '../../components/repo-chip.tsx';
import { SourceRead } from '../../components/source-read.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import type { RowMoves } from '../../components/table/use-virtual-rows.ts';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { useReading } from '../../core/reading.tsx';
import { ImageTable } from './image-table.tsx';
import { LineageGraph } from './lineage-graph.tsx';
import { unreadEnd, worstFirst } from './lineage-labels.ts';
import css from './lineage-page.module.css';
import { imagesQuery, shippedQuery } from './lineage-queries.ts';
import { LineageSkeleton } from './lineage-skeleton.tsx';
import { type AskedCommit, parseCommit } from './parse-commit.ts';
import { ShipBox } from './ship-box.tsx';
import { useLineageCommands } from './use-lineage-commands.ts';

/** Refresh interval of the paths while the page is visible, in milliseconds. */
const everyMs = 60_000;

const noImages: readonly LineageImage[] = [];

/** From merge to running pod: whether a commit shipped, one image's way as a graph, and every image in a line. */
export function LineagePage() {
  const [address, go] = usePageAddress();
  const href = useHref();
  const { every } = useReading();
  const requested = commitOf(address.sha, address.repo);
  // A commit's repository narrows where it is looked for, not what else is shown.
  const only = requested !== undefined || address.repo === '' ? undefined : (address.repo ?? undefined);
  const target = useClusterTarget();
  const all = useQuery({ ...imagesQuery(target, only), refetchInterval: every(everyMs) });
  const shipped = useQuery({
    ...shippedQuery(target, requested?.sha ?? '', requested?.repo),
    enabled: requested !== undefined,
    refetchInterval: every(everyMs),
  });
  const input = useRef<HTMLInputElement>(null);
  const table = useRef<RowMoves<LineageImage>>(null);

  const images = all.data?.images ?? noImages;
  const end = useMemo(() => unreadEnd(images), [images]);
  const sorted = useMemo(() => worstFirst(images, end), [images, end]);
  const shownImages = requested === undefined ? noImages : (shipped.data?.images ?? noImages);
  const wanted = address.image ?? shownImages[0]?.image ?? sorted[0]?.image;
  const path =
    shownImages.find(({ image }) => image === wanted) ?? sorted.find(({ image }) => image === wanted);
  const shownImage = path ?? sorted[0];

  const { sha, repo } = address;
  const indexOf = useCallback(
    (image: string, section?: string): PageAddress => ({
      tab: 'lineage',
      image,
      ...(sha !== null && { sha }),
      ...(repo !== null && { repo }),
      ...(section !== undefined && { section }),
    }),
    [sha, repo],
  );
  const choose = useCallback((image: string) => go(indexOf(image), 'replace'), [go, indexOf]);
  const move = useCallback(
    (step: 1 | -1) => {
      const image = table.current?.move(step);
      if (image !== undefined) choose(image.image);
    },
    [choose],
  );
  useLineageCommands({ images: sorted, input, move, choose });
  const search = (commit: AskedCommit | undefined) => go({ tab: 'lineage', ...commit });

  return (
    <Page
      title="Lineage"
      sub={
        all.data === undefined || images.length === 0
          ? ''
          : `${formatCount(images.length)}, from merge to running pod`
      }
      actions={
        <>
          <ReadingCoverage
            reading={all.data}
            {...(end !== undefined && { whole: 'Code host and registry read' })}
          />
          {images.length > 0 && <Export images={sorted} />}
        </>
      }
    >
      <SourceRead query={all} what="Images" board skeleton={<LineageSkeleton />}>
        {() => (
          <div className={css.board}>
            <ReadingNotices
              query={all}
              saidElsewhere={(reason) =>
                end !== undefined && reason.toLowerCase().includes(end.reason.toLowerCase())
              }
            />
            <ShipBox inputRef={input} commit={requested} query={shipped} onSearch={search} />
            {shownImage === undefined ? (
              <NoImages
                complete={all.data?.complete === true}
                repo={only}
                onClear={() => go({ tab: 'lineage' })}
              />
            ) : (
              <>
                <LineageGraph
                  key={shownImage.image}
                  image={shownImage}
                  end={end}
                  whose={
                    requested === undefined || shipped.data === undefined
                      ? undefined
                      : shownImages.includes(shownImage)
                        ? 'asked'
                        : 'newest'
                  }
                  unfolded={address.section === 'all'}
                  onUnfold={() => go(indexOf(shownImage.image, 'all'))}
                />
                <ImageTable
                  ref={table}
                  images={sorted}
                  end={end}
                  repo={
                    <RepoChip
                      value={only}
                      known={[...new Set(sorted.map((image) => image.repo))].sort()}
                      onChange={(name) => go({ tab: 'lineage', ...(name !== undefined && { repo: name }) })}
                    />
                  }
                  chosen={shownImage.image}
                  addressOf={(image) => href(indexOf(image))}
                  onChoose={choose}
                />
              </>
            )}
          </div>
        )}
      </SourceRead>
    </Page>
  );
}

const formatCount = (count: number): string => counted(count, 'image');

/** The commit an address asks about. */
function commitOf(sha: string | null, repo: string | null): AskedCommit | undefined {
  const commit = sha === null ? undefined : parseCommit(sha);
  return commit === undefined || repo === null || repo === '' ? commit : { ...commit, repo };
}

type NoImagesProps = {
  readonly complete: boolean;
  /** The only repository that was read. */
  readonly repo: string | undefined;
  readonly onClear: () => void;
};

function NoImages({ complete, repo, onClear }: NoImagesProps) {
  return (
    <div className={css.none}>
      <FailurePanel
        state={complete ? 'idle' : 'unknown'}
        label={complete ? 'Empty' : 'Not read'}
        title={
          repo !== undefined ? `No image of ${repo}` : complete ? 'No image yet' : 'No image in the data read'
        }
        actions={
          repo !== undefined && (
            <Button variant="filled" onClick={onClear}>
              Show every repository
            </Button>
          )
        }
      >
        <p>
          An image is shown here once its repository has a workflow that runs on the default branch by push,
          release or dispatch.{' '}
          {complete
            ? 'No results; everything was checked.'
            : 'Not everything was read, so there may be some.'}
        </p>
      </FailurePanel>
    </div>
  );
}

const columns = ['image', 'repo', 'tag', 'digest', 'sha', 'title', 'author', ...lineageSteps, 'where'];

function Export({ images }: { readonly images: readonly LineageImage[] }) {
  const rows = images.map(
    ({ steps, ...facts }): Readonly<Record<string, string | undefined>> => ({
      ...facts,
      ...Object.fromEntries(steps.map(({ step, state }) => [step, state])),
    }),
  );
  return (
    <ExportRows
      name="lineage"
      label={`The newest commit of ${formatCount(images.length)}`}
      fields={columns}
      rows={rows}
      json={images}
    />
  );
}
