const field = /\{\{\s*([^{}]+?)\s*\}\}/g

/** Names of the fields of a prompt, `{{name}}`, each once. */
export const promptFields = (text: string): string[] => [
  ...new Set([...text.matchAll(field)].flatMap(([, name]) => (name === undefined ? [] : [name]))),
]

/** The prompt with its fields filled in; a field without a value stays as it is written. */
export const fillPrompt = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(field, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole))

/**
 * How well a name matches what is typed: 0 is best, `undefined` not at all. Letters of one word may be left out, not swapped; several
 * words, which may be a sentence, are in the name as they are typed.
 */
export function fuzzyRank(name: string, letters: string): number | undefined {
  const [text, query] = [name.toLocaleLowerCase(), letters.trim().toLocaleLowerCase()]
  const start = text.indexOf(query)
  if (start !== -1) return start
  if (/\s/.test(query)) return undefined
  let at = -1
  for (const letter of query) {
    at = text.indexOf(letter, at + 1)
    if (at === -1) return undefined
  }
  return text.length + at
}
