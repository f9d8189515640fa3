import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { program } from './program.ts';

export type McpAnswer = {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: { readonly answer: unknown; readonly not_read: readonly string[] };
};

/** Starts `operator-console mcp` and connects the official client to it. */
export async function mcpClient(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', CONSOLE_KEYCHAIN: 'off', CONSOLE_KUBECONFIG: 'none', ...env },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    pid: () => transport.pid,
    tools: async () => (await client.listTools()).tools,
    async call(name: string, given: object = {}): Promise<McpAnswer> {
      return (await client.callTool({ name, arguments: { ...given } })) as unknown as McpAnswer;
    },
    close: () => client.close(),
  };
}
