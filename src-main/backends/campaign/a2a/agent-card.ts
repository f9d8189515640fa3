import { A2A_PROTOCOL_VERSION, type AgentCard } from '@a2a-js/sdk';

/** Media types the agent reads and writes. */
const text = 'text/plain';
const schemeName = 'session';

/** Returns the agent's card (A2A 1.0, 4.4.1), reached at `<baseUrl>/a2a`. */
export function agentCard(baseUrl: string): AgentCard {
  const security = { schemes: { [schemeName]: { list: [] } } };
  return {
    name: 'Campaign agent',
    description:
      "Answers questions about the caller's own campaigns from the backend's store: their state, goal, leads and content. It changes nothing.",
    supportedInterfaces: [
      {
        url: `${baseUrl}/a2a`,
        protocolBinding: 'JSONRPC',
        tenant: '',
        protocolVersion: A2A_PROTOCOL_VERSION,
      },
    ],
    provider: undefined,
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: false, extensions: [], extendedAgentCard: false },
    securitySchemes: {
      [schemeName]: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: {
            description: 'The access token of a session, in the authorization header only.',
            scheme: 'Bearer',
            bearerFormat: 'JWT',
          },
        },
      },
    },
    securityRequirements: [security],
    defaultInputModes: [text],
    defaultOutputModes: [text],
    skills: [
      {
        id: 'campaigns',
        name: 'Campaigns',
        description: "Lists the caller's campaigns with their states.",
        tags: ['campaigns'],
        examples: ['Which campaigns do I have?'],
        inputModes: [text],
        outputModes: [text],
        securityRequirements: [security],
      },
      {
        id: 'campaign',
        name: 'One campaign',
        description: "Tells a campaign's state, goal, number of leads and pieces of content.",
        tags: ['campaigns', 'leads', 'content'],
        examples: ['How many leads does "Spring sale" have?', 'What is the state of "Spring sale"?'],
        inputModes: [text],
        outputModes: [text],
        securityRequirements: [security],
      },
    ],
    signatures: [],
  };
}
