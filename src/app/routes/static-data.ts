import {type ModelGroup} from '#contract/models.ts'
import {type MessageId, type Text} from '#ui/text.tsx'
import {type Place} from '#features/shell/rail.tsx'
import {type MediaToolId} from '#features/shell/tools.ts'

declare module '@tanstack/react-router' {
  /** What a route says about itself; the shell reads it of the deepest route that matches. */
  interface StaticDataRouteOption {
    title?: MessageId
    /** What a page that is not built yet will show. */
    line?: MessageId
    /** Media tool the page belongs to; fills `{tool}` in title and line. */
    tool?: MediaToolId
    place?: Place
    panel?: 'chat' | 'console' | 'tools'
    /** Route data of the specification (spec §2): the application name and the model group of a chat page. */
    appName?: 'chat' | MediaToolId
    modelGroup?: ModelGroup
  }
}

type Described = {title?: MessageId; line?: MessageId; tool?: MediaToolId}

const toolValues = (text: Text, tool: MediaToolId | undefined) =>
  tool === undefined ? undefined : {tool: text(`index.tool.${tool}`)}

/** Name of a page in words, from the data of its route. */
export const titleOf = (text: Text, {title, tool}: Described): string | undefined =>
  title === undefined ? undefined : text(title, toolValues(text, tool))

export const lineOf = (text: Text, {line, tool}: Described): string | undefined =>
  line === undefined ? undefined : text(line, toolValues(text, tool))
