declare module 'virtual:message-loaders' {
  import type {MessageFormatElement} from '@formatjs/icu-messageformat-parser'
  export const messageLoaders: Record<string, () => Promise<{default: Record<string, MessageFormatElement[]>}>>
}
