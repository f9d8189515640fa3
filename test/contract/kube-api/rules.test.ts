import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../../src-main/kube-api/index.ts';
import { startTestCluster } from '../../support/kube-api.ts';

// The rules of custom resources (x-kubernetes-validations), asked of our own API and of a real one: TEST_KUBECONFIG names a
// kubeconfig whose current context may make a namespace and definitions. All of it is removed at the end.

const given = process.env.TEST_KUBECONFIG;
if (given === undefined) console.warn('skipped: a real API server: TEST_KUBECONFIG is not set');

type Server = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  close(): Promise<unknown>;
};

const servers: { name: string; start: () => Promise<Server> }[] = [
  {
    name: 'our own API',
    async start() {
      const { url, close } = await startTestCluster([]);
      return { url, headers: { authorization: 'Bearer test-token' }, close };
    },
  },
];
if (given !== undefined)
  servers.push({
    name: 'the API server of TEST_KUBECONFIG',
    async start() {
      const child: ChildProcess = spawn('kubectl', ['proxy', '--port=0', `--kubeconfig=${given}`]);
      if (child.stdout === null) throw new Error('kubectl proxy prints nothing');
      const [line] = await once(child.stdout, 'data');
      const [, url = ''] = /(127\.0\.0\.1:\d+)/.exec(String(line)) ?? [];
      return {
        url: `http://${url}`,
        headers: {},
        async close() {
          child.kill();
          await once(child, 'exit');
        },
      };
    },
  });

type Schema = Readonly<Record<string, unknown>>;
/** `created` or `changed`, or the causes of the refusal: field and message, of which one that ends in `…` is the beginning. */
type Answer = 'created' | 'changed' | readonly (readonly [field: string, message: string])[];
type Case = {
  readonly name: string;
  /** Schema of the spec. */
  readonly spec: Schema;
  /** Why the definition is refused; it is accepted without. */
  readonly refused?: Exclude<Answer, string>;
  /** Specs that are written, each under a name: the second of a name is a change. */
  readonly writes?: readonly (readonly [name: string, spec: unknown, answer: Answer])[];
};

const object = (properties: Schema, rules: readonly Schema[] = [], more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  ...more,
});
const integer = { type: 'integer' };
const short = { type: 'string', maxLength: 40 };
const list = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', maxItems: 10, items, ...more });
const ruled = (schema: Schema, ...rules: readonly Schema[]): Schema => ({
  ...schema,
  'x-kubernetes-validations': rules,
});
const at = 'spec.validation.openAPIV3Schema.properties[spec]';
const asGiven = (rule: string, more: Schema = {}): string =>
  JSON.stringify({
    Rule: rule,
    Message: '',
    MessageExpression: '',
    Reason: null,
    FieldPath: '',
    OptionalOldSelf: null,
    ...more,
  }).replaceAll('<', '\\u003c');

