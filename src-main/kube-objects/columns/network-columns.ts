import { type JsonObject, listAt, objectAt, textAt, textsAt, valueAt } from '../../base/json-fields.ts';
import { selectorText } from '../selectors.ts';
import { age, type ColumnsOfKinds, column, listed, name, nameOrDefault, orNone, text } from './column.ts';
import { balancerText } from './core-columns.ts';

/** Columns of networking.k8s.io and discovery.k8s.io. */
export const networkColumns: ColumnsOfKinds = {
  'endpointslices.discovery.k8s.io': [
    name,
    text('AddressType', 'addressType'),
    column('Ports', (slice) =>
      listed(
        listAt(slice, 'ports').map(
          (port) => textAt(port, 'port') || (port.name === undefined ? '*' : textAt(port, 'name')),
        ),
        most,
        '<unset>',
      ),
    ),
    column('Endpoints', (slice) =>
      listed(
        listAt(slice, 'endpoints').flatMap((endpoint) => textsAt(endpoint, 'addresses')),
        most,
        '<unset>',
      ),
    ),
    age,
  ],
  'ingresses.networking.k8s.io': [
    name,
    column('Class', (ingress) => valueAt(ingress, 'spec', 'ingressClassName') ?? '<none>'),
    column('Hosts', hostsText),
    column('Address', balancerText),
    column('Ports', (ingress) => (listAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    age,
  ],
  'ingressclasses.networking.k8s.io': [
    nameOrDefault('ingressclass.kubernetes.io/is-default-class'),
    text('Controller', 'spec', 'controller'),
    column('Parameters', (each) => {
      const parameters = objectAt(each, 'spec', 'parameters');
      if (parameters.kind === undefined) return '<none>';
      const group = textAt(parameters, 'apiGroup');
      return `${textAt(parameters, 'kind')}${group === '' ? '' : `.${group}`}/${textAt(parameters, 'name')}`;
    }),
    age,
  ],
  'networkpolicies.networking.k8s.io': [
    name,
    column('Pod-Selector', (policy) => selectorText(objectAt(policy, 'spec', 'podSelector'))),
    age,
  ],
  'servicecidrs.networking.k8s.io': [
    name,
    column('CIDRs', (each) => textsAt(each, 'spec', 'cidrs').join(',')),
    age,
  ],
  'ipaddresses.networking.k8s.io': [name, column('ParentRef', parentText)],
};

/** Values that are shown of a list. */
const most = 3;

function hostsText(ingress: JsonObject): string {
  const rules = listAt(ingress, 'spec', 'rules');
  const hosts: string[] = [];
  let more = false;
  for (const rule of rules) {
    if (hosts.length === most) more = true;
    const host = textAt(rule, 'host');
    if (!more && host !== '') hosts.push(host);
  }
  const shown = orNone(hosts.join(','), '*');
  return more ? `${shown} + ${rules.length - most} more...` : shown;
}

function parentText(address: JsonObject): string {
  const parent = objectAt(address, 'spec', 'parentRef');
  if (parent.name === undefined) return '<none>';
  const group = textAt(parent, 'group');
  const namespace = textAt(parent, 'namespace');
  const resource = `${textAt(parent, 'resource')}${group === '' ? '' : `.${group}`}`.toLowerCase();
  return [resource, ...(namespace === '' ? [] : [namespace]), textAt(parent, 'name')].join('/');
}
