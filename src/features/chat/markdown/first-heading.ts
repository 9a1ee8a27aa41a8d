import type {Token, Tokens} from 'marked'
import {lexBlock} from './lex-block.ts'

/** Lines without which a block has no heading, so that few blocks are lexed for it. */
const headingLine = /^[ >\d.)*+-]*#{1,6}(?:[ \t]|$)|^[ >]*(?:=+|-+)[ \t]*$/m

/** Depth of the first heading of a block, also in its quotations and lists; undefined where it has none. */
export function firstHeadingDepth(raw: string): number | undefined {
  return headingLine.test(raw) ? depthIn(lexBlock(raw, '') ?? []) : undefined
}

function depthIn(tokens: readonly Token[]): number | undefined {
  for (const token of tokens) {
    // as: marked's tokens are a union with a generic member, so `type` alone does not narrow them
    if (token.type === 'heading') return (token as Tokens.Heading).depth
    const {items, tokens: inner} = token as Partial<Pick<Tokens.List, 'items'> & Pick<Tokens.Blockquote, 'tokens'>> // as: as above
    const depth = depthIn(items ?? inner ?? [])
    if (depth !== undefined) return depth
  }
  return undefined
}
