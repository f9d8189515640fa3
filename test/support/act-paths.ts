import type { routeTable } from '../../src-shared/api/index.ts';

/**
 * How a path that changes something is held.
 * - `person`: only a person's session gets there; allowlists and rights limit it, guardrails do not.
 * - `decide`: the platform gets there, and `decide` of the guardrails is asked immediately before.
 * - `keeps`: it keeps what was reported, asked or chosen in the console's own store, and changes nothing elsewhere.
 */
export type Held = 'decide' | 'keeps' | 'person';

type UnsafeRoute = Exclude<(typeof routeTable)[number], { method: 'GET' }>;

/** Every route that is no read: a new one does not compile until it is here. */
export const unsafeRoutes: Readonly<Record<UnsafeRoute['id'], Held>> = {
  'access.setSessionAdmins': 'person',
  'acts.perform': 'person',
  'acts.preview': 'keeps',
  'agents.reportHealth': 'keeps',
  'agents.reportSessionRun': 'keeps',
  'billing.addSeat': 'person',
  'billing.checkout': 'person',
  'billing.event': 'keeps',
  'billing.removeSeat': 'person',
  'billing.signup': 'keeps',
  'bundles.close': 'person',
  'bundles.open': 'person',
  'chat.say': 'decide',
  'codeHost.appManifest': 'person',
  'codeHost.attach': 'person',
  'codeHost.createdApp': 'person',
  'connections.change': 'person',
  'connections.create': 'person',
  'connections.delete': 'person',
  'connections.refresh': 'person',
  'dataGovernance.report': 'keeps',
  'dataLineage.reportEdges': 'keeps',
  'events.subscribe': 'keeps',
  'events.unsubscribe': 'keeps',
  'fleet.setSchedule': 'person',
  'forwards.create': 'person',
  'forwards.delete': 'person',
  'forwards.start': 'person',
  'forwards.stop': 'person',
  'guardrails.set': 'person',
  'intelligence.act': 'decide',
  'judgement.judge': 'keeps',
  'judgement.submit': 'keeps',
  'keys.delete': 'person',
  'keys.set': 'person',
  'kubeconfigs.attach': 'person',
  'kubeconfigs.check': 'person',
  'kubeconfigs.detach': 'person',
  'playbooks.event': 'decide',
  'playbooks.stepReport': 'decide',
  'providers.configure': 'person',
  'rulesRecon.report': 'keeps',
  'runners.changeAddress': 'person',
  'runners.changeLabels': 'person',
  'runners.connect': 'keeps',
  'runners.enrol': 'person',
  'runners.revoke': 'person',
  'runners.revokeTicket': 'person',
  'runners.ticket': 'person',
  'sandbox.start': 'person',
  'sandbox.stop': 'person',
  'sessionCommands.enqueue': 'person',
  'sessionCommands.enqueueHere': 'person',
  'sessionCommands.finish': 'keeps',
  'sessions.revokeAll': 'person',
  'sessions.revokeOne': 'person',
  'settings.change': 'person',
  'setUp.signIn': 'person',
  'setUp.studio': 'person',
  'signIn.callback': 'keeps',
  'signIn.google': 'keeps',
  'signIn.logout': 'keeps',
  'signIn.password': 'keeps',
  'targets.retry': 'keeps',
  'targets.select': 'keeps',
  'troubleshoot.text': 'keeps',
  'voice.speak': 'keeps',
  'voice.transcribe': 'keeps',
};

/** What changes something outside of the console's own store, as it is called, and every file that may call it. */
export const writers: readonly {
  readonly name: string;
  readonly call: RegExp;
  readonly files: Readonly<Record<string, Held>>;
}[] = [
  {
    name: 'a write to an object of a cluster',
    call: /\b(?:access|objectAccess)\.write\(/,
    files: { 'src-main/features/acts/perform.ts': 'decide' },
  },
  {
    name: 'a patch of a cluster',
    call: /\bcluster\.patch\(/,
    files: { 'src-main/features/fleet/schedules/set-schedule.ts': 'person' },
  },
  {
    name: 'an act of the registry',
    call: /\bacts(?:\(\))?\.perform\(/,
    files: {
      'src-main/console/platform-data.ts': 'decide',
      'src-main/features/acts/routes.ts': 'person',
      'src-main/features/chat/confirm/proposals.ts': 'decide',
      'src-main/features/intelligence/act-on-finding.ts': 'decide',
      'src-main/features/playbooks/act-step.ts': 'decide',
    },
  },
  {
    name: 'a command for an agent session',
    call: /\b(?:commands|queue)\.enqueue\(/,
    files: {
      'src-main/features/agents/routes.ts': 'person',
      'src-main/features/intelligence/act-on-finding.ts': 'decide',
      'src-main/features/playbooks/message-steps.ts': 'decide',
    },
  },
];
