/** In characters; longer ones are text. */
export const longestFormula = 4_000

export type FoundMath = {raw: string; tex: string; display: boolean}

/** Prose words: sentences about money contain them, formulas do not. */
const prose = /(?:^|[^\\a-zA-Z])[a-zA-Z]{2,}(?=\s|$)/
/** Words that a formula marks as such. */
const ownWords = /\\(?:text|mathrm|operatorname)\{[^}]*\}?/g
const hasProse = (tex: string) => prose.test(tex.replaceAll(ownWords, ''))

const plainNumber = /^\d+(?:\.\d+)?$/
/** The beginning of one. */
const openNumber = /^\d+(?:\.\d*)?$/

/**
 * Whether the text between two dollar signs is a formula. `$5 and $6` is money: a closing sign ends a word and precedes
 * no digit, and a formula that begins with a digit contains no prose. A number alone has no commas, as sums have.
 */
function isFormula(tex: string, after: string): boolean {
  if (tex === '' || /^\s|\s$/.test(tex) || /\d/.test(after)) return false
  if (/^[\d.,]/.test(tex) && (hasProse(tex) || (/^[\d.,]+[-–—]?$/.test(tex) && !plainNumber.test(tex)))) return false
  return true
}

/** Finds the closing delimiter without a backslash before it. */
export function findClose(source: string, from: number, close: string): number {
  let at = source.indexOf(close, from)
  while (at !== -1 && source[at - 1] === '\\' && close.startsWith('$')) at = source.indexOf(close, at + 1)
  return at === -1 || at - from > longestFormula ? -1 : at
}

/** Environments of LaTeX that are formulas without delimiters around them. */
const environment =
  /^\\begin\{(?:(?:equation|align|alignat|gather)\*?|aligned|alignedat|gathered|split|d?r?cases|[pbBvV]?matrix\*?|smallmatrix)\}/
/** The line may become the beginning of one. */
export const mayBecomeEnvironment = (line: string): boolean =>
  /^ {0,3}\\(?:b(?:e(?:g(?:i(?:n(?:\{[a-zA-Z]{0,11}\*?)?)?)?)?)?)?$/.test(line)

/** The opening of a display formula at the beginning of a line, and its end. */
export function openingOf(line: string): {opening: string; close: string} | undefined {
  const start = line.replace(/^ {0,3}/, '')
  if (start.startsWith('$$')) return {opening: '$$', close: '$$'}
  if (start.startsWith('\\[')) return {opening: '\\[', close: '\\]'}
  const [opening] = environment.exec(start) ?? []
  return opening === undefined ? undefined : {opening, close: opening.replace('begin', 'end')}
}

/**
 * The end of the formula in a line, and the beginning of the text after it, or how many environments are open after the
 * line. The marks of an environment belong to its formula, and another one of its name may stand in it. `open`: how
 * many of its name are open before the line.
 */
export function endOfMath(
  close: string,
  open: number,
  line: string,
): {open: number} | {open: 0; end: number; after: number} {
  const isEnvironment = close.startsWith('\\end')
  const begin = close.replace('end', 'begin')
  let count = open
  for (let at = 0; at < line.length;) {
    const end = line.indexOf(close, at)
    const inner = isEnvironment ? line.indexOf(begin, at) : -1
    if (inner !== -1 && (end === -1 || inner < end)) {
      count += 1
      at = inner + begin.length
      continue
    }
    if (end === -1) break
    count -= 1
    at = end + close.length
    if (count <= 0) return {open: 0, end: isEnvironment ? at : end, after: at}
  }
  return {open: count}
}

/** The formula at the start of a text, if any. `before` is the preceding character. */
export function mathAt(source: string, before: string): FoundMath | undefined {
  const pairs = [
    ['$$', '$$', true],
    ['\\[', '\\]', true],
    ['\\(', '\\)', false],
  ] as const
  for (const [open, close, display] of pairs) {
    if (!source.startsWith(open)) continue
    const end = findClose(source, open.length, close)
    if (end === -1) return undefined
    const tex = source.slice(open.length, end)
    return tex.trim() === '' ? undefined : {raw: source.slice(0, end + close.length), tex, display}
  }
  if (!source.startsWith('$') || /[\p{L}\p{N}$\\]/u.test(before)) return undefined
  const end = findClose(source, 1, '$')
  if (end === -1) return undefined
  const tex = source.slice(1, end)
  if (tex.includes('\n\n') || !isFormula(tex, source[end + 1] ?? '')) return undefined
  return {raw: source.slice(0, end + 1), tex, display: false}
}

/** Whether an unclosed `$…` at the end of a growing text may still become a formula. */
export const mayBecomeMath = (rest: string): boolean =>
  rest.length <= 300 &&
  !rest.includes('\n') &&
  (rest === '' || openNumber.test(rest) || (/^[\\a-zA-Z({[|+-]/.test(rest) && !hasProse(rest)))
