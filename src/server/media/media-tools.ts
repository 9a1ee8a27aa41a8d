import type {MediaTool, Operation} from '#contract/media/media-tool.ts'

/*
 * All media tools, found by their path (docs/decisions/0010): a file of `src/contract/media` that exports a `tool` is
 * one. The server knows no tool by name.
 */

const modules = import.meta.glob<{tool?: MediaTool}>(
  ['../../contract/media/*.ts', '!../../contract/media/*.screen.ts', '!../../contract/media/media-*.ts'],
  {eager: true},
)

export const mediaTools: readonly MediaTool[] = Object.values(modules).flatMap(({tool}) => (tool ? [tool] : []))

export type FoundOperation = {tool: MediaTool; name: string; operation: Operation}

/** The operations of all tools by their place on the wire; one path may have several, told apart by their bodies. */
export const operationsOf = (tool: MediaTool): FoundOperation[] =>
  Object.entries(tool.operations).map(([name, operation]) => ({tool, name, operation}))

/** What a stored task says it is: `undefined` after an update that took the tool or its operation away. */
export function findOperation(
  tools: readonly MediaTool[],
  {service, operation: name}: {service: string; operation: string},
): FoundOperation | undefined {
  const tool = tools.find(({identity}) => identity.service === service)
  return tool && operationsOf(tool).find((found) => found.name === name)
}
