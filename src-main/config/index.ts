export {
  type Config,
  ConfigError,
  type Environment,
  parseListen,
  readCodeHostConfig,
  readConfig,
} from './read-config.ts';
export { generatedSecret, generates, secretFault } from './secret-values.ts';
export {
  parseStudioEndpoint,
  parseStudioUpstream,
} from './studio-upstream.ts';
export { type Variable, type VariableName, variables } from './variables.ts';
export { isSecretVariable, withoutSecrets } from './without-secrets.ts';
