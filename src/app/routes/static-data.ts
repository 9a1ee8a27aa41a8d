import {type ModelGroup} from '#contract/models.ts'
import {type MessageId, type Text} from '#ui/text.tsx'
import {type Section} from '#features/shell/rail.tsx'

declare module '@tanstack/react-router' {
  /** Facts of a route; the shell reads those of the deepest matching route. */
  interface StaticDataRouteOption {
    title?: MessageId
    /** Product name of the page's media tool: the page's name, or `{tool}` in its title. */
    toolName?: string
    section?: Section
    panel?: 'chat' | 'console' | 'tools'
    /** The page renders its own head into the shell's. */
    fillsHead?: boolean
    /** Route data of the specification (spec §2): the application name and the model group of a chat page. */
    appName?: string
    modelGroup?: ModelGroup
  }
}

type PageNames = {title?: MessageId; toolName?: string}

/** A page's name, from its route's data. */
export const titleOf = (text: Text, {title, toolName}: PageNames): string | undefined =>
  title === undefined ? toolName : text(title, toolName === undefined ? undefined : {tool: toolName})
