import { request as httpRequest, type IncomingMessage } from 'node:http';
import { fromBinary } from '@bufbuild/protobuf';
import { type Client, Code } from '@connectrpc/connect';
import { afterEach, describe, expect, it } from 'vitest';
import {
  ItemKind,
  WatchItemsResponseSchema,
  WorkspaceService,
} from '../../../../src-shared/gen/platform/v1/workspace_pb.js';
import { dialects } from '../../../support/databases.ts';
import { codeOf, rpcClient } from '../../../support/rpc-client.ts';
import { type TestConsole, testConsole } from '../../../support/test-console.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Workspace = Client<typeof WorkspaceService>;
const view = { kind: ItemKind.VIEW, title: 'Failed runs', address: '?tab=runs&state=failure' };
const note = { kind: ItemKind.NOTE, title: 'Hand-over', text: 'Ask Willow about the quota.' };

for (const dialect of dialects) {
  const why = dialect.missing === undefined ? '' : ` (skipped: ${dialect.missing})`;

  const open = async () => {
    const { place, remove } = await dialect.place();
    closing.push(remove);
    const console_ = await testConsole({}, { place });
    closing.push(() => console_.close());
    const of = async (email: string): Promise<Workspace> =>
      rpcClient(WorkspaceService, console_.url, { cookie: await console_.cookieOf(email) });
    return { console_, ann: await of('ann@example.com'), ben: await of('ben@example.com') };
  };
  const titles = async (client: Workspace, kind = ItemKind.UNSPECIFIED) =>
    (await client.listItems({ kind })).items.map(({ title }) => title);

  describe.skipIf(dialect.missing !== undefined)(
    `WorkspaceService on ${dialect.name}${why} (CON-155)`,
    () => {
      it('keeps views, pins and notes of a person, and shows others only what is shared', async () => {
        const { console_, ann, ben } = await open();
        await ann.createItem({ item: view });
        console_.advance(1_000);
        const { item } = await ann.createItem({ item: { ...note, shared: true } });
        expect(item).toMatchObject({ ...note, shared: true, owner: 'ann@example.com', revision: 1n });
        expect(await titles(ann)).toEqual(['Hand-over', 'Failed runs']);
        expect(await titles(ann, ItemKind.VIEW)).toEqual(['Failed runs']);
        expect(await titles(ben)).toEqual(['Hand-over']);
      });

      it('lets nobody but its owner change or delete an item, shared or not', async () => {
        const { ann, ben } = await open();
        for (const shared of [false, true]) {
          const { item } = await ann.createItem({ item: { ...note, shared } });
          const mine = { ...note, id: item?.id ?? '', text: 'Changed by Ben.' };
          expect(await codeOf(ben.updateItem({ item: mine, updateMask: { paths: ['text'] } }))).toBe(
            Code.NotFound,
          );
          expect(await codeOf(ben.deleteItem({ id: item?.id ?? '' }))).toBe(Code.NotFound);
        }
        expect((await ann.listItems({})).items.map(({ text }) => text)).toEqual([note.text, note.text]);
      });

      it('changes the fields of the mask alone, and refuses a revision that is not the newest', async () => {
        const { ann } = await open();
        const { item: first } = await ann.createItem({ item: note });
        const update = (fields: object, ...paths: string[]) =>
          ann.updateItem({
            item: { ...note, id: first?.id ?? '', revision: first?.revision ?? 0n, ...fields },
            updateMask: { paths },
          });
        const { item: second } = await update({ title: 'Later', text: 'ignored' }, 'title');
        expect(second).toMatchObject({ title: 'Later', text: note.text, revision: 2n });
        expect(await codeOf(update({ title: 'Late' }, 'title'))).toBe(Code.Aborted);
        expect(await codeOf(update({ owner: 'ben@example.com' }, 'owner'))).toBe(Code.InvalidArgument);
        expect(await codeOf(update({}))).toBe(Code.InvalidArgument);
        expect(await titles(ann)).toEqual(['Later']);
      });

      it('goes through all items by pages, each once, also when several changed at the same moment', async () => {
        const { ann } = await open();
        for (let n = 0; n < 7; n += 1) await ann.createItem({ item: { ...note, title: `Note ${n}` } });
        const seen: string[] = [];
        let pageToken = '';
        do {
          const page = await ann.listItems({ pageSize: 3, pageToken });
          seen.push(...page.items.map(({ title }) => title));
          pageToken = page.nextPageToken;
        } while (pageToken !== '');
        expect(seen.sort()).toEqual(Array.from({ length: 7 }, (_, n) => `Note ${n}`));
        expect(await codeOf(ann.listItems({ pageToken: 'nonsense' }))).toBe(Code.InvalidArgument);
      });

      it('sends a watcher what changed, and nothing of what is not theirs', async () => {
        const { ann, ben } = await open();
        const watching = new AbortController();
        const seen = ben.watchItems({}, { signal: watching.signal })[Symbol.asyncIterator]();
        const next = async (): Promise<string[]> => {
          const { done, value } = await seen.next();
          return done ? ['(ended)'] : value.items.map(({ title }) => title);
        };
        expect(await next()).toEqual([]);
        await ann.createItem({ item: { ...note, title: 'Private' } });
        await ann.createItem({ item: { ...note, shared: true } });
        expect(await next()).toEqual(['Hand-over']);
        watching.abort();
      });
    },
  );
}

