import type {MediaTool, Operation} from '#contract/media/media-tool.ts'

export type FoundOperation = {tool: MediaTool; name: string; operation: Operation}

/** The operations of a tool; one path may have several, told apart by their bodies. */
export const operationsOf = (tool: MediaTool): FoundOperation[] =>
  Object.entries(tool.operations).map(([name, operation]) => ({tool, name, operation}))

/** The operation of a stored task; `undefined` after an update that removed the tool or its operation. */
export function findOperation(
  tools: readonly MediaTool[],
  {service, operation: name}: {service: string; operation: string},
): FoundOperation | undefined {
  const tool = tools.find(({identity}) => identity.service === service)
  return tool && operationsOf(tool).find((operation) => operation.name === name)
}
