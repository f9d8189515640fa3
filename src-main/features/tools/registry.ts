import type { RouteId } from '#shared/api/index.ts';
import { actingTools } from './acting.ts';
import { briefTool } from './reading/brief.ts';
import { clusterTools } from './reading/cluster.ts';
import { consoleTools } from './reading/console.ts';
import { deliveryTools } from './reading/delivery.ts';
import { objectTools } from './reading/objects.ts';
import { platformTools } from './reading/platform.ts';
import type { ReadingTool, Tool } from './tool.ts';

/** Every tool that reads, in the order of help. */
export const readingTools: readonly ReadingTool[] = [
  briefTool,
  ...clusterTools,
  ...objectTools,
  ...deliveryTools,
  ...platformTools,
  ...consoleTools,
];

/** The one list of tools: chat, Ask and MCP offer parts of it. */
export const allTools: readonly Tool[] = [...readingTools, ...actingTools];

/** The tools that read nothing but these routes. */
export function toolsOver(routes: ReadonlySet<RouteId>): readonly ReadingTool[] {
  return readingTools.filter((tool) => tool.routes.every((route) => routes.has(route)));
}
