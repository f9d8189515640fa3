import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLarge, readBody } from '../base/read-body.ts';
import { type ApiUser, accessOf, checkAccess } from './access.ts';
import { isTrue, type ResourceAddress, verbOf } from './addresses.ts';
import { acceptedForm, type Form, sendJson, sendNoPage } from './answers.ts';
import { builtInOf, metricsGroup } from './built-in-kinds.ts';
import type { Changes } from './changes.ts';
import { hasScale, hasStatus } from './discovery.ts';
import type { Faults } from './faults.ts';
import { listBody, type OpenLists, type Page } from './lists.ts';
import { sendLogs } from './logs.ts';
import { parseJson } from './patches.ts';
import { isProtobuf, protobufDeletion, protobufReview } from './review-protobuf.ts';
import { accessReview, reviewKinds, rulesReview } from './reviews.ts';
import { proxyPod, proxyService } from './service-proxy.ts';
import { badRequest, failure, methodNotAllowed, noSuchResource, notFound, tooLarge } from './status.ts';
import { evict, scaleOf, writeScale } from './subresources.ts';
import { columnsOf, type Included, metadataList, metadataOnly, tableBody } from './tables.ts';
import { type Render, watch } from './watch.ts';
import type { KubeKind, KubeObject, World } from './world.ts';
import { create, patch, remove, removeAll, update, type Validate, type WriteRequest } from './writes.ts';

export type ResourceParts = {
  readonly world: World;
  readonly lists: OpenLists;
  readonly changes: Changes;
  readonly faults: Faults;
  readonly validate: Validate;
  readonly bookmarkMs: number;
  /** Epoch ms. */
  readonly now: () => number;
};

export type ResourceRequest = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly address: ResourceAddress;
  readonly url: URL;
  readonly user: ApiUser;
  /** A fault of the kind `expired` met this request. */
  readonly gone: boolean;
};

/** Answers a request for objects. Throws a StatusError for what is refused. */
export async function answerResource(parts: ResourceParts, requested: ResourceRequest): Promise<void> {
  const { request, response, address, url, user } = requested;
  const watches = isTrue(url.searchParams.get('watch'));
  const verb = verbOf(request.method ?? 'GET', address, watches);
  const review = reviewKinds.find(
    ({ group, plural }) => group === address.group && plural === address.plural,
  );
  if (review !== undefined) {
    if (verb !== 'create') throw methodNotAllowed();
    const bytes = await bodyOf(request);
    const body = isProtobuf(bytes) ? reviewOf(review.plural, bytes) : parseJson(bytes.toString('utf8'));
    const isRules = review.plural === 'selfsubjectrulesreviews';
    sendJson(
      response,
      201,
      isRules ? rulesReview(user, body, parts.world) : accessReview(user, body, parts.world),
    );
    return;
  }
  // Whoever is known may ask what they may do (the role system:basic-user); all else is asked for first.
  checkAccess(user, accessOf(verb, address), address.name);
  const kind = kindOf(parts.world, address);
  if (kind === undefined) {
    // A group that every server has knows that it does not have this; of another one nobody knows anything.
    if (builtInVersions.has(`${address.group}/${address.version}`)) throw noSuchResource();
    sendNoPage(response);
    return;
  }
  if (address.namespace !== undefined && !kind.namespaced) throw noSuchResource();
  if (address.subresource !== undefined && address.subresource !== 'status')
    return answerSubresource(parts, requested, kind);
  if (address.subresource === 'status' && !(await hasStatus(parts.world, kind))) throw noSuchResource();
  if (verb === 'get' || verb === 'list' || verb === 'watch') return read(parts, requested, kind, watches);
  return write(parts, requested, kind, verb);
}

const builtInVersions = new Set([
  '/v1',
  'apps/v1',
  'batch/v1',
  'networking.k8s.io/v1',
  'policy/v1',
  'rbac.authorization.k8s.io/v1',
  'discovery.k8s.io/v1',
  'storage.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'autoscaling/v2',
]);

export function kindOf(
  world: World,
  { group, version, plural }: Pick<KubeKind, 'group' | 'version' | 'plural'>,
): KubeKind | undefined {
  return world
    .kinds()
    .find((kind) => kind.group === group && kind.version === version && kind.plural === plural);
}

async function read(
  parts: ResourceParts,
  { request, response, address, url, gone }: ResourceRequest,
  kind: KubeKind,
  watches: boolean,
): Promise<void> {
  const { world, lists } = parts;
  const query = url.searchParams;
  const form = acceptedForm(request.headers.accept);
  if (form === undefined)
    throw failure({
      code: 406,
      reason: 'NotAcceptable',
      message:
        'only the following media types are accepted: application/json, application/json;as=Table;v=v1;g=meta.k8s.io, application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      details: {},
    });
  const page = await pageRenderer(parts, kind, form, query);
  if (watches && kind.group === metricsGroup) throw methodNotAllowed();
  if (watches && address.name === undefined) {
    await watch(response, {
      ...parts,
      kind,
      namespace: address.namespace,
      query,
      gone,
      render: await eventRenderer(parts, kind, form, query),
      contentType: 'application/json',
    });
    return;
  }
  if (address.name === undefined) {
    sendJson(response, 200, page(await lists.page(world, kind, address.namespace, query)));
    return;
  }
  const object = await world.get(kind, address.name, address.namespace);
  if (object === undefined) throw notFound(kind, address.name);
  sendJson(
    response,
    200,
    form === 'table' ? page(pageOf(object)) : form === 'metadata' ? metadataOnly(object) : inOrder(object),
  );
}

