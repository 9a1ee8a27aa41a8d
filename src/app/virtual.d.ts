declare module 'virtual:message-loaders' {
  import type {MessageFormatElement} from '@formatjs/icu-messageformat-parser'
  export const messageLoaders: Record<string, () => Promise<{default: Record<string, MessageFormatElement[]>}>>
  /** What only the media tools show. */
  export const mediaMessageLoaders: typeof messageLoaders
}
