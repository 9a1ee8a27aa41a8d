import {isMediaTool, toolOfPath} from '#features/shell/tools.ts'
import type {MessagePart} from '../locale-messages.ts'

export const wordsOfCommands = ['commands', 'thread'] as const

/** Pages of the chat that no tool has. */
const pagesOfChat: ReadonlySet<string> = new Set(['/', '/compare'])

/** Parts of the messages whose texts the buttons of a page have. */
export function wordsOfPage(pathname: string): readonly MessagePart[] {
  const tool = toolOfPath(pathname)
  if (tool === undefined)
    return pagesOfChat.has(pathname) ? wordsOfCommands : ['commands', 'account', 'console', 'thread']
  return isMediaTool(tool) ? ['commands', 'media', tool.id] : wordsOfCommands
}
