import type {MarkedExtension} from 'marked'

const reference = /^\[\^([^\s[\]^`]{1,40})\](?!\()/

/** References to footnotes, `[^1]`, which marked takes for links. The notes are blocks (`split-blocks.ts`). */
export const noteReferences: MarkedExtension = {
  tokenizer: {
    /** `[^1]: https://…` in a quotation is no definition of a link. */
    def: (source) => (/^ {0,3}\[\^/.test(source) ? undefined : false),
  },
  extensions: [
    {
      name: 'note',
      level: 'inline',
      tokenizer(source) {
        if (!source.startsWith('[^') || this.lexer.state.inLink) return undefined
        const [raw, label] = reference.exec(source) ?? []
        return raw === undefined ? undefined : {type: 'note', raw, text: raw, label}
      },
    },
  ],
}
