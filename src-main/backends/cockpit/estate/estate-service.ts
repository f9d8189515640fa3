import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, type ServiceImpl } from '@connectrpc/connect';
import type { EstateService } from '#shared/gen/cockpit/v1/estate_pb.js';
import type { EstateConfig } from '../config.ts';
import type { Fetching } from './fetching.ts';
import { listInstances } from './instances.ts';
import { type EstateRecords, mostSources, type SourceRecord } from './records.ts';
import type { Search } from './search.ts';
import { checkSource } from './source-input.ts';

/** Longest search, in characters. */
const longestQuery = 1000;

/** `cockpit.v1.EstateService`: what fetches found, and nothing else (BCK-004). */
export function estateService(parts: {
  readonly records: EstateRecords;
  readonly fetching: Fetching;
  readonly search: Search;
  readonly kubernetes: EstateConfig['kubernetes'];
}): ServiceImpl<typeof EstateService> {
  const { records, fetching, search, kubernetes } = parts;

  /** Returns advice for when there is nothing to show (BCK-074). */
  const hintFor = async (isEmpty: boolean, noSource: string, nothing: string): Promise<string> => {
    if (!isEmpty) return '';
    const sources = await records.sources();
    if (sources.length === 0) return noSource;
    return sources.some(({ fetchedAt }) => fetchedAt !== undefined)
      ? nothing
      : 'No fetch of a data source has ended well yet: run one.';
  };

  return {
    async listSources() {
      return { sources: (await records.sources()).map(sourceMessage) };
    },

    async connectSource({ name, url }) {
      checkSource({ name, url });
      const why = await records.connect(name, url);
      if (why === 'taken')
        throw new ConnectError(`There is a data source named ${name} already.`, Code.AlreadyExists);
      if (why === 'full')
        throw new ConnectError(
          `There are ${mostSources} data sources, and more are not kept.`,
          Code.ResourceExhausted,
        );
      return { source: { name, url } };
    },

    async fetch({ source }, { requestHeader }) {
      const { domains, fetchedAt } = await fetching.fetch(source, requestHeader.get('authorization') ?? '');
      return { domains, fetchedAt: timestampFromMs(fetchedAt) };
    },

    async getDomainMap() {
      const domains = await records.domains();
      const hint = await hintFor(
        domains.length === 0,
        'No data source is connected: connect one and run a fetch.',
        'The data sources describe no domains.',
      );
      return { domains, hint };
    },

    async getPosture() {
      const findings = await records.findings();
      const hint = await hintFor(
        findings.length === 0,
        'There is no data source to assess: connect one and run a fetch.',
        'The newest fetches found nothing wrong.',
      );
      return { findings, hint };
    },

    async search({ query }) {
      const wanted = query.trim();
      if (wanted === '' || wanted.length > longestQuery)
        throw new ConnectError(
          `What to find must have 1 to ${longestQuery} characters.`,
          Code.InvalidArgument,
        );
      return search.find(wanted);
    },

    async listInstances() {
      return { instances: await listInstances(kubernetes) };
    },
  };
}

function sourceMessage({ name, url, fetchedAt }: SourceRecord) {
  return { name, url, ...(fetchedAt === undefined ? {} : { fetchedAt: timestampFromMs(fetchedAt) }) };
}
