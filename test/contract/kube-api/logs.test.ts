import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src-main/kube-api/index.ts';
import { ask, namespace, pod, start } from './harness.ts';

describe('logs', () => {
  const logs = {
    'rec/p/c': '2026-11-21T10:00:00.5Z one\n2026-11-21T10:00:10Z two\n2026-11-21T10:00:20Z three\n',
    'rec/p/c/previous': 'before\n',
  };
  const options = { logs, now: () => Date.parse('2026-11-21T10:00:25Z') };
  const at = '/api/v1/namespaces/rec/pods/p/log';

  it.each([
    ['', 'one\ntwo\nthree\n'],
    ['?tailLines=2', 'two\nthree\n'],
    ['?tailLines=0', ''],
    ['?sinceSeconds=16', 'two\nthree\n'],
    ['?timestamps=true&tailLines=1', '2026-11-21T10:00:20.000000000Z three\n'],
    ['?previous=true', 'before\n'],
    ['?limitBytes=5', 'one\nt'],
  ])('reads %s', async (query, text) => {
    await start([namespace('rec'), pod('p')], options);
    expect((await ask(`${at}${query}`)).text).toBe(text);
  });

  it('follows what is written, the newest lines first', async () => {
    const { world, url } = await start([namespace('rec'), pod('p')], options);
    const response = await fetch(`${url}${at}?follow=true&tailLines=1`, {
      headers: { authorization: 'Bearer test-token' },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('three\n');
    world.containerLogs.append('rec/p/c', 'four\n');
    expect((await reader?.read())?.value).toBe('four\n');
    await reader?.cancel();
  });

  it('says which containers there are when none was named, and that one waits', async () => {
    const two: KubeObject = {
      ...pod('two'),
      spec: { containers: [{ name: 'a' }, { name: 'b' }] },
      status: { containerStatuses: [{ name: 'b', state: { waiting: { reason: 'ImagePullBackOff' } } }] },
    };
    await start([namespace('rec'), two]);
    const base = '/api/v1/namespaces/rec/pods/two/log';
    expect((await ask(base)).json()).toMatchObject({
      message: 'a container name must be specified for pod two, choose one of: [a b]',
    });
    expect((await ask(`${base}?container=b`)).json()).toMatchObject({
      message: 'container "b" in pod "two" is waiting to start: trying and failing to pull image',
    });
    expect((await ask('/api/v1/namespaces/rec/pods/none/log')).status).toBe(404);
  });
});
