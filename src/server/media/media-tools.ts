import type {MediaTool} from '#contract/media/media-tool.ts'

/*
 * All media tools, found by their path (docs/decisions/0010): a file of `src/contract/media` that exports a `tool` is
 * one. The server knows no tool by name.
 */

const modules = import.meta.glob<{tool?: MediaTool}>(
  ['../../contract/media/*.ts', '!../../contract/media/*.screen.ts', '!../../contract/media/media-*.ts'],
  {eager: true},
)

export const mediaTools: readonly MediaTool[] = Object.values(modules).flatMap(({tool}) => (tool ? [tool] : []))
