import { ActionIcon, Tooltip } from '@mantine/core';
import type { ObjectRef } from '#shared/api/cluster.ts';
import { addressWith } from '../../core/address-with.ts';
import { IconCode } from '../../core/icons/icons.ts';
import { useHref, usePageAddress } from '../../core/page-address.ts';
import { openedByPlainClick } from '../../core/plain-click.ts';
import { ObjectDialog } from '../cluster/object-dialog.tsx';
import css from '../dialogs/drawer-head.module.css';

type ItemYamlProps = {
  readonly object: ObjectRef;
  /** The key of the thing whose object it is. */
  readonly record: string;
};

/** The way to a thing's object as the cluster or the bundle has it; whether that is open is in the address. */
export function ItemYaml({ object, record }: ItemYamlProps) {
  const [address, go] = usePageAddress();
  const href = useHref();
  const to = addressWith(address, { record, section: 'yaml' });
  const message = `Read ${object.kind} ${object.name} as YAML`;
  return (
    <>
      <Tooltip label={message}>
        <ActionIcon
          component="a"
          className={css.close}
          variant="transparent"
          href={href(to)}
          aria-label={message}
          onClick={(event) => {
            if (openedByPlainClick(event)) go(to);
          }}
        >
          <IconCode size={14} stroke={2} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {address.section === 'yaml' && (
        <ObjectDialog
          object={object}
          onClose={() => go(addressWith(address, { record, section: undefined }))}
        />
      )}
    </>
  );
}
