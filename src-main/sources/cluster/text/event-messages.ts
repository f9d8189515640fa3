/** Messages of the kubelet, the scheduler and the controllers by the reason of the event they are reported with. */
const reasons: readonly (readonly [reason: string, pattern: RegExp])[] = [
  ['FailedScheduling', /\b0\/\d+ nodes are available\b|\bno nodes available to schedule pods\b/],
  [
    'FailedScheduling',
    /pod has unbound immediate PersistentVolumeClaims|^persistentvolumeclaim "[^"]+" not found/,
  ],
  ['FailedMount', /MountVolume\.\w+ failed for volume|Unable to attach or mount volumes/],
  ['FailedAttachVolume', /Multi-Attach error for volume|AttachVolume\.Attach failed for volume/],
  ['FailedCreatePodSandBox', /Failed to create pod sandbox|Failed create pod sandbox/],
  ['NetworkNotReady', /network is not ready: container runtime network not ready/],
  ['Unhealthy', /\b(?:Readiness|Liveness|Startup) probe (?:failed|errored)/],
  ['Killing', /Container \S+ failed (?:liveness|startup) probe, will be restarted/],
  ['FailedPreStopHook', /PreStopHook failed/i],
  ['FailedPostStartHook', /PostStartHook failed/i],
  ['FailedCreate', /Error creating: .*(?:forbidden|failed|not found|denied|exceeded)/],
  // The admission's own words, whoever made the pod and passes them on; "would violate" only warns.
  [
    'FailedCreate',
    /\bpods? "[^"]+" is forbidden: (?:violates PodSecurity|unable to validate against any|exceeded quota|failed quota)|^violates PodSecurity "|\breplicationcontrollers "[^"]+" is forbidden: exceeded quota/i,
  ],
  [
    'ProvisioningFailed',
    /storageclass\.storage\.k8s\.io "[^"]+" not found|failed to provision volume with StorageClass/,
  ],
  ['FailedBinding', /no persistent volumes available for this claim and no storage class is set/],
  [
    'Evicted',
    /The node was low on resource: |Pod ephemeral local storage usage exceeds|Usage of EmptyDir volume/,
  ],
  ['SystemOOM', /System OOM encountered, victim process/],
  ['BackOff', /[Bb]ack-off (?:\S+ )?restarting failed container|Back-off pulling image/],
  [
    'Failed',
    /Failed to pull image "|Error: (?:ImagePullBackOff|ErrImagePull|ErrImageNeverPull|InvalidImageName)\b|Failed to apply default image tag|Container image "[^"]+" is not present with pull policy of Never|Error: (?:secret|configmap) "[^"]+" not found|couldn't find key \S+ in (?:Secret|ConfigMap) |container has runAsNonRoot and image/,
  ],
];

/** Every literal that a message has, to pass over most lines quickly. */
const some =
  /nodes (?:are )?available|unbound immediate|persistentvolumeclaim "|MountVolume\.|attach|pod sandbox|network is not ready|probe (?:failed|errored)|failed (?:liveness|startup) probe|Hook failed|Error creating|is forbidden|violates Pod|provision|storageclass\.|persistent volumes available|low on resource|ephemeral local|EmptyDir|System OOM|ack-off|to pull image|Error: |default image tag|is not present with|find key|runAsNonRoot/i;

/** The message of an event that stands alone in a line, with the reason it is reported with. */
export type BareMessage = {
  readonly reason: string;
  readonly message: string;
  /** `namespace/name` of the pod that the kubelet names behind it. */
  readonly pod: string | undefined;
};

/** Returns the message of an event that stands in a line; undefined for another line. */
export function messageIn(line: string): BareMessage | undefined {
  if (line.length > 8000 || !some.test(line)) return undefined;
  const text = line.replaceAll('\\"', '"').trim();
  for (const [reason, pattern] of reasons) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const pod = /\bpods?="([a-z0-9-]+\/[\w.-]+)"/.exec(text)?.[1];
    return { reason, message: text.slice(found.index), pod };
  }
  return undefined;
}
