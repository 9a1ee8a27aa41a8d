import {type ModelGroup} from '#contract/models.ts'
import {type MessageId, type Text} from '#ui/text.tsx'
import {type Place} from '#features/shell/rail.tsx'

declare module '@tanstack/react-router' {
  /** What a route says about itself; the shell reads it of the deepest route that matches. */
  interface StaticDataRouteOption {
    title?: MessageId
    /** What a page that is not built yet will show. */
    line?: MessageId
    /** Product's name of the media tool the page belongs to: the page's own name, or `{tool}` in title and line. */
    toolName?: string
    place?: Place
    panel?: 'chat' | 'console' | 'tools'
    /** The page puts its own head into the shell's. */
    fillsHead?: boolean
    /** Route data of the specification (spec §2): the application name and the model group of a chat page. */
    appName?: string
    modelGroup?: ModelGroup
  }
}

type Described = {title?: MessageId; line?: MessageId; toolName?: string}

const toolValues = (toolName: string | undefined) => (toolName === undefined ? undefined : {tool: toolName})

/** Name of a page in words, from the data of its route. */
export const titleOf = (text: Text, {title, toolName}: Described): string | undefined =>
  title === undefined ? toolName : text(title, toolValues(toolName))

export const lineOf = (text: Text, {line, toolName}: Described): string | undefined =>
  line === undefined ? undefined : text(line, toolValues(toolName))
