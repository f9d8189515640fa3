import { useQuery } from '@tanstack/react-query';
import { ClusterRead } from '../../components/cluster-read.tsx';
import { formatShare } from '../../components/format-quantity.ts';
import { Board, Counted } from '../../components/judged/board.tsx';
import { JudgedRow, JudgedRows } from '../../components/judged/judged-row.tsx';
import { ShareFigure } from '../../components/judged/share-figure.tsx';
import { Page } from '../../components/page/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReadingCoverage } from '../../components/reading-coverage.tsx';
import { ReadingNotices } from '../../components/reading-notices.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { useClusterTarget } from '../../core/cluster-target.ts';
import { useReading } from '../../core/reading.tsx';
import css from './maturity-page.module.css';
import { type MaturityAnswer, maturityQuery } from './maturity-query.ts';

const everyMs = 30_000;

type Dimension = MaturityAnswer['dimensions'][number];

const titles: Readonly<Record<Dimension['name'], string>> = {
  delivery: 'Delivery',
  reliability: 'Reliability',
  security: 'Security',
  governance: 'Governance',
  autonomy: 'Autonomy',
};

/** Shows five measured dimensions, and their mean only where all five are measured. */
export function MaturityPage() {
  const target = useClusterTarget();
  const { every } = useReading();
  const query = useQuery({ ...maturityQuery(target), refetchInterval: every(everyMs) });
  return (
    <Page
      title="Maturity"
      sub="Five dimensions, each measured or not"
      actions={<ReadingCoverage reading={query.data} />}
    >
      <ClusterRead query={query} what="Dimensions" board skeleton={<SkeletonRows rows={6} />}>
        {(answer) => (
          <Board>
            <ReadingNotices query={query} saidElsewhere={(reason) => reason.startsWith('Dimension ')} />
            <Composite answer={answer} />
            <Panel title="Dimensions">
              <JudgedRows label="Dimensions">
                {answer.dimensions.map(({ name, share, unmeasured, counted, evidence }) => (
                  <JudgedRow
                    key={name}
                    state={share === undefined ? 'unknown' : 'idle'}
                    label={share === undefined ? 'Unmeasured' : 'Measured'}
                    title={titles[name]}
                    finding={unmeasured ?? evidence[0]?.fact ?? ''}
                    counted={counted}
                    evidence={evidence}
                    figure={<ShareFigure share={share} />}
                  />
                ))}
              </JudgedRows>
            </Panel>
          </Board>
        )}
      </ClusterRead>
    </Page>
  );
}

function Composite({ answer: { composite, dimensions, counted } }: { readonly answer: MaturityAnswer }) {
  const missing = dimensions.filter(({ share }) => share === undefined).map(({ name }) => titles[name]);
  return (
    <Panel title="Composite">
      <p className={css.composite}>
        {composite === undefined ? (
          <>
            <b>None.</b> Not measured: {missing.join(', ')}. There is no composite of fewer than five.
          </>
        ) : (
          <b>{formatShare(composite)}</b>
        )}
      </p>
      <Counted>{counted}</Counted>
    </Panel>
  );
}
