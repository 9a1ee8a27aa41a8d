declare module 'virtual:message-loaders' {
  import type {MessageFormatElement} from '@formatjs/icu-messageformat-parser'
  export const messageLoaders: Record<string, () => Promise<{default: Record<string, MessageFormatElement[]>}>>
  /** What only some screens show. */
  export const partLoaders: Record<
    'media' | 'account' | 'thread',
    (locale: string) => Promise<{default: Record<string, MessageFormatElement[]>}>
  >
}

declare module 'virtual:media-tool-list' {
  import type {ToolIdentity} from '#contract/media/media-tool.ts'
  /** The media tools by group and order, as far as the first screen names them. */
  export const mediaTools: readonly Pick<ToolIdentity, 'id' | 'name' | 'group'>[]
}

declare module 'virtual:media-tools' {
  import type {MessageFormatElement} from '@formatjs/icu-messageformat-parser'
  import type {ToolScreen} from '#contract/media/media-screen.ts'
  import type {MediaTool, ToolIdentity} from '#contract/media/media-tool.ts'
  /** Every media tool, by group and order. */
  export const identities: readonly ToolIdentity[]
  /** Rules and screen of a tool, by its id; one chunk each. */
  export const loadTool: Readonly<
    Record<
      string,
      () => Promise<{
        tool: MediaTool
        screen: ToolScreen
        /** Its words by language, but for those that stand where other tools are on screen. */
        words: Record<string, () => Promise<{default: Record<string, MessageFormatElement[]>}>>
      }>
    >
  >
}
