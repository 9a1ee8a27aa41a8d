const field = /\{\{([^{}]+)\}\}/g

/** Names of the fields of a prompt, `{{name}}`, each once. */
export const promptFields = (text: string): string[] => [
  ...new Set([...text.matchAll(field)].map(([, name = '']) => name.trim()).filter((name) => name !== '')),
]

/** The prompt with its fields filled in; a field without a value stays as it is written. */
export const fillPrompt = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(field, (whole, padded: string) => {
    const name = padded.trim()
    return Object.hasOwn(values, name) ? (values[name] ?? whole) : whole
  })
