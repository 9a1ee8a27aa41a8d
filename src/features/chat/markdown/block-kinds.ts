export type Block =
  | {kind: 'markdown'; raw: string}
  | {kind: 'code'; info: string; code: string; closed: boolean}
  | {kind: 'math'; tex: string; closed: boolean}
  | {kind: 'thought'; text: string; closed: boolean}
  /** A footnote, without its label. */
  | {kind: 'note'; label: string; text: string}

/** A block whose lines are still read. */
export type OpenBlock =
  | {kind: 'markdown'; raw: string; shape: 'list' | 'other'; afterBlank: boolean}
  | {kind: 'code'; fence: string; indent: number; info: string; code: string; started: boolean}
  /** `count`: environments of its name that are open. */
  | {kind: 'math'; close: string; count: number; tex: string}
  | {kind: 'thought'; text: string}
  | {kind: 'note'; label: string; text: string; afterBlank: boolean}

/**
 * A text that is no part of a longer one in memory: a slice holds all of the text it was taken from, and each update of
 * a growing answer brings another such text. The minifier removes `[text, ''].join('')`, so the copy would be a slice
 * of a longer text.
 */
export const ownCopy = (text: string) => `${text} `.slice(0, -1)

/** A fence of a formula, and not of a file such as `math.ts`. */
export const isMathFence = (info: string) => /^math(?![\w./-])/i.test(info)

export function toBlock(open: OpenBlock, isClosed: boolean): Block {
  switch (open.kind) {
    case 'markdown':
      return {kind: 'markdown', raw: open.raw}
    case 'code':
      return isMathFence(open.info)
        ? {kind: 'math', tex: open.code, closed: isClosed}
        : {kind: 'code', info: open.info, code: open.code, closed: isClosed}
    case 'math':
      return {kind: 'math', tex: open.tex, closed: isClosed}
    case 'thought':
      return {kind: 'thought', text: open.text, closed: isClosed}
    case 'note':
      return {kind: 'note', label: open.label, text: open.text}
  }
}

/** The same block, whose text was put together line by line, in one piece. */
export function ownBlock(block: Block): Block {
  switch (block.kind) {
    case 'markdown':
      return {...block, raw: ownCopy(block.raw)}
    case 'code':
      return {...block, code: ownCopy(block.code)}
    case 'math':
      return {...block, tex: ownCopy(block.tex)}
    case 'thought':
    case 'note':
      return {...block, text: ownCopy(block.text)}
  }
}
