declare module 'virtual:message-loaders' {
  import type {MessageFormatElement} from '@formatjs/icu-messageformat-parser'
  export const messageLoaders: Record<string, () => Promise<{default: Record<string, MessageFormatElement[]>}>>
  /** Messages of some screens only. */
  export const partLoaders: Record<
    'media' | 'account' | 'thread' | 'commands',
    (locale: string) => Promise<{default: Record<string, MessageFormatElement[]>}>
  >
}

declare module 'virtual:message-loaders/words' {
  import type {MessageFormatElement} from '@formatjs/icu-messageformat-parser'
  /** Words that find commands of the palette, beside their names. */
  export const loaders: Record<string, () => Promise<{default: Record<string, MessageFormatElement[]>}>>
}

declare module 'virtual:media-tool-list' {
  import type {ToolIdentity} from '#contract/media/media-tool.ts'
  /** The media tools by group and order, with the fields the first screen needs. */
  export const mediaTools: readonly Pick<ToolIdentity, 'id' | 'name' | 'group'>[]
}

declare module 'virtual:media-tool-examples' {
  import type {ToolExample, ToolIdentity} from '#contract/media/media-tool.ts'
  /** A call of each media tool, by group and order. */
  export const examples: readonly (Pick<ToolIdentity, 'id' | 'name' | 'group' | 'service' | 'serviceId'> &
    ToolExample)[]
}

declare module 'virtual:media-tools' {
  import type {MessageFormatElement} from '@formatjs/icu-messageformat-parser'
  import type {ToolScreen} from '#contract/media/media-screen.ts'
  import type {MediaTool, ToolIdentity} from '#contract/media/media-tool.ts'
  /** Every media tool, by group and order. */
  export const identities: readonly ToolIdentity[]
  /** Rules and screen of a tool, by id; one chunk each. */
  export const loadTool: Readonly<
    Record<
      string,
      () => Promise<{
        tool: MediaTool
        screen: ToolScreen
        /** Its messages by language, except those shown on screens of other tools. */
        words: Record<string, () => Promise<{default: Record<string, MessageFormatElement[]>}>>
      }>
    >
  >
}
