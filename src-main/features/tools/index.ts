export { modelProse, outsideText } from './outside-text.ts';
export { findNamed } from './reading/objects.ts';
export { allTools, readingTools, toolsOver } from './registry.ts';
export { type Found, searchNames } from './search-names.ts';
export { textEnd } from './text-end.ts';
export type {
  ActingTool,
  Asker,
  AskRoutes,
  Citation,
  ReadingTool,
  Tool,
  ToolAnswer,
} from './tool.ts';
export { argumentSchema } from './tool.ts';