const cases: readonly Case[] = [
  {
    name: 'a rule that an object breaks refuses it, with the rule where it has no message',
    spec: object({ a: integer }, [{ rule: 'self.a < 5' }]),
    writes: [
      ['one', { a: 9 }, [['spec', 'Invalid value: failed rule: self.a < 5']]],
      ['two', {}, [['spec', 'Invalid value: "object": no such key: a evaluating rule: self.a < 5']]],
      ['three', { a: 1 }, 'created'],
      ['three', { a: 7 }, [['spec', 'Invalid value: failed rule: self.a < 5']]],
      ['three', { a: 2 }, 'changed'],
    ],
  },
  {
    name: 'a rule says its own message, at the field and with the reason that it names',
    spec: object({ a: integer }, [
      { rule: 'self.a < 5', message: 'a is large', fieldPath: '.a', reason: 'FieldValueForbidden' },
      { rule: 'self.a < 6', message: 'a is larger', fieldPath: '.a', reason: 'FieldValueRequired' },
      { rule: 'self.a < 7', reason: 'FieldValueDuplicate' },
    ]),
    writes: [
      ['one', { a: 5 }, [['spec.a', 'Forbidden: a is large']]],
      [
        'two',
        { a: 8 },
        [
          ['spec.a', 'Forbidden: a is large'],
          ['spec.a', 'Required value: a is larger'],
          ['spec', 'Duplicate value'],
        ],
      ],
    ],
  },
  {
    name: 'a message can be an expression',
    spec: object({ a: short }, [
      { rule: 'self.a == "x"', messageExpression: '"a is " + self.a', message: 'not this one' },
    ]),
    writes: [['one', { a: 'y' }, [['spec', 'Invalid value: a is y']]]],
  },
  {
    name: 'rules of texts and numbers tell the value back',
    spec: object({
      n: ruled(integer, { rule: 'self % 2 == 0' }),
      t: ruled(short, { rule: "self.startsWith('a')" }),
      m: { type: 'object', maxProperties: 5, additionalProperties: ruled(short, { rule: 'size(self) > 1' }) },
    }),
    writes: [
      ['one', { n: 3 }, [['spec.n', 'Invalid value: 3: failed rule: self % 2 == 0']]],
      ['two', { t: 'b' }, [['spec.t', `Invalid value: "b": failed rule: self.startsWith('a')`]]],
      [
        'three',
        { m: { k: 'abc', 'x/y': 'b' } },
        [['spec.m[x/y]', 'Invalid value: "b": failed rule: size(self) > 1']],
      ],
      ['four', { n: 4, t: 'ab', m: { k: 'ab' } }, 'created'],
    ],
  },
  {
    name: 'has() tells what is there, and && and || absorb what is not',
    spec: object({ a: short, b: short }, [
      { rule: '!(has(self.a) && has(self.b))', message: 'not both' },
      { rule: "!has(self.a) || self.a != 'bad'", message: 'bad' },
    ]),
    writes: [
      ['one', { a: 'x', b: 'y' }, [['spec', 'Invalid value: not both']]],
      ['two', { a: 'bad' }, [['spec', 'Invalid value: bad']]],
      ['three', { b: 'y' }, 'created'],
      ['four', {}, 'created'],
    ],
  },
  {
    name: 'lists are looked through, and sorted, summed and searched',
    spec: object({ l: list(integer) }, [
      { rule: 'self.l.all(x, x > 0)', message: 'positive' },
      { rule: 'self.l.exists_one(x, x == 1)', message: 'one' },
      { rule: 'self.l.isSorted() && self.l.sum() < 20 && self.l.max() < 9', message: 'sorted' },
      { rule: 'self.l.filter(x, x > 1).map(x, x * 2).size() < 3', message: 'few' },
    ]),
    writes: [
      ['one', { l: [1, 2, 3] }, 'created'],
      ['two', { l: [0, 1] }, [['spec', 'Invalid value: positive']]],
      ['three', { l: [1, 1] }, [['spec', 'Invalid value: one']]],
      ['four', { l: [2, 1] }, [['spec', 'Invalid value: sorted']]],
      ['five', { l: [1, 2, 3, 4] }, [['spec', 'Invalid value: few']]],
    ],
  },
  {
    name: 'patterns, texts, addresses and maps are known',
    spec: object(
      { t: short, u: short, m: { type: 'object', maxProperties: 5, additionalProperties: short } },
      [
        { rule: "!has(self.t) || self.t.matches('^[a-z]+$')", message: 'letters' },
        { rule: "!has(self.t) || self.t.lowerAscii().split('x').size() == 1", message: 'no x' },
        { rule: '!has(self.u) || isURL(self.u)', message: 'an address' },
        { rule: "!has(self.u) || !isURL(self.u) || url(self.u).getScheme() == 'https'", message: 'https' },
        { rule: "!has(self.m) || ('k' in self.m && self.m.all(key, key != 'no'))", message: 'k' },
      ],
    ),
    writes: [
      ['one', { t: 'abc', u: 'https://a.example/p', m: { k: '1' } }, 'created'],
      ['two', { t: 'aBc' }, [['spec', 'Invalid value: letters']]],
      ['three', { t: 'axb' }, [['spec', 'Invalid value: no x']]],
      ['four', { u: 'not an address' }, [['spec', 'Invalid value: an address']]],
      ['five', { u: 'http://a.example' }, [['spec', 'Invalid value: https']]],
      ['six', { m: { no: '1', k: '2' } }, [['spec', 'Invalid value: k']]],
    ],
  },
  {
    name: 'a rule about a change is asked when something is replaced',
    spec: object({ t: ruled(short, { rule: 'self == oldSelf', message: 'fixed' }), n: integer }),
    writes: [
      ['one', { t: 'a' }, 'created'],
      ['one', { t: 'a', n: 1 }, 'changed'],
      ['one', { t: 'b' }, [['spec.t', 'Invalid value: "b": fixed']]],
    ],
  },
  {
    name: 'what a change leaves as it was is not held against it',
    spec: object({ l: list(short, { 'x-kubernetes-list-type': 'set' }) }, [
      { rule: '!has(oldSelf.l) || self.l == oldSelf.l', message: 'the same' },
    ]),
    writes: [
      ['one', { l: ['a', 'b'] }, 'created'],
      ['one', { l: ['b', 'a'] }, 'changed'],
      ['one', { l: ['b', 'c'] }, [['spec', 'Invalid value: the same']]],
    ],
  },
  {
    name: 'elements of a keyed list are compared with what they were, wherever they stand',
    spec: object({
      l: list(
        ruled(object({ k: short, v: integer }, [], { required: ['k'] }), {
          rule: 'self.v >= oldSelf.v',
          message: 'v only grows',
        }),
        { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
      ),
    }),
    writes: [
      [
        'one',
        {
          l: [
            { k: 'a', v: 1 },
            { k: 'b', v: 2 },
          ],
        },
        'created',
      ],
      [
        'one',
        {
          l: [
            { k: 'b', v: 3 },
            { k: 'a', v: 0 },
          ],
        },
        [['spec.l[1]', 'Invalid value: v only grows']],
      ],
      [
        'one',
        {
          l: [
            { k: 'b', v: 3 },
            { k: 'c', v: 0 },
          ],
        },
        'changed',
      ],
    ],
  },
  {
    name: 'names that CEL cannot write are escaped',
    spec: object({ 'a-b': integer, namespace: short }, [
      { rule: "self.a__dash__b > 0 && self.__namespace__ != ''", message: 'both' },
    ]),
    writes: [
      ['one', { 'a-b': 1, namespace: 'n' }, 'created'],
      ['two', { 'a-b': 0, namespace: 'n' }, [['spec', 'Invalid value: both']]],
    ],
  },
  {
    name: 'defaults are filled in before the rules are asked',
    spec: object({ a: { type: 'integer', default: 3 }, b: integer }, [{ rule: 'self.a < 5' }]),
    writes: [
      ['one', { b: 1 }, 'created'],
      ['two', { a: 6 }, [['spec', 'Invalid value: failed rule: self.a < 5']]],
    ],
  },
  {
    name: 'a default that breaks its rule refuses the definition',
    spec: object({ a: ruled({ type: 'integer', default: 9 }, { rule: 'self < 5' }) }),
    refused: [[`${at}.properties[a].default`, 'Invalid value: 9: failed rule: self < 5']],
  },
  {
    name: 'a default is held against the rules before what is within it is filled in',
    spec: object({ a: { type: 'integer', default: 3 } }, [{ rule: 'self.a < 5' }], { default: {} }),
    refused: [[`${at}.default`, 'Invalid value: "object": no such key: a evaluating rule: self.a < 5']],
  },
  {
    name: 'a field that the schema does not have',
    spec: object({ a: integer }, [{ rule: 'self.b < 5' }]),
    refused: [
      [
        `${at}.x-kubernetes-validations[0].rule`,
        `Invalid value: ${asGiven('self.b < 5')}: compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b < 5\n | ....^`,
      ],
    ],
  },
  {
    name: 'a function that nobody declared',
    spec: object({ a: integer }, [{ rule: 'nope(self.a)' }]),
    refused: [
      [
        `${at}.x-kubernetes-validations[0].rule`,
        `Invalid value: ${asGiven('nope(self.a)')}: compilation failed: ERROR: <input>:1:5: undeclared reference to 'nope' (in container '')\n | nope(self.a)\n | ....^`,
      ],
    ],
  },
  {
    name: 'an expression that is none',
    spec: object({ a: integer }, [{ rule: 'self.a <' }]),
    refused: [
      [
        `${at}.x-kubernetes-validations[0].rule`,
        `Invalid value: ${asGiven('self.a <')}: compilation failed: ERROR: <input>:1:…`,
      ],
    ],
  },
  {
    name: 'a rule that is no yes or no',
    spec: object({ a: integer }, [{ rule: 'self.a' }]),
    refused: [
      [
        `${at}.x-kubernetes-validations[0].rule`,
        `Invalid value: ${asGiven('self.a')}: cel expression must evaluate to a bool`,
      ],
    ],
  },
  {
    name: 'a message that is no text',
    spec: object({ a: integer }, [{ rule: 'self.a < 5', messageExpression: 'self.a' }]),
    refused: [
      [
        `${at}.x-kubernetes-validations[0].messageExpression`,
        `Invalid value: ${asGiven('self.a < 5', { MessageExpression: 'self.a' })}: messageExpression must evaluate to a string`,
      ],
    ],
  },
  {
    name: 'no rule at all',
    spec: object({ a: integer }, [{ rule: '' }]),
    refused: [[`${at}.x-kubernetes-validations[0].rule`, 'Required value: rule is not specified']],
  },
  {
    name: 'a message of two lines',
    spec: object({ a: integer }, [{ rule: 'self.a < 5', message: 'two\nlines' }]),
    refused: [
      [
        `${at}.x-kubernetes-validations[0].message`,
        'Invalid value: "two\\nlines": must not contain line breaks',
      ],
    ],
  },
  {
    name: 'a reason that is none',
    spec: object({ a: integer }, [{ rule: 'self.a < 5', reason: 'Nope' }]),
    refused: [
      [
        `${at}.x-kubernetes-validations[0].reason`,
        'Unsupported value: "Nope": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"',
      ],
    ],
  },
  {
    name: 'a field path that leads nowhere',
    spec: object({ a: integer }, [{ rule: 'self.a < 5', fieldPath: '.zz' }]),
    refused: [[`${at}.x-kubernetes-validations[0].fieldPath`, 'Invalid value: ".zz": must be a valid path']],
  },
  {
    name: 'a rule about changes of what cannot be found again',
    spec: object({ l: list(ruled(short, { rule: 'self == oldSelf' })) }),
    refused: [
      [
        `${at}.properties[l].items.x-kubernetes-validations[0].rule`,
        `Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${at}.properties[l]`,
      ],
    ],
  },
];

describe.each(servers)('rules of custom resources at $name', { timeout: 60_000 }, ({ start }) => {
  const run = Math.random().toString(36).slice(2, 8);
  const namespace = `operator-console-rules-${run}`;
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  let server: Server;

  const send = async (method: string, path: string, body?: object, type = 'application/json') => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { ...server.headers, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const answered = ({ status, text }: { status: number; text: string }): Answer | string => {
    if (status === 201 || status === 200) return status === 201 ? 'created' : 'changed';
    const causes: { field: string; message: string }[] = JSON.parse(text).details?.causes ?? [];
    return status === 422 ? causes.map(({ field, message }) => [field, message] as const) : text;
  };
  const expectAnswer = (answer: Answer | string, wanted: Answer): void => {
    const begun = (message: string): unknown =>
      message.endsWith('…') ? expect.stringContaining(message.slice(0, -1)) : message;
    expect(answer).toEqual(
      typeof wanted === 'string' ? wanted : wanted.map(([field, message]) => [field, begun(message)]),
    );
  };

  beforeAll(async () => {
    server = await start();
    await send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
  });
  afterAll(async () => {
    await send('DELETE', `/api/v1/namespaces/${namespace}`);
    await server.close();
  });

  it.each(cases.map((each, index) => ({ ...each, index })))(
    '$name',
    async ({ spec, refused, writes = [], index }) => {
      const plural = `things${index}${run}`;
      const group = 'rules.operator-console.example';
      const kind = `Thing${index}${run}`;
      const made = await send('POST', definitions, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural, singular: plural, kind, listKind: `${kind}List` },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
            },
          ],
        },
      });
      expectAnswer(answered(made), refused ?? 'created');
      if (refused !== undefined) return;
      const path = `/apis/${group}/v1/namespaces/${namespace}/${plural}`;
      try {
        await expect.poll(async () => (await send('GET', path)).status, { timeout: 20_000 }).toBe(200);
        const known = new Set<string>();
        for (const [name, value, wanted] of writes) {
          const change = () =>
            known.has(name)
              ? send(
                  'PATCH',
                  `${path}/${name}`,
                  [{ op: 'replace', path: '/spec', value }],
                  'application/json-patch+json',
                )
              : send('POST', path, {
                  apiVersion: `${group}/v1`,
                  kind,
                  metadata: { name },
                  spec: value,
                });
          let answer = await change();
          // A definition is served by parts of a server before it is by all of them.
          for (let tries = 0; answer.status === 404 && tries < 20; tries += 1) {
            await new Promise((resolve) => setTimeout(resolve, 200));
            answer = await change();
          }
          expectAnswer(answered(answer), wanted);
          if (answer.status === 201) known.add(name);
        }
      } finally {
        await send('DELETE', `${definitions}/${plural}.${group}`);
      }
    },
  );
});

