/** The document as one line, without its style sheet and scripts. */
export const flat = (text: string) =>
  text
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ >/g, '>')
