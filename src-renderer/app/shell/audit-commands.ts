import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAllowlist } from '../../core/access.ts';
import { pathOf } from '../../core/api.ts';
import { startVerification } from '../../core/audit-verification.ts';
import type { Command } from '../../core/commands.tsx';
import { IconDownload, IconListCheck, IconShieldX } from '../../core/icons/icons.ts';
import { usePageAddress } from '../../core/page-address.ts';

/** What a session admin can do with the audit trail from every page. */
export function useAuditShellCommands(): readonly Command[] {
  const [{ tab }, go] = usePageAddress();
  const client = useQueryClient();
  const member = useAllowlist('CONSOLE_SESSION_ADMINS').data?.member === true;
  return useMemo<readonly Command[]>(
    () =>
      member
        ? [
            {
              id: 'audit.verify',
              group: 'Actions',
              title: 'Verify the audit chain',
              detail: 'walks every record',
              keys: 'v',
              icon: IconListCheck,
              run: () => {
                if (tab !== 'audit') go({ tab: 'audit' });
                startVerification(client);
              },
            },
            {
              id: 'audit.refused',
              group: 'Actions',
              title: 'Show refused acts',
              detail: 'the audit trail, narrowed',
              icon: IconShieldX,
              run: () => go({ tab: 'audit', outcome: 'refused' }),
            },
            {
              id: 'audit.export',
              group: 'Actions',
              title: 'Export the audit chain',
              detail: 'every record, one JSON a line',
              icon: IconDownload,
              run: () => location.assign(pathOf('audit.export')),
            },
          ]
        : [],
    [tab, go, client, member],
  );
}
