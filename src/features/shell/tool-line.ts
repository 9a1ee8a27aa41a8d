import {type MessageId} from '#ui/text.tsx'

/** The one line that says what a media tool does; it stands in the tool's own namespace. */
export const toolLine = (tool: string): MessageId =>
  // as: the tools are found at build time; a test looks each line up
  `${tool}.line` as MessageId
