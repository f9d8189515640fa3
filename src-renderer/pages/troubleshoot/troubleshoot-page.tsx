import { useQuery } from '@tanstack/react-query';
import { usePageAddress } from '../../core/page-address.ts';
import { bundleIdOf, useCurrentTarget } from '../../core/target-queries.ts';
import { CataloguePanel } from './catalogue-panel.tsx';
import { catalogueQuery } from './catalogue-query.ts';
import { FindingsPanel } from './findings-panel.tsx';
import { RequirementsPanel } from './requirements-panel.tsx';
import { TroubleshootTabs } from './troubleshoot-tabs.tsx';
import { useDiagnosis } from './use-diagnosis.ts';
import { useTextExplanation } from './use-text-explanation.ts';

/**
 * Diagnoses a cluster, a bundle or a text, and shows the catalogue of known symptoms. A diagnosis continues, and its
 * results stay, while the other half is shown.
 */
export function TroubleshootPage() {
  const [{ panel }] = usePageAddress();
  const { id, target } = useCurrentTarget();
  const fixed = id !== undefined && bundleIdOf(id) !== undefined;
  const diagnosis = useDiagnosis(id, fixed);
  const explanation = useTextExplanation();
  const catalogue = useQuery(catalogueQuery);
  const open = panel === 'catalogue' || panel === 'requirements' ? panel : 'findings';
  const tabs = (
    <TroubleshootTabs
      open={open}
      findings={diagnosis.report?.findings.length}
      symptoms={catalogue.data?.length}
    />
  );
  if (open === 'catalogue') return <CataloguePanel tabs={tabs} catalogue={catalogue} />;
  if (open === 'requirements') return <RequirementsPanel tabs={tabs} />;
  return (
    <FindingsPanel
      tabs={tabs}
      diagnosis={diagnosis}
      explanation={explanation}
      target={id === undefined ? undefined : { id, name: target?.name ?? id, fixed }}
    />
  );
}