describe('the workspace', () => {
  const opened = async (): Promise<TestConsole> => {
    const console_ = await testConsole();
    closing.push(() => console_.close());
    return console_;
  };

  it('belongs to a person: nobody without a session reads or keeps anything', async () => {
    const console_ = await opened();
    const nobody = rpcClient(WorkspaceService, console_.url, {});
    expect(await codeOf(nobody.listItems({}))).toBe(Code.Unauthenticated);
    expect(await codeOf(nobody.createItem({ item: note }))).toBe(Code.Unauthenticated);
  });

  it('ends a watcher when its session ends', async () => {
    const console_ = await opened();
    const cookie = await console_.cookie();
    const watcher = rpcClient(WorkspaceService, console_.url, { cookie });
    const seen = watcher.watchItems({})[Symbol.asyncIterator]();
    await seen.next();
    const ended = seen.next();
    await fetch(`${console_.url}/auth/logout`, { method: 'POST', headers: { cookie }, redirect: 'manual' });
    expect(await codeOf(Promise.resolve(ended))).toBe(Code.Unauthenticated);
  });

  it('keeps up with a watcher that reads slowly: it gets the newest state, and not every one between', async () => {
    const console_ = await opened();
    const cookie = await console_.cookie();
    const ann = rpcClient(WorkspaceService, console_.url, { cookie });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { cookie, 'content-type': 'application/grpc-web+proto' };
      httpRequest(
        `${console_.url}/platform.v1.WorkspaceService/WatchItems`,
        { method: 'POST', headers },
        resolve,
      )
        .on('error', reject)
        .end(Buffer.alloc(5));
    });
    // Not a byte is taken off the connection meanwhile.
    response.pause();
    const notes = 120;
    // Larger by far than what the connection holds: all states between would be 60 MB.
    for (let n = 0; n < notes; n += 1)
      await ann.createItem({ item: { ...note, title: `Note ${n}`, text: 'x'.repeat(8_000) } });
    let received = Buffer.alloc(0);
    let messages = 0;
    let items = 0;
    for await (const piece of response) {
      received = Buffer.concat([received, piece]);
      for (let end = frameEnd(received); end <= received.length; end = frameEnd(received)) {
        items = fromBinary(WatchItemsResponseSchema, received.subarray(5, end)).items.length;
        messages += 1;
        received = received.subarray(end);
      }
      if (items === notes) break;
    }
    expect(messages).toBeLessThan(notes);
  });

  it.each([
    ['a title', { ...note, title: ' ' }, 'item.title'],
    ['an address of a pin', { kind: ItemKind.PIN, title: 'Pin' }, 'item.address'],
    ['an address that leads elsewhere', { ...view, address: 'https://evil.example/' }, 'item.address'],
    ['a text', { ...note, text: 'x'.repeat(8_001) }, 'item.text'],
  ])('refuses %s, naming the field', async (_what, item, field) => {
    const console_ = await opened();
    const ann = rpcClient(WorkspaceService, console_.url, { cookie: await console_.cookie() });
    await expect(ann.createItem({ item })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining(field),
    });
  });
});

/** Where the first frame of gRPC-web ends; beyond all bytes while its head is not there. */
const frameEnd = (bytes: Buffer): number =>
  bytes.length < 5 ? Number.POSITIVE_INFINITY : 5 + bytes.readUInt32BE(1);
