/** About as much of a description as search engines show. */
export const shownDescription = 160

/** Characters as people count them: one emoji is one. */
export const charactersOf = (text: string): number => [...text].length

/** A description as a search engine shows it: in one line, cut after a whole word where there is one near the end. */
export function previewOf(description: string): string {
  const line = description.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= shownDescription) return line
  const start = characters.slice(0, shownDescription)
  const space = start.lastIndexOf(' ')
  const isWordCut = characters[shownDescription] !== ' ' && space > shownDescription / 2
  return `${start
    .slice(0, isWordCut ? space : undefined)
    .join('')
    .replace(/(?<![\s,.;:،、。，])[\s,.;:،、。，]+$/u, '')} …`
}
