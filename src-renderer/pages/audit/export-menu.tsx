import { type AuditItem, auditItem } from '#shared/api/audit.ts';
import { CommandBlock } from '../../components/command-block.tsx';
import { ExportRows } from '../../components/table/export-rows.tsx';
import type { TableColumn } from '../../components/table/table-column.ts';
import { pathOf } from '../../core/api.ts';
import { IconLink } from '../../core/icons/icons.ts';
import { recordsLabel } from './audit-labels.ts';
import css from './export-menu.module.css';

type ExportMenuProps = {
  readonly items: readonly AuditItem[];
  readonly columns: readonly TableColumn<AuditItem>[];
};

/** The whole chain for checking elsewhere, or the rows that were read for a spreadsheet. */
export function ExportMenu({ items, columns }: ExportMenuProps) {
  return (
    <ExportRows
      name="audit"
      label={`The ${recordsLabel(items.length)} loaded so far`}
      table={{ id: 'audit', columns }}
      fields={auditItem.keyof().options}
      rows={items}
      more={(close) => (
        <div className={css.chain}>
          <h2 className={css.heading}>The whole chain, to be verified elsewhere</h2>
          <a className={css.choice} href={pathOf('audit.export')} download onClick={close}>
            <IconLink size={14} stroke={2} aria-hidden />
            Every record, one JSON a line
          </a>
          <div className={css.command}>
            <CommandBlock command="operator-console audit export -o audit.ndjson" />
          </div>
        </div>
      )}
    />
  );
}