describe('rules of custom resources at our own API', () => {
  const rule = (text: string): Schema => ({
    ...object({ l: { type: 'array', items: { type: 'string' } } }),
    'x-kubernetes-validations': [{ rule: text }],
  });
  const definition = (spec: Schema): KubeObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.dev' },
    spec: {
      group: 'example.dev',
      scope: 'Cluster',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  });
  /** Posts an object to a server that began with a definition, which was never checked. */
  const post = async (spec: Schema, value: unknown) => {
    const { url, close } = await startTestCluster([definition(spec)]);
    try {
      const begun = process.cpuUsage();
      const answer = await fetch(`${url}/apis/example.dev/v1/things`, {
        method: 'POST',
        headers: { authorization: 'Bearer test-token', 'content-type': 'application/json' },
        body: JSON.stringify({
          apiVersion: 'example.dev/v1',
          kind: 'Thing',
          metadata: { name: 'a' },
          spec: value,
        }),
      });
      const { user } = process.cpuUsage(begun);
      return { status: answer.status, text: await answer.text(), ms: user / 1000 };
    } finally {
      await close();
    }
  };
  const many = { l: Array.from({ length: 3000 }, (_, index) => `v${index}`) };

  it.each([
    ['a loop in a loop', 'self.l.all(x, self.l.exists_one(y, x == y))'],
    [
      'a loop in a loop in a loop, one branch of an or',
      'true && (self.l.all(x, self.l.all(y, self.l.all(z, true))) || true)',
    ],
    ['lists that are put together', 'self.l.map(x, self.l.map(y, x + y)).size() > 0'],
    ['a pattern for every element', "self.l.all(x, self.l.all(y, x.matches('^v.*$')))"],
  ])('take a bounded number of steps: %s', async (_name, text) => {
    await post(rule('true'), {});
    const { status, text: said, ms } = await post(rule(text), many);
    expect([status, said]).toEqual([422, expect.stringContaining('call cost exceeds limit for rule')]);
    expect(ms).toBeLessThan(1_000);
  });

  it('take a bounded number of steps together', async () => {
    const element = ruled(
      { type: 'string' },
      { rule: `self.matches('^v${'[0-9]'.repeat(40)}?.*$') || true` },
    );
    const spec = object({ l: { type: 'array', items: element } });
    const { status, text } = await post(spec, { l: Array.from({ length: 40_000 }, () => 'v1') });
    expect([status, text]).toEqual([422, expect.stringContaining('running out of cost budget')]);
  });

  it('refuse every object while one of them cannot be compiled, and say why', async () => {
    const { status, text } = await post(rule("quantity('1Gi').isGreaterThan(self.l)"), many);
    expect([status, text]).toEqual([
      422,
      expect.stringContaining(
        "rule compile error: compilation failed: ERROR: <input>:1:9: undeclared reference to 'quantity'",
      ),
    ]);
  });

  it('refuse an object that is not of the types that they read', async () => {
    const { status, text } = await post(rule('self.l.size() < 5'), { l: 'text' });
    expect([status, text]).toEqual([422, expect.stringContaining('a value of the type array was expected')]);
  });
});
