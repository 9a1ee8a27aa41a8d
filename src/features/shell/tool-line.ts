import {type MessageId} from '#ui/text.tsx'

/** The one-line description of a media tool, in the tool's own namespace. */
export const toolLine = (tool: string): MessageId =>
  // as: tools are found at build time; a test checks each line
  `${tool}.line` as MessageId
