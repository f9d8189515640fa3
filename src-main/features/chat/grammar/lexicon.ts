/**
 * The words of the grammar: each concept with the phrases that mean it. `weak` concepts are dropped where no rule
 * asks for them.
 */
const phrases: Readonly<Record<string, string>> = {
  // Words without a meaning of their own in a question to a console.
  filler:
    "a|an|the|that|these|those|me|my|our|ours|us|i|we|you|your|please|can|could|would|should|may you|want|need to|like|to see|show|shows|list|lists|give|get|tell|display|print|fetch|see|view|let|lets|let's|know|all|any|every|each|some|there|is|are|was|were|be|been|being|am|do|does|did|has|have|having|had|will|now|right now|right|current|currently|at|moment|at the moment|of|for|with|and|or|what|what's|whats|which|how|how's|many|much|kubectl|about|just|really|still|details|detail|information|info|more|everything|anything|something|their|its|by now|number of|count|exist|exists|go|going|hi|hello|hey|ok|okay|thanks|thank|good morning|good evening|quickly|possible|isn't|aren't|doesn't|don't|not|up|so|then|exactly|actually|say|says|them|they|out|most|off|over|currently|present|available|kind|kinds|entire|whole|complete|full",
  here: 'here|this|it|this one|this object',
  in: 'in|within|inside|into|-n|on the',
  on: 'on|onto',
  to: 'to|=',
  by: 'by|per',
  since: 'since|from|after',
  last: 'latest|newest|recent|recently|last|past|previous|next|coming',
  'weak:status':
    'status|state|states|health|healthy|happening|happened|happens|doing|look like|looking|look|looks|summary|describe|ready|details of|report on|in order|fine|well',
  'topic:overview':
    'overview|dashboard|home|what needs attention|needs attention|need attention|needs my attention|need my attention|attention|how are things|how is it going|how are we|how is the platform|what should i look at|look at first|first|platform status',
  'topic:nodes': 'nodes|machines|hosts|node list',
  'topic:namespaces': 'namespaces|ns|projects',
  'topic:pods': 'pods|po|containers',
  'topic:workloads':
    'workloads|deployments|statefulsets|daemonsets|cronjobs|deploy|sts|ds|replicasets|stateful sets|daemon sets|cron jobs',
  'topic:services': 'services|svc|endpoints|serving',
  'topic:routes': 'routes|ingress|ingresses|httproutes|network routes|http routes|routing',
  'topic:certificates': 'certificate|certificates|certs|cert|tls|mesh ca|mesh cas|ca',
  'topic:control_planes': 'control plane|control planes|controlplanes|cockpits|campaigns|probes',
  'topic:drift': 'drift|drifts|drifting',
  'topic:logs': 'log|logs|output|prints|printed|logged|wrote|log lines|log output|stdout|stderr|log of|tail',
  'topic:lines': 'lines|line',
  'topic:events': 'events|event',
  'topic:yaml': 'yaml|manifest|spec|definition|raw object',
  'topic:metrics':
    'cpu|memory|ram|usage|metrics|top|cpu usage|memory usage|resource usage|resources|uses|use|used|consumes|consume|consumption|load|utilisation|utilization',
  'topic:gitops':
    'gitops|argo|argocd|argo cd|flux|synced|in sync|sync|deliveries|kustomizations|helmreleases|argo apps|from git|git',
  'state:out_of_sync': 'out of sync|unsynced|not synced|outofsync|not in sync|drifted|diverged',
  'topic:lineage': 'lineage|commit path|commit|commits|image lineage',
  'verb:shipped':
    'ship|shipped|deployed|reached|reach|live|released|rolled out|arrived|in production|production|prod yet|stuck|out yet|went out',
  'topic:devex':
    'devex|lead time|deploy frequency|deployment frequency|change failure rate|failure rate|time to restore|mttr|flaky rate|dora|delivery indicators|delivery metrics',
  'topic:doctor': 'doctor|platform check|nightly check|nightly doctor|doctor run',
  'topic:runs': 'runs|run|agent runs|executions|builds|pipelines|actions runs',
  'topic:jobs': 'jobs|job runs',
  'topic:workflow': 'workflow|workflows',
  'topic:reviews': 'reviews|review|reviewers|reviewed|review findings|code reviews',
  'verb:find_things': 'found|find out',
  'topic:agents': 'agents|roster|fleet|bots',
  'topic:agent': 'agent',
  'topic:schedules': 'schedules|schedule|scheduled|cadence|run next|runs next|next run|next runs|timetable',
  'topic:agent_config':
    'agent config|agent configuration|agents config|agents.yaml|bias rules|agent settings',
  'topic:inference':
    'inference|inference engines|engines|engine|inference plane|gpus|gpu|vllm|llama.cpp|inference tiers',
  'state:oom': 'out of memory|oom|oomkilled|oom killed',
  'topic:models': 'models|model|model cards|llms|model card',
  'topic:tokens': 'tokens|token use|token usage',
  'topic:finops': 'finops|cost|costs|compute|spend|spending|chargeback|compute units',
  'topic:tenant': 'tenant|tenants|customer|customers',
  'topic:initiative': 'initiative|initiatives',
  'topic:connections': 'connections|connection|data sources|datasources|data source|databases',
  'state:unreachable':
    'unreachable|not reachable|cannot be reached|can not be reached|cannot reach|disconnected connections|not connected|connection failed',
  'verb:reach': 'reachable|reached by us|be reached|connected|can be reached',
  'topic:runners': 'runners|runner|data runners',
  'state:offline': 'offline|disconnected|gone',
  'topic:data_lineage': 'data lineage|data flows|data flow|flows of data|flows',
  'topic:domains': 'domains|data domains|domain',
  'topic:governance':
    'governance|ownership|owner|owners|unowned|without an owner|no owner|posture|without owner|network policies|quotas',
  'topic:guardrails':
    'guardrails|guardrail|autonomy|may the platform do by itself|platform do by itself|do by itself|by itself|by themselves|on its own|on their own|allowed to do on their own|allowed to do',
  'topic:compliance': 'compliance|controls|control|compliant|meet our controls|audit controls|meet',
  'topic:maturity': 'maturity|mature|maturity level',
  'topic:measures': 'measures|self assessment|self-assessment|remediations',
  'topic:harness': 'harness|harness findings',
  'topic:swarm': 'swarm|agent swarm|swarm health',
  'topic:audit':
    'audit|audit log|audit trail|audit records|audit record|records|audited|who did|actions|privileged actions|audit entries|who changed|changed by',
  'topic:who': 'who|whom|somebody|someone|anybody|anyone|people|person',
  'topic:chain': 'chain|audit chain',
  'verb:verify': 'verify|intact|tampered|tampered with|valid|verified|unbroken',
  'topic:access':
    'access|allowlist|allowlists|may do what|who may|permissions|my rights|rights|admin|admins|administrator|am i allowed|may i',
  'topic:targets': 'clusters|targets|contexts|kubeconfig contexts|bundles|bundle|which cluster|clusters can',
  'topic:symptoms': 'symptoms|catalogue|catalog|known problems|symptom catalogue',
  'topic:apps': 'studio apps|apps of the studio|studio|studio applications',
  'topic:apps_word': 'apps|applications|app',
  'topic:problems':
    "problem|problems|issue|issues|finding|findings|trouble|troubles|errors|faults|on fire|what's wrong|whats wrong|what is wrong|wrong|troubleshoot|troubleshooter|troubleshooting|diagnosis|diagnose|diagnostics|what is broken|incidents|incident|alerts",
  'topic:cluster': 'cluster|the platform|platform|system',
  'verb:why':
    "why|why's|whys|explain|what is wrong with|what's wrong with|whats wrong with|what is the matter with|what's the matter with|reason|cause|root cause|what happened to|what happened with|wrong with|diagnose|investigate|analyse|analyze|matter with",
  'area:network': 'network|networking|dns|connectivity',
  'area:storage': 'storage|volumes|volume|disk|disks|pvc|pvcs',
  'area:scheduling': 'scheduling|unschedulable|placement',
  'area:images': 'image pull|images|image pulls|imagepull|imagepullbackoff',
  'area:configuration': 'configuration|config|misconfiguration|settings problems',
  'area:models': 'model problems',
  'severity:critical': 'critical|severe|urgent|gravest',
  'severity:warning': 'warning|warnings',
  'state:failing':
    "failing|fails|fail|broken|crashing|crash|crashes|crashed|crashloop|crashlooping|crash looping|crashloopbackoff|unhealthy|down|not ready|notready|isn't ready|aren't ready|bad|sick|in trouble|degraded|not working|doesn't work|not running|dead|red|keeps crashing|keep crashing|keeps failing|keep failing|keep restarting|keeps restarting|restarting|restarts|unavailable|not healthy|no endpoints|zero endpoints|zero ready endpoints|without endpoints|not starting|isn't starting|not start|starting|start|does not start|won't start|won't work|hanging|hangs|slow|evicted|killed|dying|dies|misbehaving|with problems|having problems|have problems|that have problems|stuck pending|pending pods|failing to start|in crashloop",
  'state:failed': 'failed|failure|failures|unsuccessful|red runs|did not pass|errored',
  'state:success': 'succeeded|successful|success|passed|pass|green|passing|successes|worked',
  'state:running': 'running|in progress|active|ongoing|under way|underway',
  'state:queued': 'queued|waiting|pending',
  'state:cancelled': 'cancelled|canceled|aborted',
  'state:refused': 'refused|denied|rejected|forbidden',
  'state:suspended': 'suspended|disarmed|paused|disabled',
  'state:active': 'armed|enabled',
  'word:when': 'when',
  'word:soon': 'soon|expiring soon|about to expire|expire soon|close to expiry|near expiry',
  'state:expired': 'expired|past expiry',
  'state:expiring': 'expiring|expire|expires|run out|expiry|left',
  'state:previous':
    'previous container|before it restarted|before the restart|before it crashed|before the crash|last crash|earlier run|previously',
  'verb:previous': 'previous',
  'verb:restart': 'restart|bounce|rollout restart|roll the pods of|reboot|recycle|restarted',
  'verb:scale': 'scale|scale up|scale down|resize|set replicas of',
  'topic:replicas': 'replicas|replica|copies|instances|pods each',
  'verb:rollback':
    'roll back|rollback|undo|undo the rollout of|undo the last rollout of|revert|go back|roll back the last rollout of|rollout undo',
  'topic:rollout': 'rollout|release|last rollout|revision|version',
  'verb:delete': 'delete|remove|kill|destroy',
  'verb:cordon': 'cordon|make unschedulable',
  'verb:uncordon': 'uncordon|make schedulable',
  'verb:drain':
    'drain|evict|evacuate|empty|evict all pods from|evict everything from|evict everything|evict the pods of',
  'verb:run': 'run now|trigger|start now|launch|kick off|execute',
  'verb:suspend': 'suspend|pause|freeze',
  'verb:resume': 'resume|unpause|unsuspend|continue',
  'verb:arm': 'arm|enable|activate|switch on|turn on',
  'verb:disarm': 'disarm|disable|deactivate|switch off|turn off',
  'verb:set_image':
    'set image|set image of|set the image of|change image of|change the image of|update image of|set image for',
  'verb:set_env':
    'set env|set variable|set env of|set the variable|set environment variable|set environment variable of|set env on|setenv',
  'verb:find': 'find|search|search for|where is|locate|look for|look up|where are|lookup',
  'verb:help': 'help|what can you do|commands|what can i ask|usage of chat|?',
  'verb:brief':
    'brief|daily brief|what changed|briefing|what is new|news|morning report|what changed today|catch me up',
  'word:namespace': 'namespace',
  'word:container': 'container',
  'word:repo': 'repo|repository|repositories|repos',
  'word:days': 'days|day',
};

