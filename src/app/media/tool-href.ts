/** The screen of a media tool. */
export const toolHref = (tool: string) => `/${tool}`
