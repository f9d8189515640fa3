import { describe, expect, it } from 'vitest';
import { diagnoseText, readCatalogue } from '../../../../src-main/features/troubleshoot/index.ts';

// Who says a thing, and what is said of it later, in texts that were pasted: each rule with a near miss.

const catalogue = readCatalogue();
const told = async (text: string): Promise<string[]> =>
  (await diagnoseText(text, catalogue)).findings.map(({ symptom }) => symptom);
const titles = async (text: string): Promise<string> =>
  (await diagnoseText(text, catalogue)).findings.map(({ title, cause }) => `${title} ${cause}`).join('\n');

describe('a connection that kubectl or the API server cannot make', () => {
  it.each([
    [
      'Error from server: Get https://node-2:10250/containerLogs/shop/web/web: x509: certificate signed by unknown authority',
      'peer-certificate-untrusted',
    ],
    [
      'Unable to connect to the server: x509: certificate signed by unknown authority',
      'peer-certificate-untrusted',
    ],
    [
      'E0122 06:56:04.774977       1 reflector.go:199] k8s.io/client-go/tools/cache/reflector.go:94: Failed to list *v1.Endpoints: Get https://10.0.0.1:443/api/v1/endpoints: dial tcp 10.0.0.1:443: i/o timeout',
      'connection-timed-out',
    ],
  ])('%s', async (line, symptom) => expect(await told(line)).toContain(symptom));

  it('is not an answer to what was asked', async () => {
    expect(await told('Error from server (NotFound): pods "web-0" not found')).toEqual([]);
  });
});

describe('a refused login at level DEBUG', () => {
  it('is told of a broker, which no client asks with wrong credentials by design', async () => {
    const line =
      "2026-03-11 15:06:55 DEBUG    app.brokers  - Connecting to 'amqps://mq.shop.example' failed with error 'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN.'. Trying again.";
    expect(await told(line)).toContain('database-authentication-failed');
  });

  it('is not told of HTTP, where it asks for credentials', async () => {
    expect(await told('2026-03-11 15:06:55 DEBUG http - GET https://shop.example/ 401 Unauthorized')).toEqual(
      [],
    );
  });
});

describe('an eviction', () => {
  const evicted = (message: string) => `Events:
  Type     Reason   Age   From     Message
  ----     ------   ----  ----     -------
  Warning  Evicted  18m   kubelet  ${message}`;

  it('for the disk of the node is not for what the pod wrote', async () => {
    const text = evicted(
      'The node was low on resource: ephemeral-storage. Container web was using 92Ki, which exceeds its request of 0.',
    );
    expect(await told(text)).toEqual(['pod-evicted']);
  });

  it('for the limit of the pod is', async () => {
    expect(
      await told(evicted('Pod ephemeral local storage usage exceeds the total limit of containers 2Gi.')),
    ).toEqual(['pod-evicted-for-storage']);
  });
});

describe('an aggregated API that is not served', () => {
  const line = (of: string) => `the server could not find the requested resource (get ${of})`;

  it('is no missing CustomResourceDefinition', async () => {
    expect(await told(line('pods.metrics.k8s.io'))).toEqual(['metrics-api-missing']);
    expect(await titles(line('pods.metrics.k8s.io'))).toContain('serves no metrics.k8s.io');
    expect(await told(line('widgets.shop.example'))).toEqual(['definition-missing']);
  });
});

describe('affinity of pods', () => {
  const pending = (why: string) =>
    `Warning  FailedScheduling  1m  default-scheduler  0/9 nodes are available: 9 node(s) ${why}.`;

  it('is told where the scheduler says which', async () => {
    expect(await told(pending("didn't match pod affinity rules"))).toContain('unschedulable-affinity');
    expect(await told(pending("didn't match pod affinity/anti-affinity"))).not.toContain(
      'unschedulable-affinity',
    );
  });
});

describe('words before a port', () => {
  it('are no host', async () => {
    const text = `could not connect to server: Connection refused
\tIs the server running on host &quot;store.shop.example&quot; (192.0.2.7) and accepting
\tTCP/IP connections on port 49155?`;
    const all = await titles(text);
    expect(all).toContain('store.shop.example');
    expect(all).not.toContain('on:49155');
  });
});

describe("the cluster's DNS", () => {
  it('is not blamed for the silence of the server that it asks', async () => {
    const line = 'skydns: failure to forward request "read udp 10.42.0.18:47848->192.0.2.16:53: i/o timeout"';
    expect(await told(line)).toEqual(['dns-upstream-silent']);
  });

  it('is where a program asks it', async () => {
    const line = 'dial tcp: lookup db on 10.43.0.10:53: read udp 10.42.0.7:3509->10.43.0.10:53: i/o timeout';
    expect(await told(line)).toEqual(['dns-silent']);
  });
});

describe('a volume that was made larger', () => {
  const events = (
    last: string,
  ) => `LAST SEEN   TYPE      REASON                       OBJECT                       MESSAGE
9m          Warning   ExternalExpanding            persistentvolumeclaim/data   waiting for an external controller to process this PVC.
8m          Warning   VolumeResizeFailed           persistentvolumeclaim/data   resize volume "pvc-1" failed: rpc error
${last}`;

  it('is not told for an attempt before it', async () => {
    const done =
      '1m          Normal    FileSystemResizeSuccessful   persistentvolumeclaim/data   MountVolume.NodeExpandVolume succeeded';
    expect(await told(events(done))).toEqual([]);
    expect(await told(events(''))).toEqual(['volume-resize-failed']);
  });
});

describe('a refusal of the admission', () => {
  it.each([
    [
      'Error from server (Forbidden): error when creating "/tmp/pod": pods "web" is forbidden: violates PodSecurity "restricted:v1.24": runAsNonRoot != true',
      'pod-security-refused',
    ],
    [
      'version 41: replicationcontrollers "app-41" is forbidden: Exceeded quota: object-counts, requested: replicationcontrollers=1, used: replicationcontrollers=20, limited: replicationcontrollers=20',
      'replica-failure-quota',
    ],
  ])('%s', async (line, symptom) => expect(await told(line)).toContain(symptom));

  it('is none where it only warns', async () => {
    expect(
      await told('Warning: would violate PodSecurity "restricted:latest": runAsNonRoot != true'),
    ).toEqual([]);
  });
});

describe('a mount of which only the rows of events are pasted', () => {
  const rows = (last: string) => `Events:
  Type     Reason       Age   From               Message
  ----     ------       ----  ----               -------
  Warning  FailedMount  22s   kubelet, node-1    MountVolume.SetUp failed for volume "test" : mount command failed
  ${last}`;

  it('is not told when the container started after it', async () => {
    expect(await told(rows('Normal   Started      14s   kubelet, node-1    Started container'))).toEqual([]);
    expect(await told(rows('Normal   Scheduled    23s   default-scheduler  Assigned'))).toContain(
      'mount-failing',
    );
  });
});

describe('a path that an NFS server does not have', () => {
  it('is no file that is missing in the container', async () => {
    const line =
      'output mount.nfs4: mounting 192.0.2.17:/srv/shop failed, reason given by server: No such file or directory';
    expect(await told(line)).toEqual(['volume-path-missing']);
    expect(await told('cat: /srv/shop/a: No such file or directory')).toEqual(['file-missing']);
  });
});
