import {useCallback} from 'react'
import {messageId} from '#contract/media/media-screen.ts'
import {useText, type MessageId, type MessageValues} from '#ui/text.tsx'
import type {AnyChoice} from './any-tool.ts'

/** A message that a tool's files name (`messageId`). */
export type ToolText = (id: string, values?: MessageValues) => string

export function useToolText(tool: string): ToolText {
  const text = useText()
  // as: a tool's files name messages as plain text; a missing one is reported by the message provider
  return useCallback((id, values) => text(messageId(tool, id) as MessageId, values), [text, tool])
}

/** The name of a choice: a product's own word, a message, or its value. */
export const choiceText = (toolText: ToolText, {value, label, text}: AnyChoice): string =>
  text ?? (label === undefined ? String(value) : toolText(label, {value}))
