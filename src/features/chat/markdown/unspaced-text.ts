import {Tokenizer, type MarkedExtension, type TokenizerExtension} from 'marked'

/*
 * Scripts without capitals, such as Han, kana, Hangul, Thai and Arabic: their words often follow a mark without a
 * space. CommonMark and GFM take that for the middle of a word or of an address.
 */

const emphasised = /^(\*\*?)(?=\S)([^*]*[^\s*\\])\1(?!\*)/
const letter = /^[\p{Lo}\p{Lm}]/u
const mark = /^[\p{P}\p{S}]/u

/** `**注意：**傘` and `これは**「傘」**です`: emphasis whose end or beginning stands between a mark and such a letter. */
const emphasis: TokenizerExtension = {
  name: 'emphasis',
  level: 'inline',
  tokenizer(source, tokens) {
    const [raw, markers = '', inner = ''] = emphasised.exec(source) ?? []
    if (raw === undefined) return undefined
    const isEndMissed = mark.test(inner.slice(-1)) && letter.test(source.slice(raw.length))
    const isBeginningMissed = mark.test(inner) && letter.test(tokens.at(-1)?.raw.slice(-1) ?? '')
    if (!isEndMissed && !isBeginningMissed) return undefined
    const type = markers.length === 2 ? 'strong' : 'em'
    return {type, raw, text: inner, tokens: this.lexer.inlineTokens(inner)}
  },
}

const address = /^(?:https?:|ftp:|www\.)[^\s<]*/i
/** Marks of full width, which no address has unescaped. */
const fullWidth = /[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff3d\uff5b-\uff65]/

export const unspacedText: MarkedExtension = {
  extensions: [emphasis],
  tokenizer: {
    /** `https://atrium.example/、` ends before the comma. */
    url(source) {
      const end = address.exec(source)?.[0].search(fullWidth) ?? -1
      return end === -1 ? false : Tokenizer.prototype.url.call(this, source.slice(0, end))
    },
  },
}
