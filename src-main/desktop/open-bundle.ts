import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from 'electron';
import { z } from 'zod';
import { bundle } from '#shared/api/targets.ts';
import { pageHref } from '#shared/page-address.ts';
import { sessionCookie } from '#shared/session-cookie.ts';
import { processEnd } from '../base/process-end.ts';

/** Interval of asking how far a bundle is, in ms. */
const lookEvery = 250;

const refusal = z.object({ error: z.string() });

/**
 * Opens a bundle by its path as the person of the window, through the console's own route with its checks and its audit
 * record. Returns the address of its diagnosis. Throws an Error in words for the person.
 */
export async function openBundleFile(session: Session, origin: string, path: string): Promise<string> {
  const [cookie] = await session.cookies.get({ url: origin, name: sessionCookie });
  const call = async (method: 'GET' | 'POST', body?: object): Promise<unknown> => {
    const answer = await fetch(`${origin}/api/bundles`, {
      method,
      signal: processEnd,
      headers: {
        ...(cookie === undefined ? {} : { cookie: `${sessionCookie}=${cookie.value}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const read: unknown = await answer.json();
    if (answer.ok) return read;
    throw new Error(refusal.safeParse(read).data?.error ?? `The console answered ${answer.status}.`);
  };
  const { id } = bundle.parse(await call('POST', { path }));
  const list = z.object({ items: z.array(bundle) });
  for (;;) {
    const opened = list.parse(await call('GET')).items.find((item) => item.id === id);
    if (opened === undefined) throw new Error('The bundle was closed before it was open.');
    if (opened.state === 'failed' || opened.state === 'cancelled')
      throw new Error(opened.detail ?? 'The bundle cannot be opened.');
    if (opened.state === 'open') return pageHref({ tab: 'troubleshoot', target: opened.target });
    await delay(lookEvery, undefined, { signal: processEnd });
  }
}
