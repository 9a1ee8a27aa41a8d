/** Backticks, or an empty line, which ends a paragraph and with it the code in its lines. */
const ticksOrGap = /`+|\n[ \t]*(?=\n)/g

/** The run of backticks that ends the code which each begins: the next of its length in its paragraph. */
function endsOf(runs: readonly RegExpExecArray[]): (RegExpExecArray | undefined)[] {
  const next = new Map<number, RegExpExecArray>()
  const ends = runs.toReversed().map((run) => {
    const isGap = run[0].startsWith('\n')
    const end = isGap ? undefined : next.get(run[0].length)
    if (isGap) next.clear()
    else next.set(run[0].length, run)
    return end
  })
  return ends.reverse()
}

const isEscaped = (text: string, {index}: RegExpExecArray) => text[index - 1] === '\\' && text[index - 2] !== '\\'

/** Replaces the pieces of code in the lines of a Markdown text. `change`: gets each as it is shown. */
export function replaceCode(text: string, change: (code: string) => string): string {
  const runs = [...text.matchAll(ticksOrGap)]
  const ends = endsOf(runs)
  let result = ''
  let from = 0
  for (const [nth, run] of runs.entries()) {
    const end = ends[nth]
    if (end === undefined || run.index < from || isEscaped(text, run)) continue
    const code = text.slice(run.index + run[0].length, end.index)
    const isSpaced = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== ''
    result += text.slice(from, run.index) + change(isSpaced ? code.slice(1, -1) : code)
    from = end.index + end[0].length
  }
  return result + text.slice(from)
}