/** Kinds by the words for one object of them. */
const kindWords: Readonly<Record<string, string>> = {
  Deployment: 'deployment|deployments.apps',
  StatefulSet: 'statefulset|stateful set',
  DaemonSet: 'daemonset|daemon set',
  CronJob: 'cronjob|cron job|cron',
  Job: 'job',
  Pod: 'pod',
  Node: 'node|machine|host',
  Service: 'service',
  Ingress: 'ingress object',
  ConfigMap: 'configmap|config map|cm',
  Secret: 'secret',
  ReplicaSet: 'replicaset',
  PersistentVolumeClaim: 'persistentvolumeclaim',
};

/** Concepts by phrase, and the most words of a phrase. */
export type Lexicon = {
  readonly conceptOf: ReadonlyMap<string, string>;
  readonly longest: number;
  /** Single words, for suggestions. */
  readonly words: readonly string[];
};

function build(): Lexicon {
  const conceptOf = new Map<string, string>();
  const add = (concept: string, list: string): void => {
    for (const phrase of list.split('|')) conceptOf.set(phrase, concept);
  };
  for (const [concept, list] of Object.entries(phrases)) add(concept, list);
  for (const [kind, list] of Object.entries(kindWords)) add(`kind:${kind}`, list);
  const all = [...conceptOf.keys()];
  return {
    conceptOf,
    longest: Math.max(...all.map((phrase) => phrase.split(' ').length)),
    words: all.filter(
      (phrase) => !phrase.includes(' ') && phrase.length > 2 && conceptOf.get(phrase) !== 'filler',
    ),
  };
}

/** The lexicon of the grammar. */
export const lexicon: Lexicon = build();

/** Returns the kind a word stands for in `kind/name`, as kubectl reads it. */
export function kindOfWord(word: string): string | undefined {
  const short: Readonly<Record<string, string>> = {
    po: 'Pod',
    pods: 'Pod',
    deploy: 'Deployment',
    deployments: 'Deployment',
    sts: 'StatefulSet',
    statefulsets: 'StatefulSet',
    ds: 'DaemonSet',
    svc: 'Service',
    services: 'Service',
    no: 'Node',
    nodes: 'Node',
    cj: 'CronJob',
  };
  const concept = lexicon.conceptOf.get(word);
  return short[word] ?? (concept?.startsWith('kind:') === true ? concept.slice(5) : undefined);
}
