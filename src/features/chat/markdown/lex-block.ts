import {Marked, type Token, type TokensList} from 'marked'
import {joinedFormulas} from './joined-formulas.ts'
import {mathAt} from './math-rule.ts'
import {noteReferences} from './note-rule.ts'
import {plainTags} from './plain-tags.ts'
import {unspacedText} from './unspaced-text.ts'

const markdown = new Marked({gfm: true}).use(unspacedText, plainTags, noteReferences, {
  extensions: [
    {
      name: 'math',
      level: 'inline',
      start(source) {
        const at = source.search(/\$|\\[([]/)
        return at === -1 ? undefined : at
      },
      tokenizer(source, tokens) {
        const formula = mathAt(source, tokens.at(-1)?.raw.at(-1) ?? '')
        return formula === undefined ? undefined : {type: 'math', ...formula}
      },
    },
  ],
})

/*
 * Limits of the lexer's work (security R06), measured on marked 18: below them no input takes more than ~60 ms, above
 * them some take seconds. A larger block is shown as plain text.
 */
const longestParagraph = 8_000
const mostDelimiters = 2_000
const longestBlock = 128_000
const longestLine = 8_000
const deepestNesting = 32

/** Lists and tables are lexed by line, so their longest line counts; other blocks count as a whole. */
function isTooCostly(raw: string): boolean {
  if (raw.length > longestBlock) return true
  const lines = raw.split('\n')
  const isLined = /^ {0,3}(?:\||[-*+] |\d{1,9}[.)] )/.test(raw) || /^ {0,3}\|?[ :]*-[ :|-]*$/.test(lines[1] ?? '')
  if (isLined ? lines.some((line) => line.length > longestLine) : raw.length > longestParagraph) return true
  if (!isLined && (raw.match(/[*_~`[\]<$]/g) ?? []).length > mostDelimiters) return true
  return lines.some((line) => {
    const indent = /^[\s>]*/.exec(line)?.[0] ?? ''
    const markers = /^(?:(?:>|[-*+]|\d{1,9}[.)])\s*)*/.exec(line.trimStart())?.[0] ?? ''
    const deep = (markers.match(/>|[-*+]|\d[.)]/g) ?? []).length
    return indent.length > deepestNesting * 4 || deep > deepestNesting
  })
}

/**
 * The tokens of one block, or undefined if lexing costs too much. `definitions` are the reference definitions of the
 * whole text.
 */
export function lexBlock(source: string, definitions: string): Token[] | undefined {
  if (source.length > longestBlock) return undefined
  const raw = joinedFormulas(source)
  if (isTooCostly(raw)) return undefined
  try {
    const hasReferences = definitions !== '' && raw.includes('[')
    const tokens: TokensList = markdown.lexer(hasReferences ? `${raw}\n\n${definitions}` : raw)
    return tokens
  } catch {
    // marked recurses on nesting: input that exhausts the stack is shown as text
    return undefined
  }
}