function pageOf(object: KubeObject): Page {
  return { items: [object], metadata: { resourceVersion: object.metadata.resourceVersion ?? '' } };
}

/** The kind first, as the API writes objects. */
function inOrder({ kind, apiVersion, metadata, ...rest }: KubeObject): KubeObject {
  return { kind, apiVersion, metadata, ...rest };
}

async function pageRenderer(
  { world, now }: ResourceParts,
  kind: KubeKind,
  form: Form,
  query: URLSearchParams,
): Promise<(page: Page) => object> {
  if (form === 'object') return (page) => listBody(kind, page);
  if (form === 'metadata') return metadataList;
  const columns = await columnsOf(world, kind);
  return (page) => tableBody(columns, page, { include: includedOf(query), now: now() });
}

async function eventRenderer(
  { world, now }: ResourceParts,
  kind: KubeKind,
  form: Form,
  query: URLSearchParams,
): Promise<Render> {
  if (form === 'object') return inOrder;
  if (form === 'metadata') return metadataOnly;
  const columns = await columnsOf(world, kind);
  let header = true;
  return (object) => {
    const table = tableBody(columns, pageOf(object), { include: includedOf(query), now: now(), header });
    header = false;
    return table;
  };
}

function includedOf(query: URLSearchParams): Included {
  const include = query.get('includeObject');
  return include === 'None' || include === 'Object' ? include : 'Metadata';
}

async function writeRequestOf(
  { world, validate }: ResourceParts,
  { request, address, url }: ResourceRequest,
  kind: KubeKind,
): Promise<WriteRequest> {
  const bytes = await bodyOf(request);
  const isEviction = address.subresource === 'eviction';
  const isEncoded = isProtobuf(bytes) && (isEviction || request.method === 'DELETE');
  return {
    world,
    kind,
    address,
    query: url.searchParams,
    body: isEncoded ? deletionText(bytes, isEviction) : bytes.toString('utf8'),
    contentType: isEncoded ? 'application/json' : (request.headers['content-type'] ?? 'application/json'),
    validate,
  };
}

async function write(
  parts: ResourceParts,
  requested: ResourceRequest,
  kind: KubeKind,
  verb: string,
): Promise<void> {
  const { world, lists } = parts;
  const { response, address, url } = requested;
  const options = await writeRequestOf(parts, requested, kind);
  if (verb === 'deletecollection') {
    const page = await lists.page(world, kind, address.namespace, url.searchParams);
    await removeAll(options, page.items);
    sendJson(response, 200, listBody(kind, page));
    return;
  }
  const acts = { create, update, patch, delete: remove };
  if (!(verb in acts)) throw methodNotAllowed();
  const isCreate = verb === 'create';
  if (isCreate !== (address.name === undefined)) throw methodNotAllowed();
  const { code, body } = await acts[verb as keyof typeof acts](options);
  sendJson(response, code, body);
}

async function answerSubresource(
  parts: ResourceParts,
  requested: ResourceRequest,
  kind: KubeKind,
): Promise<void> {
  const { request, response, address, url } = requested;
  const { world, faults, now } = parts;
  const of = `${builtInOf(kind) === undefined ? kind.group : ''}/${kind.plural}/${address.subresource}`;
  if (of === '/pods/log' && request.method === 'GET') {
    const pod = await world.get(kind, address.name ?? '', address.namespace);
    if (pod === undefined) throw notFound(kind, address.name ?? '');
    await sendLogs(response, { world, pod, query: url.searchParams, faults, now: now() });
    return;
  }
  if (of === '/services/proxy') {
    const pods = kindOf(world, { group: '', version: 'v1', plural: 'pods' });
    if (pods === undefined) throw noSuchResource();
    await proxyService(world, { services: kind, pods }, address, request, response, url.search);
    return;
  }
  if (of === '/pods/proxy') {
    await proxyPod(world, kind, address, request, response, url.search);
    return;
  }
  if (address.subresource === 'scale' && (await hasScale(world, kind))) {
    if (request.method === 'GET') {
      const object = await world.get(kind, address.name ?? '', address.namespace);
      if (object === undefined) throw notFound(kind, address.name ?? '');
      sendJson(response, 200, scaleOf(object));
      return;
    }
    if (request.method !== 'PUT' && request.method !== 'PATCH') throw methodNotAllowed();
    const { code, body } = await writeScale(await writeRequestOf(parts, requested, kind), request.method);
    sendJson(response, code, body);
    return;
  }
  if (of === '/pods/eviction') {
    if (request.method !== 'POST') throw methodNotAllowed();
    const { code, body } = await evict(await writeRequestOf(parts, requested, kind));
    sendJson(response, code, body);
    return;
  }
  if (of === '/pods/portforward')
    throw failure({
      code: 400,
      reason: 'BadRequest',
      message: 'Upgrade request required',
    });
  throw noSuchResource();
}

/** Bytes of a body, as the API server takes them. */
const largestBody = 3 * 1024 * 1024;

/** Reads a body. Throws the 413 Status. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  try {
    return await readBody(request, largestBody);
  } catch (error) {
    throw error instanceof BodyTooLarge ? tooLarge(error.limit) : error;
  }
}

function reviewOf(plural: string, bytes: Buffer): unknown {
  try {
    return protobufReview(plural, bytes);
  } catch {
    throw badRequest('error decoding the body: it is no protobuf of a review');
  }
}

function deletionText(bytes: Buffer, isEviction: boolean): string {
  try {
    return JSON.stringify(protobufDeletion(bytes, isEviction));
  } catch {
    throw badRequest('error decoding the body: it is no protobuf of a deletion');
  }
}
