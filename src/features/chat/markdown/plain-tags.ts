import type {MarkedExtension} from 'marked'

/*
 * The only tags that are read as markup: exact, without attributes, as models write them for what Markdown lacks. They
 * become tokens of ours; all other HTML stays text (security R01).
 */

/** A line break at the start of a text. */
const breakTag = /^<br *\/?>/i
/** Text that is raised or lowered; a code span could hide its end. */
export const raisedTag = /^<(sub|sup)>([^<>`\n]{1,200})<\/\1>/i
/** The beginning of such a text whose end may still come. */
export const openRaisedTag = /^<su[bp]>[^<>`\n]{0,200}(?:<\/?(?:s(?:u[bp]?)?)?)?$/i

export const plainTags: MarkedExtension = {
  tokenizer: {
    /** A line that begins with a break is a paragraph. */
    html: (source) => (breakTag.test(source) ? undefined : false),
  },
  extensions: [
    {
      name: 'plainTag',
      level: 'inline',
      tokenizer(source) {
        if (!source.startsWith('<')) return undefined
        const [lineBreak] = breakTag.exec(source) ?? []
        if (lineBreak !== undefined) return {type: 'br', raw: lineBreak}
        const [raw, name = '', inner = ''] = raisedTag.exec(source) ?? []
        if (raw === undefined) return undefined
        return {type: name.toLowerCase(), raw, tokens: this.lexer.inlineTokens(inner)}
      },
    },
  ],
}
