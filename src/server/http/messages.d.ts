declare module 'virtual:server-messages' {
  import type {MessageFormatElement} from '@formatjs/icu-messageformat-parser'
  type Messages = Record<string, MessageFormatElement[]>
  export const english: Messages
  /** By language. */
  export const messageLoaders: Record<string, () => Promise<{default: Messages}>>
}
