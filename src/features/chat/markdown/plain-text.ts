import type {Token, Tokens} from 'marked'
import type {Block} from './block-kinds.ts'
import {decodeEntities} from './entities.ts'
import {lexBlock} from './lex-block.ts'
import {createBlockReader} from './split-blocks.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : '')
/** Marked types `tokens` of generic tokens as any. */
export const children = (token: Token): Token[] =>
  'tokens' in token && Array.isArray(token.tokens) ? token.tokens : []

/** Visible text of inline tokens, without markup. */
export const inlineText = (tokens: readonly Token[]): string => tokens.map(inlineTokenText).join('')

function inlineTokenText(token: Token): string {
  if (children(token).length > 0) return inlineText(children(token))
  if (token.type === 'br') return '\n'
  if (token.type === 'html') return token.raw
  if (token.type === 'math') return text((token as {tex?: unknown}).tex) // a member of our own extension
  if (token.type === 'codespan') return text(token.text)
  return 'text' in token ? decodeEntities(text(token.text)) : ''
}

/** Cells of a table, its head first. */
export const tableCells = ({header, rows}: Tokens.Table): string[][] =>
  [header, ...rows].map((cells) => cells.map((cell) => inlineText(cell.tokens).trim()))

/**
 * A Markdown answer without its markup, for uses that render none: a blank line between blocks, lists with their marks,
 * cells divided by tabs. Reasoning is no part of the answer.
 */
export const plainText = (markdown: string): string =>
  markdownText(markdown, {ofCode: (code) => code, ofTask: (isDone) => (isDone ? '[x] ' : '[ ] ')})

/** A word instead of an address, whose letters say nothing to who hears them. */
const spokenAddress = (text: string) =>
  text.replace(/\bhttps?:\/\/(?:www\.)?([^\s/?#:]+)(\S*)/g, (_, site: string, rest: string) => {
    const [marks = ''] = /(?<![.,;:!?)\]])[.,;:!?)\]]+$/.exec(rest) ?? []
    return site + marks
  })

/** An answer as a voice reads it: without the blocks of code, unless it has nothing else, and sites by their name. */
export const spokenText = (markdown: string): string =>
  spokenAddress(markdownText(markdown, {ofCode: () => '', ofTask: () => ''})) || plainText(markdown)

/** Makes text of a block of code, and of the box before a task. */
type Form = {ofCode: (code: string) => string; ofTask: (isDone: boolean) => string}

/** `outerDefinitions`: those of the text that a footnote belongs to. */
function markdownText(markdown: string, form: Form, outerDefinitions = ''): string {
  const {settled, tail, definitions: ownDefinitions} = createBlockReader().read(markdown, false)
  const definitions = ownDefinitions + outerDefinitions
  return joined(
    [...settled, ...tail].map((block) => blockText(block, definitions, form)),
    '\n\n',
  )
}

const joined = (texts: readonly string[], separator: string) => texts.filter((one) => one !== '').join(separator)

function blockText(block: Block, definitions: string, form: Form): string {
  switch (block.kind) {
    case 'thought':
      return ''
    case 'code':
      return form.ofCode(block.code.trimEnd())
    case 'math':
      return block.tex.trim()
    case 'note':
      return `[^${block.label}]: ${markdownText(block.text, form, definitions)}`
    case 'markdown': {
      const tokens = lexBlock(block.raw, definitions)
      return tokens === undefined ? block.raw.trim() : blocksText(tokens, '\n\n', form)
    }
  }
}

const blocksText = (tokens: readonly Token[], separator: string, form: Form): string =>
  joined(
    tokens.map((token) => tokenText(token, form)),
    separator,
  )

function tokenText(token: Token, form: Form): string {
  // as: marked's tokens are a union with a generic member, so `type` alone does not narrow them
  switch (token.type) {
    case 'list':
      return listText(token as Tokens.List, form)
    case 'table':
      return tableCells(token as Tokens.Table)
        .map((cells) => cells.join('\t'))
        .join('\n')
    case 'blockquote':
      return blocksText(children(token), '\n\n', form)
    case 'code':
      return form.ofCode(text((token as Tokens.Code).text))
    case 'html':
      return token.raw.trim()
    case 'heading':
    case 'paragraph':
    case 'text':
      return children(token).length > 0 ? inlineText(children(token)) : inlineTokenText(token)
    default:
      return ''
  }
}

const listText = ({ordered, start, items}: Tokens.List, form: Form): string =>
  items
    .map((item, index) => {
      const mark = ordered ? `${(Number(start) || 1) + index}. ` : '- '
      const task = item.task ? form.ofTask(item.checked === true) : ''
      return `${mark}${task}${blocksText(item.tokens, '\n', form).replace(/\n(?!\n)/g, `\n${' '.repeat(mark.length)}`)}`
    })
    .join('\n')
