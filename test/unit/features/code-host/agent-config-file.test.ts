import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentConfig } from '#shared/api/code-host.ts';
import { readAgentFile } from '../../../../src-main/features/code-host/agent-config-file.ts';

const file = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
const messages = (text: string): string[] => readAgentFile(text).errors.map(({ message }) => message);

describe('an agents file', () => {
  it('is read with all it may hold', () => {
    const { agents, errors } = readAgentFile(
      file(
        '# who looks at what',
        'agents:',
        '  - name: security-review',
        '    family: review',
        '    enabled: false',
        '    description: Reads each change.',
        '    model: northgate-large',
        '    schedule: "0 5 * * 1"',
        '    workflow: .github/workflows/review-security.yml',
        '    settings:',
        '      depth: 3',
        '      version: 1.10',
        '      post_comments: true',
        '      limits: { minutes: 20, lanes: [1, two] }',
        '    retries: 2',
        '    bias_rules:',
        '      - id: consent-first',
        '        rule: Treat it as the worst outcome.',
        '        severity: error',
        '        applies_to: ["internal/**", web]',
        '      - { id: short, rule: Be short. }',
        '  - name: quality-review',
      ),
    );
    expect(errors).toEqual([]);
    expect(agents).toEqual([
      {
        name: 'security-review',
        family: 'review',
        enabled: false,
        description: 'Reads each change.',
        model: 'northgate-large',
        schedule: '0 5 * * 1',
        workflow: '.github/workflows/review-security.yml',
        settings: {
          retries: '2',
          depth: '3',
          version: '1.10',
          post_comments: 'true',
          'limits.minutes': '20',
          'limits.lanes': '1, two',
        },
        bias_rules: [
          {
            id: 'consent-first',
            rule: 'Treat it as the worst outcome.',
            severity: 'error',
            applies_to: ['internal/**', 'web'],
          },
          { id: 'short', rule: 'Be short.', applies_to: [] },
        ],
        line: 3,
      },
      { name: 'quality-review', enabled: true, settings: {}, bias_rules: [], line: 22 },
    ]);
  });

  it('never shows what its name calls a secret, however deep it is', () => {
    const secrets = ['api_token', 'PASSWORD', 'clientSecret', 'signing-key', 'apikeys', 'passphrase'];
    const text = file(
      'agents:',
      '  - name: a',
      '    access_token: s3cr3t',
      '    settings:',
      ...secrets.map((name) => `      ${name}: s3cr3t`),
      '      credentials: { user: s3cr3t, more: [{ x: s3cr3t }] }',
      '      tokens: [s3cr3t, s3cr3t]',
      '      pin_key: 12345',
      '      max_tokens: 4096',
      '      keywords: [tide, berth]',
      '      empty_token:',
    );
    const { agents, errors } = readAgentFile(text);
    expect(JSON.stringify({ agents, errors })).not.toMatch(/s3cr3t|12345/);
    expect(agents[0]?.settings).toEqual({
      access_token: '(set)',
      ...Object.fromEntries(secrets.map((name) => [name, '(set)'])),
      credentials: '(set)',
      tokens: '(set)',
      pin_key: '(set)',
      max_tokens: '4096',
      keywords: 'tide, berth',
      empty_token: '',
    });
  });

  it('does not repeat a secret in what it says of a line it cannot read', () => {
    const lines = [
      'api_token: "s3cr3t" s3cr3t',
      'api_token: "a" s3cr3t: b',
      "api_token: 's3cr3t",
      'api_token: s3cr3t: s3cr3t',
      'api_token: "\\s3cr3t"',
      'api_token: [s3cr3t s3cr3t: }',
      'api_token: {s3cr3t]',
      'api_token: |s3cr3t',
      'api_token: @s3cr3t',
      'api_token: %s3cr3t\n%s3cr3t',
      'api_token:\n  - x\n s3cr3t\n  s3cr3t: s3cr3t\n s3cr3t',
      'api_token: ]s3cr3t',
      'api_token: !s3cr3t',
      'api_token: "\\Us3cr3t"',
      'api_token: *s3cr3t',
      'api_token: & s3cr3t',
    ];
    for (const line of lines)
      for (const text of [
        file('agents:', '  - name: a', '    settings:', `      ${line}`),
        file('agents:', '  - name: a', `    ${line}`, '  - name: b'),
      ])
        expect({ text, told: JSON.stringify(readAgentFile(text)) }).toEqual({
          text,
          told: expect.not.stringContaining('s3cr3t'),
        });
  });

  it('tells a slip of indentation by line and column, and keeps what is before and after it', () => {
    const { agents, errors } = readAgentFile(
      file(
        'agents:',
        '  - name: design-review',
        '    model: northgate-medium',
        '   workflow: design.yml',
        '  - name: quality-review',
      ),
    );
    expect(errors[0]).toMatchObject({ line: 4, message: expect.stringMatching(/\.$/) });
    // Only what the parser says of that line: what it took the line for is not the person's mistake.
    for (const { message } of errors) expect(message).not.toContain('agent');
    expect(errors[0]?.column).toBeGreaterThan(0);
    expect(agents.map(({ name }) => name)).toContain('design-review');
  });

  it('leaves out a rule without its words, by its line, and keeps the others', () => {
    const { agents, errors } = readAgentFile(
      file(
        'agents:',
        '  - name: a',
        '    bias_rules:',
        '      - id: one',
        '        severity: warning',
        '      - rule: Without a name.',
        '      - id: three',
        '        rule: Fine.',
        '        why: because',
      ),
    );
    expect(errors).toEqual([
      { line: 4, column: 9, message: 'Bias rule "one" of agent "a" has no "rule": it is left out.' },
      { line: 6, column: 9, message: 'A bias rule of agent "a" has no "id": it is left out.' },
      { line: 9, column: 9, message: '"why" of bias rule "three" of agent "a" is not known.' },
    ]);
    expect(agents[0]?.bias_rules).toEqual([{ id: 'three', rule: 'Fine.', applies_to: [] }]);
  });

  it('names each other mistake where it is', () => {
    const of = (...lines: readonly string[]) => messages(file('agents:', '  - name: a', ...lines));
    expect(of('    enabled: yes')).toEqual([
      '"enabled" of agent "a" is neither true nor false: it counts as true.',
    ]);
    expect(of('    model: [x]')).toEqual(['"model" of agent "a" must be a text.']);
    expect(of('    settings: fast')).toEqual(['"settings" of agent "a" must be a map of names and values.']);
    expect(of('    bias_rules: no')).toEqual(['"bias_rules" of agent "a" must be a list.']);
    expect(of('    model: x', '    model: y')).toEqual(['An agent has "model" twice: the first one counts.']);
    expect(of('    depth: 1', '    settings: { depth: 2 }')).toEqual([
      'Setting "depth" is there twice: the last one counts.',
    ]);
    expect(of('  - name: a')).toEqual(['Agent "a" is there twice.']);
    expect(of('  - family: review')).toEqual(['An agent has no "name": it is left out.']);
    expect(of('  - review')).toEqual(['An agent must be a map of names and values.']);
    expect(of('    model: !secret x')).toEqual(['A tag such as !name is not read here: it is left out.']);
    expect(messages('agents: {}\n')).toEqual(['"agents" must be a list.']);
    expect(messages('agent: []\n')).toEqual([
      '"agent" is not known here: only "agents" is read.',
      'The file has no "agents".',
    ]);
    expect(messages('- a\n')).toEqual(['The file must be a map of names and values.']);
    for (const empty of ['', '# nothing\n', '---\n'])
      expect(messages(empty)).toEqual(['The file is empty: it has no "agents".']);
    expect(messages('agents: []\n---\nagents: []\n')).toEqual([
      'The file holds more than one document: only the first one is read.',
    ]);
  });

  it('does not follow aliases or merge keys, and says so', () => {
    const { agents, errors } = readAgentFile(
      file(
        'agents:',
        '  - &base',
        '    name: a',
        '    model: large',
        '  - name: b',
        '    <<: *base',
        '    settings: { x: *base }',
        '  - *base',
      ),
    );
    expect(agents.map(({ name, model, settings }) => [name, model, settings])).toEqual([
      ['a', 'large', {}],
      ['b', undefined, {}],
    ]);
    expect(errors.map(({ line }) => line)).toEqual([6, 7, 8]);
    for (const { message } of errors) expect(message).toContain('aliases are not followed');
  });

  it('reads a nest of aliases that would grow to a billion as quickly as any other', () => {
    const levels = Array.from({ length: 12 }, (_, level) =>
      level === 0
        ? '      l0: &l0 [x, x, x, x, x, x, x, x, x, x]'
        : `      l${level}: &l${level} [${Array.from({ length: 10 }, () => `*l${level - 1}`).join(', ')}]`,
    );
    const { agents } = readAgentFile(file('agents:', '  - name: a', '    settings:', ...levels));
    expect(JSON.stringify(agents).length).toBeLessThan(1000);
  });

  it('reads a file full of keys, refuses a larger one, and gives up on what is nested without end', () => {
    const keys = Array.from({ length: 16_000 }, (_, index) => `      k${index}: 1`);
    const large = file('agents:', '  - name: a', '    settings:', ...keys);
    expect(Object.keys(readAgentFile(large).agents[0]?.settings ?? {})).toHaveLength(16_000);
    expect(readAgentFile('#'.repeat(256 * 1024 + 1))).toEqual({
      agents: [],
      errors: [{ line: 1, message: 'The file is larger than 256 KB: it was not read.' }],
    });
    for (const nested of ['['.repeat(200_000), `agents: ${'{a: '.repeat(60_000)}`])
      expect(readAgentFile(nested).errors.length).toBeGreaterThan(0);
    expect(messages('- '.repeat(100_000))).toContain('This is nested too deeply to be read.');
  });

  it('lists a hundred mistakes and counts the rest', () => {
    const rules = Array.from({ length: 150 }, () => '      - { id: x }');
    const { errors } = readAgentFile(file('agents:', '  - name: a', '    bias_rules:', ...rules));
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)).toMatchObject({
      line: 104,
      message: 'There are 50 more mistakes from here on.',
    });
  });

  it('ends as the contract says whatever the file holds', () => {
    const answer = agentConfig.pick({ agents: true, errors: true });
    const words = fc.constantFrom(
      ...['agents:', 'name', '- ', '  ', ': ', '\n', '"', '[', '{', '}', ']', '*a', '&a', '!x', '|', '>'],
      ...['settings:', 'bias_rules:', 'id: 1', 'rule', 'enabled: true', '~', '#', '---', '<<', '\t', ','],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map((parts) => parts.join('')),
        ),
        (text) => {
          for (const tried of [text, `agents:\n  - name: a\n    ${text}`]) {
            const { errors } = answer.parse(readAgentFile(tried));
            for (const { line } of errors) {
              expect(line).toBeGreaterThan(0);
              expect(line).toBeLessThanOrEqual(tried.split(/\r\n|\n|\r/).length);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
